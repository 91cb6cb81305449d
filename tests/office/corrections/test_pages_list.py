"""The lists of a day are published together: one without tournaments only if ticked, one without players never."""

import re
from dataclasses import replace
from datetime import date

import httpx

from arpad.model.rules import ListName
from arpad.office.users import Grant, Role
from tests.builders.chess import event
from tests.builders.offices import Desk, listed
from tests.builders.site_fixtures import PASSWORD, Served, compact, proof, serving
from tests.builders.users import add_user
from tests.builders.verbs import publications

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
MONTH = f"/desk/draft?day={FEBRUARY}"
DIGESTS = re.compile(r'name="(\w+\.(?:digest|inputs))" value="([0-9a-f]+)"')


def published(desk: Desk) -> set[ListName]:
    return {it.list for it in publications(desk.office) if it.day == FEBRUARY}


def send(client: httpx.Client, lists: list[str], **changed: str) -> httpx.Response:
    digests = dict(DIGESTS.findall(client.get(MONTH).text))
    form = {
        "csrf": proof(client, "/desk/lists"),
        "together": "yes",
        "day": str(FEBRUARY),
        **digests,
        **changed,
    }
    return client.post("/desk/publish", data={**form, "list": lists})


def test_the_lists_of_a_day_are_published_with_one_confirmation(desk: Desk) -> None:
    for name in (ListName.STANDARD, ListName.RAPID):
        desk.list(JANUARY, listed(1, 2000), listed(2, 1900), on_list=name)
    desk.report(event("Open", "1 2000 | 2w1\n2 1900 | 1b0\n", date(2018, 1, 10)))
    add_user(desk.office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    with serving(replace(desk.office, author="")) as running:
        anna = running.client("anna")
        lists = compact(anna.get("/desk/lists").text)
        assert lists.count("<h2>Lists of ") == 1, "both are due on one day, and no other list is kept"
        assert MONTH in lists
        month = anna.get(MONTH).text
        assert re.findall(r'name="list" value="(\w+)"( checked)?', month) == [
            ("standard", " checked"),
            ("rapid", ""),
        ]

        nothing = send(anna, [])
        assert (nothing.status_code, "Tick at least one list." in nothing.text) == (422, True)
        changed = send(anna, ["standard", "rapid"], **{"rapid.digest": "0" * 64})
        assert changed.status_code == 422
        assert "Published for 1 February 2018: standard." in changed.text
        assert "The draft has changed" in changed.text
        assert published(desk) == {ListName.STANDARD}
        assert send(anna, ["rapid"]).status_code == 303
        assert "Published for 1 February 2018: rapid." in anna.get("/desk/lists").text
        assert published(desk) == {ListName.STANDARD, ListName.RAPID}


def test_a_list_without_anybody_cannot_be_published_from_the_desk(desk: Desk) -> None:
    add_user(desk.office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    with serving(replace(desk.office, author="")) as running:
        anna = running.client("anna")
        day = re.findall(r'/desk/draft\?day=([\d-]+)"', anna.get("/desk/lists").text)[0]
        for address in (f"/desk/draft?day={day}", f"/desk/draft?list=standard&day={day}"):
            page = anna.get(address)
            assert (page.status_code, "Nobody would be on this list" in page.text) == (200, True)
            assert 'name="list"' not in page.text


def test_a_report_that_only_a_corrected_base_rates_does_not_wait_for_a_list(served: Served) -> None:
    """The demo has one: report 28, of rapid chess."""
    officer = served.client("officer")
    assert "1 accepted" not in officer.get("/desk/lists").text
    assert 'name="add"' not in officer.get("/desk/corrections").text
