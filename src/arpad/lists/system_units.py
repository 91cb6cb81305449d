"""The units of a rating system as JSON and from reports, and the periods of a list."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, TypeVar

from arpad.model.canonical_json import dump, load
from arpad.model.errors import BadInput
from arpad.model.rules import Fact
from arpad.rating.event_question import played_games, read_games, read_name
from arpad.regulations.rating_system import System
from arpad.regulations.system_fields import (
    Field,
    list_of,
    read_day,
    read_fields,
    read_flag,
    read_whole,
    shown,
    written,
)
from arpad.regulations.units import Entrant, Unit
from arpad.reports.report import Report

S = TypeVar("S")
R = TypeVar("R")


def state_text(system: System[S, R], state: S) -> str:
    """Return a state as canonical JSON, exactly."""
    return dump(written(system.values(Entrant(state))))


def state_of(system: System[S, R], text: str, place: str = "state") -> S:
    """Return the state of a JSON text; refuse a text without one."""
    values = read_fields(system.fields, load(text), place)
    state = system.parse({"fixed": False, **values}, place).state
    if state is None:
        raise BadInput("value-missing", option=f"{place}.rating")
    return state


def unit_document(system: System[S, R], unit: Unit[S]) -> dict[str, Any]:
    """Return a unit as JSON, from which ``read_unit`` makes it again."""
    players = [
        [name, written(system.values(it) if it.fixed else it.facts)] for name, it in unit.entrants.items()
    ]
    games = [
        [game.player, game.opponent, written(game.score), *([game.round] if game.round else [])]
        for game in unit.games
    ]
    days = {"start": unit.first_day, "end": unit.last_day, "facts": unit.facts or None}
    return {"name": unit.name, "number": unit.number, **written(days), "players": players, "games": games}


def read_unit(system: System[S, R], data: Any, place: str = "") -> Unit[S]:
    """Return the unit of a JSON object."""
    values = read_fields(_fields(system), data, place)
    entrants = dict(values.get("players", ()))
    return Unit(
        entrants=entrants,
        games=read_games(values.get("games", []), entrants, f"{place}.games"),
        first_day=values.get("start"),
        last_day=values.get("end"),
        facts=values.get("facts", {}),
        name=values.get("name", ""),
        number=values.get("number", 0),
    )


def _fields(system: System[S, R]) -> tuple[Field, ...]:
    return (
        Field("name", lambda value, place: read_name(value, place) if value else ""),
        Field("number", lambda value, place: read_whole(value, place, 0, 10**9)),
        *(Field(name, read_day) for name in ("start", "end")),
        Field("games", lambda value, _place: value),
        list_of("players", partial(_read_entrant, system)),
        Field("facts", lambda value, place: read_fields(system.unit_facts, value, place)),
    )


def _read_entrant(system: System[S, R], item: Any, place: str) -> tuple[str, Entrant[S]]:
    """Return a player of a chain by name: a guest has a state, all others only facts."""
    if not isinstance(item, list) or len(item) != len(("name", "values")):
        raise BadInput("bad-form", option=place, value=shown(item), accepted="[PLAYER, {…}]")
    name = read_name(item[0], place)
    values = {"fixed": False, **read_fields((*system.fields, Field("fixed", read_flag)), item[1], place)}
    if values["fixed"]:
        return name, system.parse(values, place)
    del values["fixed"]
    return name, Entrant(None, facts=values)


def unit_of_report(
    report: Report,
    names: Mapping[int, str],
    entrants: Mapping[int, Entrant[S]],
    number: int = 0,
    facts: Mapping[str, Fact] | None = None,
) -> Unit[S]:
    """Return the unit of a report: who each start number is, and what is known of them."""
    people = {names[it.number]: entrants[it.number] for it in report.entrants}
    if len(people) < len(report.entrants):
        twice = [it for it in report.entrants if [*names.values()].count(names[it.number]) > 1]
        raise BadInput("state-twice", value=twice[0].name)
    games = [
        [names[int(player)], names[int(opponent)], score, played]
        for player, opponent, score, played in played_games(report)
    ]
    header = report.header
    return Unit(
        entrants=people,
        games=read_games(games, people, "games"),
        first_day=header.first_day,
        last_day=header.last_day,
        facts=facts or {},
        name=header.name,
        number=number,
    )


# ------------------------------------------------------------------------------------------------- periods


def periods_of(
    units: Iterable[Unit[S]], ends: Sequence[date], players: Iterable[str], facts: Mapping[str, Fact]
) -> list[Unit[S]]:
    """Return the periods that end on some days as units, each of all its events and everybody known by then."""
    inside: dict[date, list[Unit[S]]] = defaultdict(list)
    for unit in sorted(units, key=lambda unit: (unit.last_day or date.max, unit.name, unit.number)):
        last = unit.last_day
        end = next((end for end in sorted(ends) if last is not None and last <= end), None)
        if end is None:
            raise BadInput("unit-after-periods", name=unit.name, day=last or date.max)
        inside[end].append(unit)
    known: dict[str, Entrant[S]] = {name: Entrant(None) for name in players}
    periods = []
    for number, end in enumerate(sorted(set(ends)), start=1):
        entrants = dict(known)
        for unit in inside[end]:
            entrants.update(unit.entrants)
        games = tuple(
            replace(game, round=None, event=unit.number) for unit in inside[end] for game in unit.games
        )
        periods.append(
            Unit(entrants=entrants, games=games, first_day=end, last_day=end, facts=facts, number=number)
        )
        known.update((name, it) for name, it in entrants.items() if not it.fixed)
    return periods
