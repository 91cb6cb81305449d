"""The numbers of players: which one is used instead of a merged one, whose are not shown, and the schemes of others.

The office declares schemes of numbers, says of which scheme the numbers of a source are, and keeps numbers of unknown
scheme with which reports named players.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, bindparam, delete, exists, func, insert, select

from arpad.model.disciplines import DISCIPLINES
from arpad.model.errors import BadInput, Missing
from arpad.model.people import Birth, Person
from arpad.office.register.rows import load_people
from arpad.office.register.tables import (
    hidden_players,
    merges,
    number_schemes,
    source_schemes,
    unknown_numbers,
    unmerges,
)
from arpad.reports.number_schemes import BUILT_IN, ON_PLAYER, NumberScheme, SourceRule
from arpad.store.bulk import (
    add_numbered,
    add_rows,
    cached_until_act,
    fetch_rows,
    last_act,
    read_once,
    rows_with,
)
from arpad.store.schema import ledger

if TYPE_CHECKING:
    import polars as pl


_ALL_MERGES = (
    select(merges.c.id, merges.c.kept, merges.c.dropped, merges.c.act, unmerges.c.act.label("undone"))
    .join_from(merges, unmerges, unmerges.c.merge == merges.c.id, isouter=True)
    .order_by(merges.c.id)
)
_ACTIVE = ~exists().where(unmerges.c.merge == merges.c.id)
ACTIVE_MERGES = select(merges.c.dropped, merges.c.kept).where(_ACTIVE).order_by(merges.c.id)


def active_merge(connection: Connection, number: int) -> tuple[int, int] | None:
    """Return the kept and the dropped number of a merge that was not undone."""
    query = select(merges.c.kept, merges.c.dropped).where(merges.c.id == number, _ACTIVE)
    row = connection.execute(query).first()
    return (row.kept, row.dropped) if row else None


def merges_into(connection: Connection, target: int) -> dict[int, int]:
    """Return the active merges into a player: number of the merge → dropped number."""
    rows = read_once(connection, _ALL_MERGES)
    return {row.id: row.dropped for row in rows if row.kept == target and row.undone is None}


def last_merge_act(connection: Connection) -> int:
    """Return the act of the last merge or unmerge, or 0."""
    return last_act(connection, merges, unmerges)


def merge_targets(connection: Connection, as_of_act: int | None = None) -> dict[int, int]:
    """Return all merged numbers, each with the number used instead, now or at an act."""
    direct: dict[int, int] = {}
    for row in read_once(connection, _ALL_MERGES):
        later = as_of_act is not None and row.act > as_of_act
        undone = row.undone is not None and (as_of_act is None or row.undone <= as_of_act)
        if not later and not undone:
            direct[row.dropped] = row.kept
    return {dropped: merge_target(dropped, direct) for dropped in direct}


def merge_targets_of(connection: Connection, players: Iterable[int]) -> dict[int, int]:
    """Return those of some numbers that are merged, each with the number used instead."""
    direct: dict[int, int] = {}
    requested = numbers = set(players)
    while numbers:
        rows = rows_with(connection, ACTIVE_MERGES, merges.c.dropped, numbers)
        step = {dropped: target for dropped, target in rows if dropped not in direct}
        direct |= step
        numbers = set(step.values())
    return {player: merge_target(player, direct) for player in direct if player in requested}


def merge_target(player: int, direct: Mapping[int, int]) -> int:
    """Follow the merges of a player to the end; a circle (only in a damaged table) ends at its first player."""
    passed: set[int] = set()
    while player in direct and player not in passed:
        passed.add(player)
        player = direct[player]
    return player


def merged_in_a_circle(connection: Connection) -> list[int]:
    """Return the players who are merged into each other, or into themselves."""
    direct = dict(fetch_rows(connection, ACTIVE_MERGES))
    return [player for player in direct if merge_target(player, direct) == player]


_VERBS = ("hide-player", "show-player", "erase", "merge", "unmerge")


@cached_until_act
def hidden(connection: Connection) -> frozenset[int]:
    """Return all numbers of all players who asked not to be shown."""
    on_request = set(connection.execute(select(hidden_players.c.player)).scalars())
    return frozenset(all_numbers(connection, on_request) if on_request else ())


def set_hidden(connection: Connection, players: Collection[int], *, hidden: bool) -> None:
    """Hide players, or show them again."""
    connection.execute(delete(hidden_players).where(hidden_players.c.player.in_(players)))
    if hidden:
        connection.execute(insert(hidden_players), [{"player": player} for player in sorted(players)])


def all_numbers(connection: Connection, players: set[int]) -> set[int]:
    """Return all numbers of some players, also those that were merged into theirs."""
    targets = merge_targets(connection)
    return with_merged({targets.get(player, player) for player in players}, targets)


def with_merged(players: Collection[int], targets: Mapping[int, int]) -> set[int]:
    """Return some players with the numbers that were merged into theirs."""
    return {*players, *(dropped for dropped, target in targets.items() if target in players)}


def hidden_version(connection: Connection) -> str:
    """Return a text that differs between sets of hidden players and does not reveal who they are."""
    known = _counted.get(connection.engine)
    if known is None or connection.execute(_SEAL, {"seq": known.seq}).scalar() != known.seal:
        known = _CountedActs(0, "", 0, 0)
    for seq, seal, counted, last in fetch_rows(connection, _LATER_ACTS, {"seq": known.seq}):
        known = _CountedActs(seq, seal, known.counted + counted, last or known.last)
    _counted[connection.engine] = known
    return f"{known.counted}-{known.last}"


class _CountedActs(NamedTuple):
    """The acts up to one of them that may change who is hidden."""

    seq: int
    seal: str
    counted: int
    last: int


_counted: WeakKeyDictionary[Engine, _CountedActs] = WeakKeyDictionary()
"""The acts that the last transaction of each office counted: the next one reads only later ones."""

_SEAL = select(ledger.c.digest).where(ledger.c.seq == bindparam("seq"))
_LATER = (
    select(
        func.max(ledger.c.seq).label("seq"),
        func.count().filter(ledger.c.verb.in_(_VERBS)).label("counted"),
        func.max(ledger.c.seq).filter(ledger.c.verb.in_(_VERBS)).label("last"),
    )
    .where(ledger.c.seq > bindparam("seq"))
    .subquery()
)
_LATER_ACTS = select(_LATER.c.seq, ledger.c.digest, _LATER.c.counted, _LATER.c.last).join(
    ledger, ledger.c.seq == _LATER.c.seq
)


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


def source_rules(connection: Connection) -> tuple[SourceRule, ...]:
    """Return the rules in force: which scheme the numbers of a source are of."""
    latest: dict[tuple[str, str], SourceRule] = {}
    for row in read_once(connection, _ALL_SOURCES):
        latest.pop((row.kind, row.value), None)
        if row.scheme:
            latest[row.kind, row.value] = SourceRule(row.kind, row.value, row.scheme)
    return tuple(latest.values())


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
        add_numbered(connection, source_schemes, {**rule._asdict(), "act": 1})
        details[f"numbers-{rule.value}"] = rule.scheme
    return details


def _number_rule(scheme: str) -> SourceRule:
    """Return the rule that all numbers in reports of a discipline are of a scheme that every office knows."""
    for discipline in DISCIPLINES:
        if scheme in discipline.schemes:
            return SourceRule("discipline", discipline.name, scheme)
    raise BadInput("identifier-scheme", scheme=scheme[:20], accepted=", ".join(BUILT_IN))


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
