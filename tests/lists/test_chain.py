"""A chain of events: as if all were rated from the start, whatever came late, changed or went."""

import random
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest

from arpad.lists.chain import Chain, in_order, rate_again, rate_chain, states_on
from arpad.model.errors import BadInput
from arpad.rating.event_question import answer_event, read_question
from arpad.regulations.icu.state import IcuState
from arpad.regulations.rating_system import System
from arpad.regulations.systems import edition_of, rate_unit, system_named
from arpad.regulations.units import Entrant, Game, Unit

FIRST = date(2012, 6, 1)
PLAYERS = [f"p{number}" for number in range(30)]


@pytest.fixture(scope="module")
def icu() -> System[Any, Any]:
    return system_named("icu")


def event(chance: random.Random, number: int) -> Unit[Any]:
    """Return an event of some players, one of them a guest, over all four versions of the calculation."""
    names = chance.sample(PLAYERS, 8)
    day = FIRST + timedelta(days=7 * number)
    guest = Entrant(IcuState(chance.randint(1200, 2200), None), fixed=True)
    facts = {"born": date(1990, 1, 1), "joined": date(2001, 9, 1)}
    entrants: dict[str, Entrant[Any]] = {name: Entrant(None, facts=facts) for name in names}
    entrants["guest"] = guest
    pairs = [chance.sample([*names, "guest"], 2) for _ in range(20)]
    games = tuple(Game(a, b, Fraction(chance.randint(0, 2), 2)) for a, b in pairs)
    return Unit(
        entrants=entrants, games=games, first_day=day, last_day=day + timedelta(days=1), name=f"e{number}"
    )


@pytest.fixture(scope="module")
def units() -> list[Unit[Any]]:
    chance = random.Random(44)  # noqa: S311  made-up events
    return [event(chance, number) for number in range(80)]


def plain(units: list[Unit[Any]]) -> dict[str, Any]:
    """Return the states after all events, each a question of its own with the answers of the one before."""
    states: dict[str, dict[str, Any]] = {}
    for unit in sorted(units, key=lambda unit: unit.last_day or date.max):
        facts = {"born": "1990-01-01", "joined": "2001-09-01"}
        players: dict[str, Any] = {name: {**states.get(name, {}), **facts} for name in unit.entrants}
        guest = unit.entrants["guest"].state
        players["guest"] = {"rating": guest.rating, "fixed": True} if guest else {}
        games = [[game.player, game.opponent, game.score] for game in unit.games]
        question = {"start": unit.first_day, "end": unit.last_day, "players": players, "games": games}
        for name, player in answer_event(read_question("icu", question)).players.items():
            states[name] = {key: player.after[key] for key in ("rating", "games") if key in player.after}
    del states["guest"]
    return {name: state for name, state in states.items() if state}


def shown(chain: Chain[Any]) -> dict[str, Any]:
    return {name: {"rating": state.rating, "games": state.games} for name, state in chain.states.items()}


def test_a_chain_is_one_event_after_the_other(icu: System[Any, Any], units: list[Unit[Any]]) -> None:
    chain = rate_chain(icu, units[::-1], every=7)
    assert shown(chain) == plain(units)
    assert len(chain.states) == len(PLAYERS), "no guest among them"
    assert [len(chain.checkpoints), chain.rated] == [13, 80]


@pytest.mark.parametrize("number", [0, 1, 6, 7, 41, 79])
def test_a_late_event_is_rated_in_its_place_from_the_checkpoint_before(
    number: int, icu: System[Any, Any], units: list[Unit[Any]]
) -> None:
    late = units[number]
    without = [unit for unit in units if unit is not late]
    before = rate_chain(icu, without, every=7)
    after = rate_again(icu, units, before, icu.order(late), every=7)

    assert shown(after) == plain(units)
    assert after.rated <= 80 - number + 7
    assert after.findings == rate_chain(icu, units, every=7).findings
    assert shown(rate_again(icu, without, after, icu.order(late), every=7)) == shown(before), (
        "taken away again"
    )


def test_a_corrected_event_changes_what_follows(icu: System[Any, Any], units: list[Unit[Any]]) -> None:
    corrected = [
        replace(unit, games=tuple(replace(game, score=1 - game.score) for game in unit.games))
        if unit.name == "e60"
        else unit
        for unit in units
    ]
    place = icu.order(units[60])
    again = rate_again(icu, corrected, rate_chain(icu, units, every=7), place, every=7)
    assert shown(again) == plain(corrected) != plain(units)


def test_the_states_of_a_day_are_those_after_its_events(
    icu: System[Any, Any], units: list[Unit[Any]]
) -> None:
    chain = rate_chain(icu, units, every=7)
    for number in (0, 5, 40, 79):
        day = units[number].last_day
        assert day is not None
        states = states_on(icu, units, chain, day)
        assert states == rate_chain(icu, units[: number + 1]).states
    assert states_on(icu, units, chain, FIRST) == {}


def test_a_chain_goes_on_from_given_states(icu: System[Any, Any], units: list[Unit[Any]]) -> None:
    half = rate_chain(icu, units[:40])
    assert rate_chain(icu, units[40:], half.states).states == rate_chain(icu, units).states
    assert rate_chain(icu, [], half.states).states == half.states


def test_two_events_at_one_place_are_refused(icu: System[Any, Any], units: list[Unit[Any]]) -> None:
    with pytest.raises(BadInput, match="e3"):
        in_order(icu, [*units, units[3]])


def test_a_chain_with_a_hole_is_refused(icu: System[Any, Any], units: list[Unit[Any]]) -> None:
    chain = rate_chain(icu, units[:40], every=7)
    with pytest.raises(BadInput, match="40 events until 2 March 2013, and now has 39"):
        rate_again(icu, [*units[:10], *units[11:]], chain, every=7)
    again = rate_again(icu, units[1:], chain, icu.order(units[0]), every=7)
    assert again.states == rate_chain(icu, units[1:]).states


def test_a_checkpoint_is_kept_after_the_events_of_each_day(
    icu: System[Any, Any], units: list[Unit[Any]]
) -> None:
    days = [units[number].last_day or FIRST for number in (0, 30, 31, 79)]
    chain = rate_chain(icu, units, days=[FIRST, *days, days[-1].replace(year=2030)])
    assert [it.events for it in chain.checkpoints] == [0, 1, 31, 32, 80]
    for checkpoint in chain.checkpoints:
        assert checkpoint.states == rate_chain(icu, units[: checkpoint.events]).states


START: dict[str, dict[str, Any]] = {
    "icu": {"games": 30},
    "dwz": {"index": 12},
    "uschess": {"games": 40, "wins": 18, "draws": 4, "losses": 18, "events": 10, "peak": 1600},
}


@pytest.mark.parametrize("name", START)
def test_every_chained_system_is_rated_again_as_from_the_start(name: str) -> None:
    system, chance = system_named(name), random.Random(7)  # noqa: S311  made-up events
    start = {
        player: system.parse({"fixed": False, "rating": 1200 + 25 * number, **START[name]}, player).state
        for number, player in enumerate(PLAYERS[:20])
    }
    units = []
    for number in range(60):
        made = event(chance, number)
        entrants = {player: it for player, it in made.entrants.items() if player != "guest"}
        games = tuple(game for game in made.games if "guest" not in {game.player, game.opponent})
        day = date(2015, 1, 3) + timedelta(days=18 * number)
        units.append(replace(made, entrants=entrants, games=games, first_day=day, last_day=day))
    plain_states = dict(start)
    for unit in units:
        entrants = {
            player: replace(it, state=plain_states.get(player)) for player, it in unit.entrants.items()
        }
        rules = edition_of(system, unit).rules
        for player, rated in rate_unit(system, replace(unit, entrants=entrants), rules).players.items():
            if rated.after is not None:
                plain_states[player] = rated.after
    late = units.pop(33)
    before = rate_chain(system, units, start, every=5)
    after = rate_again(system, [*units, late], before, system.order(late), every=5)

    assert after.states == plain_states, "three years, one event after the other, with the derivation"
    assert after.rated <= 60 - 33 + 5
    assert before.states != after.states
