"""The kind of a tournament in the office: declared, decided, with play-offs and cycles."""

from datetime import date

import pytest

from arpad.model.chess import EventKind
from arpad.model.errors import BadInput
from arpad.publishing.bundle import verify_bundle
from arpad.reports.report import Report
from tests.builders.chess import event as made_event
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept, draft, ratings_in_force, verify
from tests.regulations.fide.test_event_kind_declared import Games, drawn
from tests.regulations.fide.test_event_kind_declared import event as games_of

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
FIRST, LAST = date(2018, 1, 8), date(2018, 1, 20)


def report(ratings: list[int], games: Games, kind: str = "") -> Report:
    bare = games_of(ratings, games, kind, first_day=FIRST, last_day=LAST)
    header = made_event("Torneo", "1 2000 | .Z", FIRST, LAST, kind=kind).header
    return Report(header, bare.entrants, bare.rounds)


def with_rated(desk: Desk, players: int) -> Desk:
    """So many players on the list of January, all of 2000; whoever else plays is new."""
    desk.list(JAN, *[listed(number, 2000) for number in range(1, players + 1)])
    desk.on(FIRST)
    return desk


def test_a_decision_says_the_kind_and_the_list_recomputes(desk: Desk) -> None:
    """Six players, four of them rated; all draw.

    In a round robin the newcomers have five games each, and are rated (7.14a). In a Swiss their game against each other
    counts for neither: four games, and nobody enters (7.14b).
    """
    number = with_rated(desk, 4).report(report([2000] * 4 + [0, 0], drawn(6)))
    assert len(draft(desk.office, STANDARD, FEB).result.entered) == 2

    decide(desk.office, "kind", report=number, reason="letter of the arbiter", kind="swiss")
    desk.publish(FEB)

    assert ratings_in_force(desk.office, STANDARD, FEB) == dict.fromkeys(range(1, 5), 2000)
    assert verify(desk.office).intact
    (bundle,) = (desk.folder / "lists").glob("*.bundle.zip")
    assert verify_bundle(bundle).intact


def test_a_declared_swiss_of_eight_in_seven_rounds_is_accepted(desk: Desk) -> None:
    sent = with_rated(desk, 3).send(report([2000] * 3 + [0] * 5, drawn(8), "Individual: Swiss-System"))
    assert sent.errors == ()
    assert "kind-as-declared" in [finding.code for finding in sent.findings]
    accept(desk.office, sent.report)


def test_a_swiss_that_looks_like_a_round_robin_is_accepted_after_a_decision(desk: Desk) -> None:
    """Three of eight are rated, and a round robin needs four (6.21)."""
    sent = with_rated(desk, 3).send(report([2000] * 3 + [0] * 5, drawn(8)))
    with pytest.raises(BadInput, match="round-robin-small-few-rated"):
        accept(desk.office, sent.report)
    decide(desk.office, "fact", report=sent.report, reason="regulations", kind=str(EventKind.SWISS))
    assert len(accept(desk.office, sent.report).players) == 8


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize(
    ("games", "ratings"),
    [
        ([*drawn(6), [(6, 1, "1")]], [2000] * 5 + [0]),
        (drawn(6, 3), [2000] * 5 + [0]),
        (drawn(6, 4), [2000] * 5 + [0]),
        (drawn(6), [2000] * 5 + [0, 0]),
        (drawn(6), [2000] * 5 + [0, 0, 0]),
    ],
)
def test_play_offs_cycles_and_absent_entrants_both_ways(desk: Desk, games: Games, ratings: list[int]) -> None:
    """Every list here is made readably and on columns and compared (see conftest); the sixth enters in all of them."""
    with_rated(desk, 5).report(report(ratings, games))
    desk.publish(FEB)
    in_force = ratings_in_force(desk.office, STANDARD, FEB)
    # with the play-off Ra is 2010 and the sixth is one half-point above the half: 2030; else all is drawn
    assert in_force[6] == (2030 if len(games) == 6 else 2000)
    assert verify(desk.office).intact
