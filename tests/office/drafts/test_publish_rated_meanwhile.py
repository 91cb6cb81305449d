"""A newcomer who enters the list before an earlier event is rated (8.2.4 of 2022 and 2024), seen from the office."""

from datetime import date
from fractions import Fraction

from arpad.explain.words import load_words
from tests.builders.chess import event
from tests.builders.explanations import agree
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import FEW, STANDARD, Desk, listed
from tests.builders.verbs import accept, draft, explain, revise, verify, verify_bundle

APRIL, MAY, JUNE, JULY = (date(2024, month, 1) for month in range(4, 8))

FIRST = """
1 2000 | 6b1 .Z .Z .Z .Z
2 2000 | .Z 6w0 .Z .Z .Z
3 2000 | .Z .Z 6b0 .Z .Z
4 2000 | .Z .Z .Z 6w1 .Z
5 2000 | .Z .Z .Z .Z 6b0
6 0 | 1w0 2b1 3w1 4b0 5w1
"""
IN_MAY = """
1 2000 | 6b0
2 2000 | .Z
6 1993 | 1w1
"""
LATE = """
4 2000 | 6w1
5 2000 | .Z
6 0 | 4b0
"""


def month_by_month(desk: Desk) -> int:
    """Publish the lists of May, June and July; return the report of May.

    April: 3 of 5 against 2000, with two draws against 1800: the average is 1942.86, p .57, dp 50: 1993.
    May, K 40: a win against 2000, .49 expected: .51 x 40 = 20.4, so 2013.
    The report of an event that began on 20 April comes in June: a loss to 2000 counts from 2013, with .52 expected
    and K 40: -20.8 leaves 1992. From the entry rating it would be .49 x 40 = 19.6, and 1993.
    """
    desk.list(APRIL, *[listed(number, 2000) for number in range(1, 6)])
    desk.report(event("First", FIRST, date(2024, 4, 10), date(2024, 4, 14)))
    desk.publish(MAY)
    in_may = desk.report(event("In May", IN_MAY, date(2024, 5, 10)))
    desk.publish(JUNE)
    desk.report(event("Late", LATE, date(2024, 4, 20)))
    assert draft(desk.office, STANDARD, JULY).result.ratings[6] == 1992
    desk.publish(JULY)
    return in_may


@DEEP_ON_POSTGRESQL
def test_the_event_is_rated_with_the_rating_of_the_list_before(desk: Desk) -> None:
    month_by_month(desk)

    assert [desk.rating(6, day) for day in (MAY, JUNE, JULY)] == [1993, 2013, 1992]
    assert desk.rating(4, JULY) == 2000  # the winner gets nothing from a player who was unrated
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / f"standard-{JULY}-r1.bundle.zip").intact


def test_the_explanation_says_with_which_rating(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    month_by_month(desk)

    change = explain(desk.office, 6, STANDARD, JULY).change

    assert change is not None
    (late,) = change.events
    assert [(game.rating, game.difference, game.expected) for game in late.games] == [
        (2000, 13, Fraction(13, 25))
    ]
    said = [load_words("en").step(step) for step in late.steps]
    assert said[0].startswith("unrated when the event began and rated since")
    assert "the current rating, 2013, of the list of 1 June 2024" in said[0]
    assert said[1].startswith("K = 40: new to the list, 6 of 30 games")
    assert agree(desk)


def test_a_revision_takes_the_revised_rating(sqlite_desk: Desk) -> None:
    """The win of May was a draw: .01 x 40 = .4 leaves 1993; then a loss to 2000 with .49 expected is -19.6: 1973."""
    desk = sqlite_desk
    in_may = month_by_month(desk)
    desk.on(date(2024, 7, 5))
    drawn = IN_MAY.replace("6b0", "6b=").replace("1w1", "1w=")
    sent = desk.send(event("In May", drawn, date(2024, 5, 10)), replaces=in_may)
    accept(desk.office, sent.report, reason="scoresheet")

    revised = revise(desk.office, STANDARD, desk.folder / "lists", reason="wrong result", kinds=FEW)

    changed = {r.publication.day: {d.player: d.after for d in r.differences}[6] for r in revised.revisions}
    assert changed == {JUNE: 1993, JULY: 1973}
    assert verify(desk.office).intact
