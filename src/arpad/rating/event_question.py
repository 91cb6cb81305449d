"""An event or periods of any system as JSON: the question of ``arpad calc event``, and its answer.

Every refusal names its place. A report can be the question too, with the states of its players from a CSV file.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.exact import HALF
from arpad.model.rules import Finding
from arpad.regulations import OF_OWN_LISTS
from arpad.regulations.outcomes import Derivation, Line, PlayerOutcome
from arpad.regulations.rating_system import Driver, System, SystemEdition
from arpad.regulations.system_fields import (
    Field,
    read_any_number,
    read_day,
    read_fields,
    read_flag,
    read_whole,
    shown,
)
from arpad.regulations.systems import edition_named, edition_of, rate_unit, system_named
from arpad.regulations.units import Entrant, Game, Number, Unit
from arpad.reports.report import PLAYED, Report
from arpad.reports.report import Entrant as ReportEntrant
from arpad.system.spreadsheet_cells import restore

_SCORES = (Fraction(0), HALF, Fraction(1))
_GAME_FORM = "[PLAYER, OPPONENT, SCORE], [PLAYER, OPPONENT, SCORE, ROUND]"
_LONGEST_NAME, _LAST_ROUND = 200, 999
_EARLIER = {"born", "rest", "matches"}
"""The fields of a state whose days lie before the event."""

_PARTS = ("players", "games", "periods", "facts")
"""What is read after the other fields, since it depends on the system."""


@dataclass(frozen=True, slots=True)
class EventQuestion:
    """An event, or several periods one after the other, under an edition of a system."""

    system: System[Any, Any]
    edition: SystemEdition[Any]
    units: tuple[Unit[Any], ...]
    """One, or each period; all with the entrants as they are before the first."""

    @property
    def size(self) -> int:
        """How much there is to compute: the players of every unit, and the games."""
        return sum(len(unit.entrants) + len(unit.games) for unit in self.units)


def read_file(path: Path) -> Any:
    """Return the value of a JSON file; refuse one that cannot be read."""
    try:
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput("cannot-read", path=str(path), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadInput("not-json", line=1, column=1) from error


def parse_json(text: str) -> Any:
    """Return the value of a JSON text, with exact decimals; refuse another text and a name given twice."""
    try:
        return json.loads(
            text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_object_of_pairs
        )
    except json.JSONDecodeError as error:
        raise BadInput("not-json", line=error.lineno, column=error.colno) from error
    except (RecursionError, ValueError) as error:  # nested without end, or a number of thousands of digits
        raise BadInput("not-json", line=1, column=1) from error


def _no_constant(name: str) -> Any:
    raise BadInput("not-a-real-number", option="JSON", value=name)


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise BadInput("field-twice", value=shown(name))
        values[name] = value
    return values


def read_question(system_name: str, data: Any) -> EventQuestion:
    """Return the question that a JSON object asks of a system."""
    system = system_named(system_name)
    values = read_fields(_fields(), data, "")
    first_day, last_day = values.get("start"), values.get("end")
    if first_day and last_day and last_day < first_day:
        raise BadInput("period-backwards", first=first_day, last=last_day)
    entrants = _entrants(system, values.get("players"))
    if day := last_day or first_day:
        for name, entrant in entrants.items():
            _refuse_later(system.values(entrant), day, f"players.{name}")
    facts = read_fields(system.unit_facts, values.get("facts", {}), "facts")
    units = tuple(
        Unit(entrants=entrants, games=games, first_day=first_day, last_day=last_day, facts=facts)
        for games in _game_groups(system, values, entrants)
    )
    edition = (
        edition_named(system, values["edition"]) if "edition" in values else edition_of(system, units[0])
    )
    return EventQuestion(system, edition, units)


def _fields() -> tuple[Field, ...]:
    parts = (Field(name, lambda value, _place: value) for name in _PARTS)
    return Field("edition", read_name), Field("start", read_day), Field("end", read_day), *parts


def _entrants(system: System[Any, Any], data: Any) -> dict[str, Entrant[Any]]:
    if data is None:
        raise BadInput("value-missing", option="players")
    if not isinstance(data, Mapping):
        raise BadInput("not-an-object", option="players", value=shown(data))
    if not data:
        raise BadInput("value-missing", option="players")
    return {
        read_name(name, "players"): read_entrant(system, values, f"players.{name}")
        for name, values in data.items()
    }


def read_entrant(system: System[Any, Any], data: Any, place: str) -> Entrant[Any]:
    """Return the entrant of a JSON object; refuse a state that cannot be."""
    values = read_fields((*system.fields, Field("fixed", read_flag)), data, place)
    return system.parse({"fixed": False, **values}, place)


def _refuse_later(values: Mapping[str, Any], last: date, place: str) -> None:
    """Refuse a birth, or earlier games, after the last day of the event."""
    for name in _EARLIER & values.keys():
        value = values[name]
        days = [part for item in value for part in item] if _is_list(value) else [value]
        for day in days:
            is_year = name == "born" and isinstance(day, int)
            if day > last.year if is_year else isinstance(day, date) and day > last:
                raise BadInput("day-after-event", option=f"{place}.{name}", value=day, last=last)


def _game_groups(
    system: System[Any, Any], values: Mapping[str, Any], entrants: Mapping[str, Entrant[Any]]
) -> list[tuple[Game, ...]]:
    if "periods" not in values:
        return [read_games(values.get("games", []), entrants, "games")]
    if "games" in values or system.driver is not Driver.PERIOD:
        raise BadInput("no-periods", system=system.id)
    periods = values["periods"]
    if not _is_list(periods) or not periods:
        raise BadInput("not-a-list", option="periods", value=shown(periods))
    return [read_games(games, entrants, f"periods.{number}") for number, games in enumerate(periods, start=1)]


def read_games(data: Any, entrants: Mapping[str, Entrant[Any]], place: str) -> tuple[Game, ...]:
    """Return the games of a list; refuse what cannot be, and two games of a player in a round."""
    if not _is_list(data):
        raise BadInput("not-a-list", option=place, value=shown(data))
    games = tuple(_game(item, entrants, f"{place}.{number}") for number, item in enumerate(data, start=1))
    rounds: set[tuple[str, int]] = set()
    for number, game in enumerate(games, start=1):
        for player in (game.player, game.opponent):
            if game.round is None:
                continue
            if (player, game.round) in rounds:
                raise BadInput(
                    "two-games-in-round", option=f"{place}.{number}", name=player, round=game.round
                )
            rounds.add((player, game.round))
    return games


def _game(data: Any, entrants: Mapping[str, Entrant[Any]], place: str) -> Game:
    if not _is_list(data) or len(data) not in (3, 4):
        raise BadInput("bad-form", option=place, value=shown(data), accepted=_GAME_FORM)
    given, round_given = read_any_number(data[2]), next(iter(data[3:]), None)
    player, opponent = (read_name(name, place) for name in data[:2])
    for name in (player, opponent):
        if name not in entrants:
            raise BadInput("player-not-entered", option=place, name=shown(name))
    if player == opponent:
        raise BadInput("game-with-oneself", option=place, name=shown(player))
    if given not in _SCORES:
        raise BadInput("bad-score", option=place, value=shown(data[2]), accepted="0, 0.5, 1")
    number = None if round_given is None else read_whole(round_given, place, 1, _LAST_ROUND)
    return Game(player, opponent, given, number)


def _is_list(data: Any) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str | bytes)


def read_name(value: Any, place: str) -> str:
    """Return a name: a text, or a number, which JSON cannot have as the name of a field."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not text.strip():
        raise BadInput("bad-name", option=place, value=shown(value))
    if len(text) > _LONGEST_NAME:
        raise BadInput("text-too-long", option=place, most=_LONGEST_NAME)
    if not text.isprintable():
        raise BadInput("text-not-printable", option=place)
    return text


@dataclass(frozen=True, slots=True)
class RatedEntrant:
    """A player before and after the event, with what lies between."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    """The values of the entrant, from which the next event can begin."""

    line: Line | None
    change: Number | None
    outcome: PlayerOutcome[Any]


@dataclass(frozen=True, slots=True)
class EventAnswer:
    """The players of an event after it."""

    system: str
    edition: SystemEdition[Any]
    players: Mapping[str, RatedEntrant]
    findings: tuple[Finding, ...]


def answer_event(question: EventQuestion) -> EventAnswer:
    """Rate the units of a question one after the other, each from the states after the one before."""
    system, edition = question.system, question.edition
    first = question.units[0].entrants
    entrants, findings = dict(first), list[Finding]()
    outcomes: dict[str, list[PlayerOutcome[Any]]] = {name: [] for name in first}
    for unit in question.units:
        outcome = rate_unit(system, replace(unit, entrants=dict(entrants)), edition.rules)
        findings += outcome.findings
        for name, player in outcome.players.items():
            entrants[name] = replace(entrants[name], state=player.after)
            outcomes[name].append(player)
    players = {
        name: _rated_entrant(question, first[name], entrants[name], _joined(of_units))
        for name, of_units in outcomes.items()
    }
    doubts = (
        it for name, player in players.items() if player.line for it in player.line.findings_about(name)
    )
    return EventAnswer(system.id, edition, players, (*findings, *doubts))


def _joined(outcomes: Sequence[PlayerOutcome[Any]]) -> PlayerOutcome[Any]:
    """Return what several units did to a player: the figures of the last one, and all passes with their number."""
    if len(outcomes) == 1:
        return outcomes[0]

    def derive() -> Derivation:
        passes = (replace(it, number=n) for n, of in enumerate(outcomes, start=1) for it in of.passes)
        return outcomes[-1].figures, passes

    return PlayerOutcome(before=outcomes[0].before, after=outcomes[-1].after, derive=derive)


def _rated_entrant(
    question: EventQuestion, before: Entrant[Any], after: Entrant[Any], outcome: PlayerOutcome[Any]
) -> RatedEntrant:
    system, rules = question.system, question.edition.rules
    last_day = question.units[-1].last_day
    line = None if after.state is None else system.line(after.state, rules, last_day)
    ratings = [None if state is None else system.rating_of(state) for state in (before.state, after.state)]
    change = None if ratings[0] is None or ratings[1] is None else ratings[1] - ratings[0]
    return RatedEntrant(system.values(before), system.values(after), line, change, outcome)


_WIN_POINTS = {"1": 1, "=": "1/2", "0": 0}
_YES = ("true", "1", "yes")
_LONGEST_LIST = 10**8
"""Bytes of a list: a million players have about a tenth of it."""


def read_states(path: Path, system: System[Any, Any]) -> dict[str, dict[str, Any]]:
    """Return the states of a CSV file by ``id``, whose columns have the names of the system's fields.

    Refuse a list with more columns of another system.
    """
    rows = read_rows(path)
    columns = set(next(iter(rows.values()), {}))
    known = {field.name for field in system.fields} | {"fixed"}
    for name in OF_OWN_LISTS:
        if columns & known < columns & {field.name for field in system_named(name).fields}:
            raise BadInput("list-of-another-system", system=name)
    return {
        identifier: {name: _typed(name, text) for name, text in row.items() if name in known and text}
        for identifier, row in rows.items()
    }


def read_rows(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a CSV file by ``id``."""
    try:
        if path.stat().st_size > _LONGEST_LIST:
            raise BadInput("text-too-long", option=str(path), most=_LONGEST_LIST)
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise BadInput("cannot-read", path=str(path), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadInput("states-without-id") from error
    reader = csv.DictReader(lines, delimiter=";" if lines and ";" in lines[0] else ",")
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:  # a field without end
        raise BadInput("text-too-long", option=str(path), most=csv.field_size_limit()) from error
    if "id" not in (reader.fieldnames or ()):
        raise BadInput("states-without-id")
    found: dict[str, dict[str, str]] = {}
    for line, row in rows:
        identifier = (row["id"] or "").strip()
        if not identifier:
            continue
        if identifier in found:
            raise BadInput("state-twice", value=shown(identifier), line=line)
        found[identifier] = {
            name: restore(text.strip()) for name, text in row.items() if isinstance(text, str)
        }
    return found


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
        str(entrant.number): {**known_facts(entrant, system.fields), **states.get(entrant.id, {})}
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


def known_facts(entrant: ReportEntrant, fields: tuple[Field, ...]) -> dict[str, Any]:
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
