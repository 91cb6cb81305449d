"""A federation whose own edition requires membership: the register says who is a member on the first day."""

from datetime import date

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.errors import BadInput
from arpad.model.rules import Finding, ListName
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.inbox.check_report import check
from arpad.reports.event_facts import EventFacts, KnownPlayer
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed, replaced
from tests.builders.verbs import (
    NotAccepted,
    accept,
    accept_many,
    adopt_edition,
    change_player,
    register_player,
)

OWN = """
id = "own-2018"
base = "fide-2017"
effective = 2018-01-01

[standard]
membership = { value = "home", article = "own 7" }
"""
FIRST = date(2018, 2, 5)


def refused(desk: Desk, facts: EventFacts | None = None) -> list[Finding]:
    report = event("Open", WIN, FIRST)
    with desk.office.store.reading() as connection:
        findings = check(connection, report, facts or EventFacts()).findings
    return [finding for finding in findings if finding.code in ("not-a-member", "membership-unknown")]


def test_the_register_says_who_is_a_member(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    guest = replaced(listed(2, 1900), federation="FRA")
    desk.list(date(2018, 1, 1), listed(1, 2000), guest)
    assert refused(desk) == []
    adopt_edition(desk.office, OWN, lists=[STANDARD], since=date(2018, 2, 1), reason="the board decided")
    (finding,) = refused(desk)  # the guest need not be a member
    assert (finding.code, finding.article, finding.player) == ("not-a-member", "own 7", 1)
    claimed = EventFacts(players={"1": KnownPlayer(member=True, norm=True)})
    assert [finding.player for finding in refused(desk, claimed)] == [1]  # the sender's word does not count
    enter_club(desk.office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(desk.office, 1, "MI1", since=date(2018, 2, 6))
    assert [finding.player for finding in refused(desk)] == [1]  # a day too late
    transfer(desk.office, 1, "MI1", since=FIRST)
    assert refused(desk) == []
    change_player(desk.office, 2, since=FIRST, set_={"federation": "ITA"}, reason="moved")
    assert [finding.player for finding in refused(desk)] == [2]


def test_a_report_with_others_than_members_is_not_accepted(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    adopt_edition(desk.office, OWN, lists=[STANDARD], since=date(2018, 2, 1), reason="board")
    desk.on(date(2018, 2, 10))
    facts = EventFacts(registered=date(2018, 1, 1), match_games=1)
    sent = desk.send(event("Open", WIN, FIRST), facts=facts)
    assert "not-a-member" in {finding.code for finding in sent.findings}
    (result,) = accept_many(desk.office, processes=1)
    assert isinstance(result, NotAccepted)
    with pytest.raises(BadInput, match="report-has-errors"):
        accept(desk.office, sent.report)
    assert accept(desk.office, sent.report, overrule=("not-a-member",), reason="paid since").report


OWN_DRAUGHTS = """
id = "own-draughts-2025"
base = "rubele-2021"
effective = 2025-01-01

[italiana]
membership = { value = "home", article = "own 3" }
"""


def test_an_own_edition_of_draughts_requires_members_too(sqlite_desk: Desk) -> None:
    desk, first = sqlite_desk, date(2025, 2, 5)
    desk.on(date(2025, 3, 1))
    report, facts = event("Gara", WIN, first), EventFacts(list=ListName.ITALIANA)

    def missing() -> list[tuple[str, int | None]]:
        with desk.office.store.reading() as connection:
            findings = check(connection, report, facts, {1: one, 2: two}).findings
        return [(it.article, it.player) for it in findings if it.code == "not-a-member"]

    one, two = (register_player(desk.office, name, federation="ITA").id for name in ("Rossi", "Bianchi"))
    assert missing() == []
    adopt_edition(
        desk.office,
        OWN_DRAUGHTS,
        lists=[ListName.ITALIANA],
        since=date(2025, 1, 1),
        reason="the board decided",
    )
    assert missing() == [("own 3", 1), ("own 3", 2)]
    enter_club(desk.office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(desk.office, one, "MI1", since=first)
    assert missing() == [("own 3", 2)]
