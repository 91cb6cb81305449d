"""What an officer sees of an own list before publishing: what its system says, and which printed figures change."""

from datetime import date

import pytest

from arpad.office.drafts.acts import preview_draft
from arpad.office.users import Grant, Role
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk
from tests.builders.own_lists import ROUND_ROBIN, begun, ireland, taken_over
from tests.builders.site_fixtures import PASSWORD, serving
from tests.builders.users import add_user
from tests.builders.verbs import accept
from tests.commands import run_json

UNKNOWN = """
5 1500 | 6w1
6 1400 | 5b0
"""


def test_a_draft_says_what_the_system_finds_in_its_new_events(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.on(date(2018, 1, 8))
    sent = desk.send(event("Two newcomers", UNKNOWN, date(2018, 1, 5), date(2018, 1, 7)))
    accept(
        desk.office, sent.report, overrule=("match-with-unrated",), reason="it counts on the list of Ireland"
    )
    for _ in range(2):  # the second one is computed from the checkpoint of the first
        drafted = run_json(capsys, "office", "draft", "ireland", "2018-02-01", "--db", desk.place)
        (said,) = drafted["findings"].values()
        assert {it["code"] for it in said} == {"icu-unrateable"}
        assert list(drafted["findings"]) == ["Two newcomers"]
    desk.publish(date(2018, 2, 1), own)
    assert not preview_draft(desk.office, own, date(2018, 3, 1)).findings


def test_the_page_of_the_month_says_whose_printed_figures_change(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    desk.publish(date(2018, 2, 1), own)
    desk.report(event("Cork", WIN, date(2018, 1, 2), date(2018, 1, 3)))
    add_user(desk.office, "officer", "O", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    with serving(desk.office) as site:
        officer = site.client("officer")
        month = officer.get("/desk/draft?day=2018-03-01").text
        draft = officer.get(f"/desk/draft?list={own}&day=2018-03-01").text
    assert "#restated" in month
    assert "Player 1" in draft[draft.index('id="restated"') :]
