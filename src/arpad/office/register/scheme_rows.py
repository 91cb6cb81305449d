"""Number schemes that the office declared, the scheme of each source, and numbers of unknown scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, select

from arpad.model.disciplines import DISCIPLINES
from arpad.model.errors import BadInput, Missing
from arpad.model.people import Birth, Person
from arpad.office.register.merge_rows import hidden
from arpad.office.register.rows import load_people
from arpad.office.register.tables import number_schemes, source_schemes, unknown_numbers
from arpad.reports.number_schemes import BUILT_IN, ON_PLAYER, NumberScheme, SourceRule
from arpad.store.bulk import add_numbered, add_rows, read_once, rows_with

_ALL_SCHEMES = select(number_schemes).order_by(number_schemes.c.id)
_ALL_SOURCES = select(source_schemes).order_by(source_schemes.c.id)


def declared_schemes(connection: Connection, as_of_act: int | None = None) -> dict[str, NumberScheme]:
    """Return the declared schemes by code, now or at an act."""
    latest: dict[str, NumberScheme] = {}
    for row in read_once(connection, _ALL_SCHEMES):
        if as_of_act is not None and row.act > as_of_act:
            continue
        latest.pop(row.code, None)
        if row.name:
            latest[row.code] = NumberScheme(row.code, row.name, row.pattern, frozenset(row.shown.split()))
    return latest


def hidden_schemes(connection: Connection, shown_on: str, as_of_act: int | None = None) -> frozenset[str]:
    """Return the declared schemes whose numbers a page or list does not show, now or at an act."""
    declared = declared_schemes(connection, as_of_act).values()
    return frozenset(scheme.code for scheme in declared if shown_on not in scheme.shown)


def shown_person(person: Person, hidden: frozenset[str]) -> Person:
    """Return a person without the numbers of some schemes."""
    if not hidden:
        return person
    return replace(person, identifiers=tuple(pair for pair in person.identifiers if pair[0] not in hidden))


def public_player(connection: Connection, number: int) -> Person:
    """Return a player as everybody may see them; one who is unknown or hidden is missing."""
    player = load_people(connection, [number]).get(number)
    if player is None or number in hidden(connection):
        raise Missing("no-player")
    return shown_person(player, hidden_schemes(connection, ON_PLAYER))


def add_scheme(connection: Connection, scheme: NumberScheme, act: int) -> None:
    """Add a declaration; one without a name withdraws the scheme."""
    shown = " ".join(sorted(scheme.shown))
    add_numbered(connection, number_schemes, {**scheme._asdict(), "shown": shown, "act": act})


def source_rules(connection: Connection) -> tuple[SourceRule, ...]:
    """Return the rules in force: which scheme the numbers of a source are of."""
    latest: dict[tuple[str, str], SourceRule] = {}
    for row in read_once(connection, _ALL_SOURCES):
        latest.pop((row.kind, row.value), None)
        if row.scheme:
            latest[row.kind, row.value] = SourceRule(row.kind, row.value, row.scheme)
    return tuple(latest.values())


def add_source_rule(connection: Connection, rule: SourceRule, act: int) -> None:
    """Add a rule; one without a scheme withdraws the rule of its source."""
    add_numbered(connection, source_schemes, {**rule._asdict(), "act": act})


class UnknownNumber(NamedTuple):
    """A number of unknown scheme with which a report named a player."""

    player: int
    value: str
    report: int


def unknown_numbers_of(connection: Connection, players: Iterable[int]) -> list[UnknownNumber]:
    """Return the numbers of unknown scheme of some players."""
    rows = rows_with(connection, _UNKNOWN_NUMBERS, unknown_numbers.c.player, sorted({*players}))
    return [UnknownNumber(*row) for row in rows]


_UNKNOWN_NUMBERS = select(
    unknown_numbers.c.player, unknown_numbers.c.value, unknown_numbers.c.report
).order_by(unknown_numbers.c.player, unknown_numbers.c.value)


def players_with_unknown_number(connection: Connection, value: str) -> list[int]:
    """Return the players whom reports named with a number of unknown scheme."""
    query = select(unknown_numbers.c.player).where(unknown_numbers.c.value == value)
    return sorted(connection.execute(query).scalars())


def add_unknown_numbers(connection: Connection, rows: Sequence[tuple[int, str, int, int]]) -> None:
    """Add numbers of unknown scheme: player, number, report, act; those on record already are left out."""
    known = {(item.player, item.value) for item in unknown_numbers_of(connection, [row[0] for row in rows])}
    new = {(player, value): (player, value, report, act) for player, value, report, act in reversed(rows)}
    added = [row for pair, row in sorted(new.items()) if pair not in known]
    add_rows(connection, unknown_numbers, ("player", "value", "report", "act"), added)


def add_first_rows(connection: Connection, given: Mapping[str, Any]) -> dict[str, str]:
    """Add the rules for numbers with which a new office begins; return the details for its act."""
    details = {}
    for rule in [_number_rule(scheme) for scheme in given["numbers"]]:
        add_source_rule(connection, rule, 1)
        details[f"numbers-{rule.value}"] = rule.scheme
    return details


def _number_rule(scheme: str) -> SourceRule:
    """Return the rule that all numbers in reports of a discipline are of a scheme that every office knows."""
    for discipline in DISCIPLINES:
        if scheme in discipline.schemes:
            return SourceRule("discipline", discipline.name, scheme)
    raise BadInput("identifier-scheme", scheme=scheme[:20], accepted=", ".join(BUILT_IN))


if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[int], None]
"""Called with the number of rows read so far."""


@dataclass(frozen=True, slots=True)
class ImportedRows:
    """The rows of a list as they were read into the register."""

    table: pl.DataFrame
    edition: str
    rows: int
    newcomers: int
    changed: int
    undated: int = 0
    """Draughts: players without a known last event."""

    no_federations: tuple[str, ...] = ()
    """The codes in the column of federations that are no federations' and were left out."""

    month: date | None = None
    """The first day of the month that the header of a chess list names, if it names one."""

    read: pl.DataFrame | None = None
    """The rows of a chess list as they stand in the file."""

    added: Sequence[pl.DataFrame] = ()
    """The rows that were added to the register, if they are columns."""

    columns: tuple[str, ...] = ()
    """The own columns of a rating system's list."""


def is_new_birth(listed: Birth, known: Birth) -> bool:
    """Return whether a listed birth is news: different, and not only the year of a known day."""
    return listed != known and not (isinstance(known, date) and listed == known.year)
