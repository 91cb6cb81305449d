"""A report as a question to a rating system, with the states of its players from a CSV file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arpad.model.errors import BadInput
from arpad.regulations.rating_system import System
from arpad.regulations.system_fields import Field, shown
from arpad.reports.report import PLAYED, Entrant, Report

_WIN_POINTS = {"1": 1, "=": "1/2", "0": 0}
_YES = ("true", "1", "yes")
_LONGEST_LIST = 10**8
"""Bytes of a list: a million players have about a tenth of it."""


def read_states(path: Path, system: System[Any, Any]) -> dict[str, dict[str, Any]]:
    """Return the states of a CSV file by ``id``: its columns have the names of the system's fields."""
    try:
        if path.stat().st_size > _LONGEST_LIST:
            raise BadInput("text-too-long", option=str(path), most=_LONGEST_LIST)
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise BadInput("cannot-read", path=str(path), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadInput("states-without-id") from error
    rows = csv.DictReader(lines, delimiter=";" if lines and ";" in lines[0] else ",")
    if "id" not in (rows.fieldnames or ()):
        raise BadInput("states-without-id")
    known = {field.name for field in system.fields} | {"fixed"}
    states: dict[str, dict[str, Any]] = {}
    for row in rows:
        identifier = (row["id"] or "").strip()
        if not identifier:
            continue
        if identifier in states:
            raise BadInput("state-twice", value=shown(identifier), line=rows.line_num)
        states[identifier] = {
            name: _typed(name, text.strip())
            for name, text in row.items()
            if name in known and isinstance(text, str) and text.strip()
        }
    return states


def _typed(name: str, text: str) -> Any:
    if name in {"fixed", "member", "entered", "adult"}:
        return text.lower() in _YES
    if text.startswith("["):  # games of a newcomer, as in the JSON
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            return text
    return text


def question_of(
    system: System[Any, Any], report: Report, states: Mapping[str, dict[str, Any]], edition: str | None
) -> dict[str, Any]:
    """Return the question of a report: players by start number; who has no state is a newcomer."""
    days = {"start": report.header.first_day, "end": report.header.last_day}
    players = {
        str(entrant.number): {**_facts(entrant, system.fields), **states.get(entrant.id, {})}
        for entrant in report.entrants
    }
    if len(players) < len(report.entrants):
        numbers = [entrant.number for entrant in report.entrants]
        raise BadInput("state-twice", value=next(it for it in numbers if numbers.count(it) > 1))
    return {
        **({"edition": edition} if edition else {}),
        **{name: day for name, day in days.items() if day is not None},
        "players": players,
        "games": list(played_games(report)),
    }


def _facts(entrant: Entrant, fields: tuple[Field, ...]) -> dict[str, Any]:
    """Return the birth of an entrant if the system asks for it and the report has enough of it."""
    born = next((field for field in fields if field.name == "born"), None)
    if born is None or entrant.born is None:
        return {}
    try:
        return {"born": born.read(entrant.born, "born")}
    except BadInput:  # the year alone, and the system needs the day
        return {}


def played_games(report: Report) -> Iterator[list[Any]]:
    """Yield every game that was played, once; refuse two sides that contradict each other."""
    for number, column in report.numbered_rounds():
        for place, entrant in enumerate(report.entrants):
            result, opponent = column.results[place], report.places.get(column.opponents[place])
            if opponent is None or result not in PLAYED:
                continue
            if not column.confirms(opponent, entrant.number, result):
                raise BadInput("results-contradict", name=entrant.name, round=number)
            if place < opponent:
                yield [str(entrant.number), str(column.opponents[place]), _WIN_POINTS[result], number]
