"""Three years of a federation under each system, list by list, against a plain program that knows nothing of chains.

Reports come late, are corrected, and name a player by a second number until somebody merges the two.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from math import floor
from typing import Any

import pytest

from arpad.lists.chain_checkpoints import KeptCheckpoint, keep_chain
from arpad.lists.system_list import chained_units, compute_system_list, rate_inputs
from arpad.model.people import Person
from arpad.regulations.units import Unit
from tests.builders.system_worlds import BEGINS, FACTS, World, made_world
from tests.regulations import glicko_plain, icu_plain
from tests.regulations.dwz import plain as dwz_plain
from tests.regulations.uschess import plain as uschess_plain

LISTS = range(1, 13)
DOUBLE, REAL, MERGED_ON = "40", "5", 8
"""The second number of a player, the first, and the list before which they are merged."""

States = dict[str, Any]


def end_of(name: str, number: int) -> date:
    return BEGINS[name] + timedelta(days=91 * number)


def reports(world: World, number: int) -> tuple[Unit[Any], ...]:
    """Return what the office has when it makes a list: some events late, some wrong, one player twice."""
    day, units = end_of(world.system.id, number), []
    for unit in world.units:
        assert unit.last_day
        if unit.last_day > day:
            continue
        fresh = unit.last_day > day - timedelta(days=91)
        if unit.number % 7 == 3 and fresh and number != LISTS[-1]:
            continue  # comes a list later
        known = unit
        if unit.number % 5 == 1 and fresh:
            first = unit.games[0]
            known = replace(unit, games=(replace(first, score=1 - first.score), *unit.games[1:]))
        if unit.number in {9, 16} and number < MERGED_ON:
            known = renamed(known, REAL, DOUBLE)
        units.append(known)
    return tuple(units)


def renamed(unit: Unit[Any], old: str, new: str) -> Unit[Any]:
    def name(given: str) -> str:
        return new if given == old else given

    games = [replace(it, player=name(it.player), opponent=name(it.opponent)) for it in unit.games]
    return replace(unit, games=tuple(games), entrants={name(key): it for key, it in unit.entrants.items()})


def games_of(units: Iterable[Unit[Any]]) -> list[tuple[str, str, float]]:
    return [(it.player, it.opponent, float(it.score)) for unit in units for it in unit.games]


def guest(unit: Unit[Any], name: str) -> Any:
    return unit.entrants[name].state if unit.entrants[name].fixed else None


# ------------------------------------------------------------------------------- the plain federations


def icu(world: World, units: list[Unit[Any]], _number: int) -> dict[int, str]:
    states: States = {str(number): json.loads(text) for number, text in world.start.items()}
    versions = (date(2012, 9, 18), date(2012, 12, 26), date(2013, 8, 31))
    for unit in units:
        assert unit.first_day
        assert unit.last_day
        players = {
            name: {"rating": guest(unit, name).rating, "fixed": True}
            if guest(unit, name)
            else {**FACTS["icu"], **states.get(name, {})}
            for name in unit.entrants
        }
        version = sum(unit.last_day >= day for day in versions)
        for name, (rating, games) in icu_plain.event(
            players, games_of([unit]), unit.first_day, version
        ).items():
            states[name] = {"rating": rating, "games": games}
    return {
        int(name): f"{max(700, it['rating'])}" + (f"/{it['games']}" if it["games"] < 20 else "")
        for name, it in states.items()
    }


def dwz(world: World, units: list[Unit[Any]], _number: int) -> dict[int, str]:
    states: States = {str(number): json.loads(text) for number, text in world.start.items()}
    for unit in units:
        assert unit.last_day
        day, edition = unit.last_day, 2016 if unit.last_day >= date(2016, 8, 1) else 2014
        players: dict[str, dict[str, Any]] = {}
        for name in unit.entrants:
            state = states.get(name, {"rest": []})
            fresh = [it for it in state.get("rest", ()) if it[2].replace(year=it[2].year + 2) >= day]
            players[name] = {**state, "rest": fresh, **FACTS["dwz"]}
            if guest(unit, name):
                players[name] = {"rating": guest(unit, name).rating, "fixed": True, "index": 9}
        after = dwz_plain.event(players, games_of([unit]), day.year, edition)
        played = {name for game in games_of([unit]) for name in game[:2]}
        for name, rated in after.items():
            if guest(unit, name) or name not in played:
                continue
            if isinstance(rated, list):
                states[name] = {"rest": [(rating, score, old or day) for rating, score, old in rated]}
            else:
                counted = rated != players[name].get("rating") or counts(name, unit, after)
                states[name] = {"rating": rated, "index": players[name].get("index", 0) + counted}
    return {int(name): f"{it['rating']}-{it['index']}" for name, it in states.items() if "rating" in it}


def counts(name: str, unit: Unit[Any], after: dict[str, Any]) -> bool:
    """Return whether a player has a game against somebody with a rating."""
    games = [game[:2] for game in games_of([unit]) if name in game[:2]]
    return any(isinstance(after.get(other), int) for pair in games for other in pair if other != name)


def uschess(world: World, units: list[Unit[Any]], _number: int) -> dict[int, str]:
    states: States = {str(number): json.loads(text) for number, text in world.start.items()}
    newcomer = {"born": FACTS["uschess"]["born"].isoformat()}
    for unit in units:
        assert unit.last_day
        players = {
            name: {"rating": float(guest(unit, name).rating), "games": 1, "fixed": True}
            if guest(unit, name)
            else {**newcomer, **states.get(name, {})}
            for name in unit.entrants
        }
        games, b = games_of([unit]), 12 if unit.last_day >= date(2023, 2, 1) else 14
        for name, (rating, count) in uschess_plain.section(
            players, games, unit.last_day, b=b, dual=False
        ).items():
            own = [s if name == a else 1 - s for a, c, s in games if name in (a, c)]
            before = players[name]
            state = {"rating": rating, "games": count, "events": before.get("events", 0) + (len(own) >= 3)}
            for part, score in (("wins", 1), ("draws", 0.5), ("losses", 0)):
                state[part] = before.get(part, 0) + own.count(score)
            peak = before.get("peak", 0)
            states[name] = {**state, "peak": max(peak, floor(rating + 0.5)) if count > 25 else peak}
    return {
        int(name): f"{floor(float(it['rating']) + 0.5)}" + (f"/{it['games']}" if it["games"] <= 25 else "")
        for name, it in states.items()
    }


def glicko2(world: World, units: list[Unit[Any]], number: int) -> dict[int, str]:
    read = {name: json.loads(text) for name, text in world.start.items()}
    states = {
        str(name): (float(it["rating"]), float(Fraction(it["rd"])), float(Fraction(it["volatility"])))
        for name, it in read.items()
    }
    for period in range(1, number + 1):
        first, last = end_of("glicko2", period - 1), end_of("glicko2", period)
        inside = [
            unit
            for unit in units
            if unit.last_day and unit.last_day <= last and (unit.last_day > first or period == 1)
        ]
        guests = {
            name: (float(state.rating), float(state.rd), 0.06)
            for unit in inside
            for name in unit.entrants
            if (state := guest(unit, name))
        }
        after = glicko_plain.period({**states, **guests}, games_of(inside))
        states = {name: it for name, it in after.items() if name not in guests}
    return {int(name): f"{floor(r + 0.5)} ± {floor(rd + 0.5)}" for name, (r, rd, _) in states.items()}


PLAIN: dict[str, Callable[[World, list[Unit[Any]], int], dict[int, str]]] = {
    "icu": icu, "dwz": dwz, "uschess": uschess, "glicko2": glicko2,
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_every_list_of_three_years_is_that_of_a_plain_program(name: str) -> None:
    world, kept = made_world(name), list[KeptCheckpoint]()
    people = {**world.people, 40: Person(40, "Player 5 again")}
    changed_again = 0
    for number in LISTS:
        inputs = world.inputs(
            end_of(name, number),
            number=number,
            units=reports(world, number),
            people=people,
            periods=tuple(end_of(name, it) for it in range(1, number + 1)) if name == "glicko2" else (),
        )
        result = compute_system_list(inputs, rate_inputs(inputs, kept, every=4))
        changed_again += result.chain.rated < len(chained_units(inputs))
        ordered = sorted(inputs.units, key=lambda unit: unit.last_day or date.max)
        assert {row.player: row.printed for row in result.published.rows} == PLAIN[name](
            world, ordered, number
        ), number
        kept = [*keep_chain(inputs.begun, result.chain)]
    listed = {row.player for row in result.published.rows}
    assert 40 not in listed
    assert listed == set(range(1, 31)), "newcomers too"
    assert changed_again >= 6, "not everything is rated again"
