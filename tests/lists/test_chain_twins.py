"""FIDE and Elo-Rubele as systems equal the computations of their lists, over made events."""

import random
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest

from arpad.lists.chain import rate_chain
from arpad.lists.system_units import state_of
from arpad.model.chess import PlayerState
from arpad.model.draughts import DraughtsState
from arpad.model.rules import ListName
from arpad.rating.draughts_event import DraughtsEvent, run_season
from arpad.regulations.editions import DRAUGHTS_EDITIONS, in_force
from arpad.regulations.fide.system import SYSTEM as FIDE
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from arpad.regulations.systems import edition_on, rate_unit
from arpad.regulations.units import Entrant, Game, Unit
from tests.builders.chess import report_from_games
from tests.builders.periods import closed, event
from tests.builders.system_worlds import made_world

LETTERS = {Fraction(0): "0", Fraction(1, 2): "=", Fraction(1): "1"}
PLAYERS, NEWCOMERS, ROUNDS = 14, 3, 7
LIST_DAY, EVENT_DAYS = date(2025, 4, 1), (date(2025, 3, 5), date(2025, 3, 9))


@pytest.mark.parametrize("seed", range(12))
def test_a_period_with_one_event_is_as_on_the_list(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  made-up games
    rated = {
        number: PlayerState(number, rating, chance.choice([5, 40]), peak=chance.choice([rating, 2410]))
        for number in range(1, PLAYERS - NEWCOMERS + 1)
        for rating in [chance.randint(1405, 2500)]
    }
    played = list(_random_games(chance))
    period = closed(
        LIST_DAY, list(rated.values()), [event("e", [(a, LETTERS[s], b) for a, s, b in played], *EVENT_DAYS)]
    )
    entrants: dict[str, Entrant[PlayerState]] = {
        str(number): Entrant(rated.get(number)) for number in range(1, PLAYERS + 1)
    }
    games = tuple(Game(str(a), str(b), score) for a, score, b in played)
    unit = Unit(entrants=entrants, games=games, first_day=EVENT_DAYS[0], last_day=LIST_DAY)
    outcome = rate_unit(FIDE, unit, edition_on(FIDE, EVENT_DAYS[0]).rules)
    for number, standing in period.standings.items():
        after = outcome.players[str(number)].after or PlayerState(0)
        listed = (standing.rating, standing.games, standing.peak, standing.inactive)
        assert (after.rating, after.games, after.peak, after.inactive) == listed
        totals = [(it.games, it.score, it.opponents_total) for it in standing.tranches]
        assert [(it.games, it.score, it.opponents_total) for it in after.tranches] == totals
    newcomers = [outcome.players[str(number)].after for number in entrants if int(number) not in rated]
    assert any(after and (after.rating or after.tranches) for after in newcomers)


def _random_games(chance: random.Random) -> list[tuple[int, Fraction, int]]:
    """Return seven rounds, in which nobody meets anybody twice."""
    games: list[tuple[int, Fraction, int]] = []
    for _ in range(ROUNDS):
        field = chance.sample(range(1, PLAYERS + 1), PLAYERS)
        met = {frozenset((one, other)) for one, _, other in games}
        pairs = [pair for pair in zip(field[::2], field[1::2], strict=True) if frozenset(pair) not in met]
        games += [(one, Fraction(chance.choice([0, 1, 2]), 2), other) for one, other in pairs]
    return games


@pytest.mark.parametrize("seed", range(4))
def test_three_years_of_draughts_are_as_in_the_season(seed: int) -> None:
    world = made_world("rubele", seed)
    units = [_without_guests(unit) for unit in world.units]
    start = {str(number): state_of(RUBELE, text) for number, text in world.start.items()}
    chain = rate_chain(RUBELE, units, start)

    def rules_on(day: date | None) -> DraughtsRules:
        return in_force(DRAUGHTS_EDITIONS, ListName.ITALIANA, day or date.min).on(ListName.ITALIANA)

    standings = [replace(state, name=name, id=name) for name, state in start.items()]
    season = run_season([_event(unit) for unit in units], standings, rules_on, close_years=True)
    listed = {standing.id: replace(standing, name="", id="") for standing in season.standings}
    assert len(season.years) == 3
    assert listed == {name: chain.states[name] for name in listed}
    assert {name: state.capital for name, state in chain.states.items()} != {
        name: state.capital for name, state in start.items()
    }


def _without_guests(unit: Unit[DraughtsState]) -> Unit[DraughtsState]:
    players = {name: it for name, it in unit.entrants.items() if not it.fixed}
    games = tuple(game for game in unit.games if {game.player, game.opponent} <= players.keys())
    return replace(unit, entrants=players, games=games)


def _event(unit: Unit[DraughtsState]) -> DraughtsEvent:
    numbers = [int(name) for name in unit.entrants]
    games = [(int(it.player), LETTERS[it.score], int(it.opponent)) for it in unit.games]
    first, last = unit.first_day or date.min, unit.last_day or date.min
    report = report_from_games(unit.name, numbers, games, (first, last), "")
    entrants = [
        replace(it, id=str(number), name=str(number))
        for it, number in zip(report.entrants, numbers, strict=True)
    ]
    return DraughtsEvent(f"{unit.number:03}", replace(report, entrants=tuple(entrants)))


def test_the_world_of_draughts_spans_three_ends_of_a_year() -> None:
    days = [unit.last_day for unit in made_world("rubele").units if unit.last_day]
    assert len({day.year for day in days}) == 4
    assert max(days) - min(days) > timedelta(days=1000)
