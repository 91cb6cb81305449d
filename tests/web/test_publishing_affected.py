"""The officer's page of corrections names the lists that rest on a corrected standard list (reading 45)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from arpad.accounts import Grant, Role, add_user
from arpad.model.rules import ListName
from arpad.office import verbs
from tests.builders.chess import event
from tests.builders.offices import Clock, Desk, listed
from tests.web.conftest import PASSWORD, serving

SEPTEMBER, OCTOBER = date(2022, 9, 1), date(2022, 10, 1)


def test_the_page_of_corrections_names_them_and_the_draft_says_what_comes_first(tmp_path: Path) -> None:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock(SEPTEMBER))
    desk.list(SEPTEMBER, listed(1, 2283), on_list=ListName.RAPID)
    desk.list(SEPTEMBER, listed(1, 2726, 10), listed(5, 2726, 10))
    number = desk.report(event("Match", "1 2726 | 5w1\n5 2726 | 1b0\n", date(2022, 9, 12)))
    office = replace(desk.office, author="tests")
    add_user(office, "officer", "Officer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    with serving(desk.office) as served:
        officer = served.client("officer")
        refused = officer.get("/desk/draft?list=rapid&day=2022-10-01").text
        assert "standard list of 1 October 2022 first" in refused
        desk.publish(OCTOBER)
        desk.publish(OCTOBER, ListName.RAPID)
        officer = served.client("officer")  # the clock went on, and the session ended
        assert "Lists to correct" not in officer.get("/desk/corrections").text
        verbs.withdraw(desk.office, number, "never played")
        verbs.revise(desk.office, ListName.STANDARD, reason="never played")
        page = officer.get("/desk/corrections").text
        assert "Lists to correct" in page
        assert (
            'href="/lists/rapid-2022-10-01-r1"' in page.partition("Lists to correct")[2].partition("</ul>")[0]
        )
