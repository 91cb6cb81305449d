"""The officer's page of corrections names the lists that rest on a corrected standard list (reading 45)."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from arpad.model.rules import ListName
from arpad.office.users import Grant, Role
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import event
from tests.builders.offices import Clock, Desk, listed
from tests.builders.site_fixtures import PASSWORD, serving
from tests.builders.users import add_user, issue_token
from tests.builders.verbs import revise, withdraw
from tests.office.corrections.test_acts_carried import ALL_DRAWN, SPRING, december_event, publish

SEPTEMBER, OCTOBER = date(2022, 9, 1), date(2022, 10, 1)
TOLD = "1 published list from 1 October 2022 on: another list that they were made from has changed since."


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
        assert TOLD not in officer.get("/desk/corrections").text
        withdraw(desk.office, number, reason="never played")
        revise(desk.office, ListName.STANDARD, reason="never played")
        for address in ("/desk/corrections", "/desk/draft?list=rapid&day=2022-11-01"):
            assert TOLD in " ".join(officer.get(address).text.split()), address
        token = issue_token(replace(office, author="officer"), "officer", "p", ["register"])
        program = served.client()
        program.headers["Authorization"] = f"Bearer {token}"
        assert program.get("/api/v1/lists-to-revise").json()["revise"] == [
            {"list": "rapid", "first": "2022-10-01", "lists": 1, "cause": "basis"}
        ]


def test_a_late_draughts_report_is_named_and_offered(tmp_path: Path) -> None:
    """The draft names the closed year and the players; the page of corrections and the API point to the correction."""
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock(date(2008, 1, 1)))
    report = december_event(desk)
    office = replace(desk.office, author="tests")
    add_user(office, "officer", "Officer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    publish(desk, SPRING)
    with serving(desk.office) as served:
        officer = served.client("officer")
        draft = " ".join(officer.get("/desk/draft?list=italiana&day=2009-06-30").text.split())
        assert "as if they had not played: Player 1, Player 2, Player 3, Player 4." in draft
        assert "An officer can add it under Corrections" in draft
        offered = f'name="add" value="{report}"'
        assert offered in officer.get("/desk/corrections?list=italiana").text
        assert offered not in officer.get("/desk/corrections").text, "it is for another list"
        late = event("Novembre", ALL_DRAWN, date(2008, 11, 8), date(2008, 11, 9))
        sent = desk.send(late, facts=EventFacts(list=ListName.ITALIANA)).report
        token = issue_token(replace(office, author="officer"), "officer", "p", ["decide"])
        program = served.client()
        program.headers["Authorization"] = f"Bearer {token}"
        (told,) = program.post("/api/v1/office/inbox/accept", json={"reports": [sent]}).json()["late"]
        assert (told["report"], told["finding"]["code"]) == (sent, "draughts-closed-year-malus")
        assert "under Corrections" in told["finding"]["message"]
