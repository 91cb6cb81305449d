"""Categories by decision: who has one, from which event on, and never a lower one."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from arpad.rating.draughts_event import DraughtsEvent, Season, run_season, with_award
from arpad.regulations.rubele.editions import RUBELE_2008
from tests.builders.draughts import round_of, small_event

ITALIANA = RUBELE_2008.on(ListName.ITALIANA)
PROVINCIALE, NAZIONALE, MAESTRO = Category.PROVINCIALE, Category.NAZIONALE, Category.MAESTRO
MAY_4, MAY_5, MAY_6 = date(2008, 5, 4), date(2008, 5, 5), date(2008, 5, 6)


def season(
    standings: tuple[DraughtsState, ...] | None,
    since: date,
    first_day: date | None = MAY_4,
    last_day: date | None = MAY_6,
) -> Season:
    """One game; the player with the number 7 is a maestro by decision from a day on."""
    report = small_event([2500, 2500], round_of(2, [(1, 2, "=")]))
    seventh, other = report.entrants
    header = replace(report.header, first_day=first_day, last_day=last_day)
    report = replace(report, header=header, entrants=(replace(seventh, id="7"), other))
    awards = {"7": [(since, MAESTRO)]}
    return run_season([DraughtsEvent("e", report)], standings, lambda day: ITALIANA, awards=awards)


@pytest.mark.parametrize(
    ("day", "category"), [(MAY_4, NAZIONALE), (MAY_5, MAESTRO), (MAY_6, MAESTRO)], ids=str
)
def test_a_category_counts_from_its_day_on(day: date, category: Category) -> None:
    standing = DraughtsState("Rossi", 2500, NAZIONALE, id="7")
    assert with_award(standing, {"7": [(MAY_5, MAESTRO)]}, day) == replace(standing, category=category)


def test_the_highest_category_counts_and_none_falls() -> None:
    standing = DraughtsState("Rossi", 2500, NAZIONALE, id="7")
    both = {"7": [(MAY_4, MAESTRO), (MAY_5, PROVINCIALE)]}
    assert with_award(standing, both, MAY_6).category is MAESTRO
    assert with_award(standing, {"7": [(MAY_4, PROVINCIALE)]}, MAY_6).category is NAZIONALE
    assert with_award(standing, {"8": [(MAY_4, MAESTRO)]}, MAY_6) is standing


@pytest.mark.parametrize(
    "standings", [None, (DraughtsState("Giocatore 1", 2500, NAZIONALE, id="7"),)], ids=["report", "list"]
)
def test_the_category_in_an_event_is_that_of_its_first_day(
    standings: tuple[DraughtsState, ...] | None,
) -> None:
    """A player of the list has it, and so has one whom only the report names; the opponent has not."""
    for since, category in ((MAY_4, MAESTRO), (MAY_5, NAZIONALE)):
        rated = season(standings, since)
        (seventh, other) = rated.events[0].players
        assert seventh.participant.standing.category is category
        assert other.participant.standing.category is NAZIONALE
        assert rated.standings[0].category is category


def test_without_its_first_day_an_event_goes_by_the_last() -> None:
    for since, category in ((MAY_6, MAESTRO), (date(2008, 5, 7), NAZIONALE)):
        (event,) = season(None, since, first_day=None).events
        assert event.players[0].participant.standing.category is category
    (undated,) = season(None, MAY_4, first_day=None, last_day=None).events
    assert undated.players[0].participant.standing.category is NAZIONALE
