"""Who is who, on the site and in the API: nothing is chosen beforehand, nothing undecided is accepted."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from arpad.office.accounts.sessions import sign_in
from arpad.office.users import Grant, Role
from tests.builders.site_fixtures import PASSWORD, Served, proof, serving
from tests.builders.unsafe_reports import NO_NUMBERS, irish_office
from tests.builders.users import add_user
from tests.builders.verbs import find_players, register_player, reports_on_file, submit
from tests.builders.verbs import player as office_player


@pytest.fixture
def irish(tmp_path: Path) -> Iterator[Served]:
    office = irish_office(tmp_path)
    admin = replace(office, author="admin")
    add_user(admin, "officer", "O. Fficer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    tokens = {"officer": sign_in(office, "officer", PASSWORD, "127.0.0.1")}
    with serving(office, tokens=tokens) as running:
        yield running


def filed(irish: Served, data: bytes) -> int:
    return submit(irish.office, data, "open.trf").report


def status(irish: Served, report: int) -> str:
    return {item.id: item.status for item in reports_on_file(irish.office)}[report]


def sent(client: httpx.Client, report: int, verb: str, **texts: str) -> httpx.Response:
    page = f"/desk/reports/{report}"
    form = {"csrf": proof(client, page), "from": page, "report": str(report), **texts}
    return client.post(f"/desk/acts/{verb}", data=form)


def people(irish: Served) -> int:
    return len(find_players(irish.office, "a", 50)) + len(find_players(irish.office, "s", 50))


def test_near_names_are_offered_first_and_saved_one_by_one(irish: Served) -> None:
    """B2: who is spelled otherwise was silently new."""
    report = filed(irish, NO_NUMBERS)
    officer = irish.client("officer")

    assert sent(officer, report, "match", **{"matches.1": "1", "seen.1": "0"}).status_code == 303
    assert sent(officer, report, "accept").status_code == 422
    rest = {"matches.2": "2", "matches.3": "3", "matches.4": "4"}
    assert sent(officer, report, "match", **rest).status_code == 303
    assert sent(officer, report, "accept").status_code == 303

    assert [item.report for item in office_player(irish.office, 1).reports] == [report]
    assert status(irish, report) == "accepted"
    assert "Short, Nigel" in officer.get("/desk/aliases").text


def test_one_button_says_that_all_who_are_in_doubt_are_new(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    officer, before = irish.client("officer"), people(irish)
    page = officer.get(f"/desk/reports/{report}").text
    (form,) = [part for part in page.split("<form") if "All 4 players are new" in part]
    answers = dict(re.findall(r'type="hidden" name="((?:matches|seen)[^"]+)" value="(\w+)"', form))

    assert sent(officer, report, "match", **answers).status_code == 303
    assert "All 4 players are new" not in officer.get(f"/desk/reports/{report}").text
    assert people(irish) == before, "nobody is registered before the report is accepted"
    assert sent(officer, report, "accept").status_code == 303
    assert people(irish) > before


def test_an_entrant_is_searched_for_by_name_and_a_sentence_says_what_was_saved(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    officer = irish.client("officer")
    unclear = sent(officer, report, "match", **{"matches.1": "short", "seen.1": "0"})
    assert unclear.status_code == 422
    (offered,) = re.findall(r'type="radio" name="matches.1" value="([^"]+)"', unclear.text)
    assert offered == "1 · Short, Nigel D."
    assert "nothing is called zzzz" in sent(officer, report, "match", **{"matches.1": "zzzz"}).text
    another = sent(officer, report, "match", **{"matches.field": "1", "matches.value": "short"})
    assert 'type="radio" name="matches.value"' in another.text

    done = sent(officer, report, "match", **{"matches.1": offered, "seen.1": "0"})
    assert done.headers["location"] == f"/desk/reports/{report}", "where the sentence is in sight"
    assert "1 entrant decided, 3 still doubtful" in officer.get(done.headers["location"]).text


def test_choosing_nobody_is_refused(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    answer = sent(irish.client("officer"), report, "match", **{"seen.1": "0"})

    assert (answer.status_code, "Who they are" in answer.text) == (422, True)


def test_the_desk_lists_duplicates(irish: Served) -> None:
    register_player(irish.office, "Short, Nigel", federation="IRL")
    assert "Short, Nigel D." in irish.client("officer").get("/desk/duplicates").text
