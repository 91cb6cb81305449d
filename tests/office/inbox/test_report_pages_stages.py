"""The desk joins reports that are stages of one event, and shows the board of a draughts report."""

from dataclasses import replace
from datetime import date

from arpad.model.rules import ListName
from tests.builders.chess import event
from tests.builders.offices import trf
from tests.builders.site_fixtures import Served, proof
from tests.builders.verbs import reports_on_file, submit

GROUP = "1 2000 | 2w1 3w=\n2 1900 | 1b0 .Z\n3 1950 | .Z 1b=\n"
FINAL = "1 2000 | 3w1\n3 1950 | 1b0\n"


def test_stages_are_joined_and_wrong_numbers_are_refused(own: Served) -> None:
    stages = (event("Group", GROUP, date(2025, 1, 3)), event("Final", FINAL, date(2025, 1, 5)))
    desk = replace(own.office, author="tests")
    first, second = (submit(desk, trf(stage), "stage.trf").report for stage in stages)
    officer = own.client("officer")
    address = f"/desk/reports/{first}"
    for others in ("", "x", "99999", f"{second}, x"):
        form = {"csrf": proof(officer, address), "reports": f"{first}, {others}", "reason": "one event"}
        assert officer.post("/desk/acts/inbox/join", data=form | {"from": address}).status_code == 422, others
    form = {"csrf": proof(officer, address), "reports": f"{first}, {second}", "reason": "one event"}
    answer = officer.post("/desk/acts/inbox/join", data=form)
    assert answer.status_code == 303, answer.text
    status = {it.id: it.status for it in reports_on_file(own.office)}
    joint = int(answer.headers["location"].rpartition("/")[2])
    assert (status[first], status[second], status[joint]) == ("superseded", "superseded", "received")


def test_a_draughts_report_shows_its_board(served: Served) -> None:
    number = next(it.id for it in reports_on_file(served.office) if it.list is ListName.ITALIANA)
    page = served.client("officer").get(f"/desk/reports/{number}/contents").text
    assert 'class="board"' in page
