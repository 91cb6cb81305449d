"""Read and replace all rows that identify a player, for an erasure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, delete, or_, select, update

from arpad.office.register.rows import CLUB
from arpad.office.register.tables import (
    identifier_changes,
    identifiers,
    name_keys,
    player_facts,
    players,
    unknown_numbers,
)
from arpad.office.reports.rows import entrants_of, reports_with
from arpad.office.reports.tables import entrant_decisions, entrants, reports
from arpad.store.bulk import fetch_rows
from arpad.store.declared_tables import CHAIN, META, erasable_tables, whole_schema
from arpad.store.schema import act_rows
from arpad.store.triggers import allow_changes
from arpad.store.written_rows import ActRecord, collected_rows, pack, unpack


@contextmanager
def erasing(connection: Connection) -> Iterator[None]:
    """Allow changes of rows that are otherwise append-only; SQLite overwrites what is deleted."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    with allow_changes(connection, sorted(erasable_tables() | CHAIN)):
        yield


# ------------------------------------------------------------------------------------------------------ register


@dataclass(frozen=True, slots=True)
class PersonalValues:
    """Every name, birth and identifier that the register has, or had, of some players."""

    names: frozenset[str]
    births: frozenset[str]
    identifiers: frozenset[str]


def personal_values(connection: Connection, numbers: Iterable[int]) -> PersonalValues:
    """Return all values of the register that identify some players."""
    numbers = list(numbers)

    def values(column: Column[str], player: Column[int], *conditions: ColumnElement[bool]) -> frozenset[str]:
        return frozenset(connection.execute(select(column).where(player.in_(numbers), *conditions)).scalars())

    def named(name: str) -> frozenset[str]:
        """Return the names or births of the players when they were registered, later, and as entrants."""
        later = values(player_facts.c.value, player_facts.c.player, player_facts.c.field == name)
        decided = values(entrant_decisions.c[name], entrant_decisions.c.player)
        return values(players.c[name], players.c.id) | later | decided

    numbers_held = (values(table.c.value, table.c.player) for table in (identifiers, unknown_numbers))
    return PersonalValues(named("name"), named("born") - {""}, frozenset().union(*numbers_held))


def fide_numbers(connection: Connection, numbers: Iterable[int]) -> list[int]:
    """Return the numbers that FIDE gave to some players."""
    query = select(identifiers.c.value).where(identifiers.c.player.in_(list(numbers)))
    values = connection.execute(query.where(identifiers.c.scheme == "fide")).scalars()
    return [int(value) for value in values if value.isdigit()]


def erase_from_register(
    connection: Connection, numbers: Iterable[int], name_of: Callable[[int], str], births: Mapping[str, str]
) -> None:
    """Replace the names, births and clubs of some players; delete their identifiers and the words of their names."""
    numbers = list(numbers)
    _erase_decisions(connection, numbers, name_of, births)
    for row in connection.execute(select(players).where(players.c.id.in_(numbers))).all():
        left = {"name": name_of(row.id), "born": births.get(row.born, "")}
        connection.execute(update(players).where(players.c.id == row.id).values(**left))
    facts = select(player_facts).where(player_facts.c.player.in_(numbers))
    for row in connection.execute(facts).all():
        left = {"name": name_of(row.player), "born": births.get(row.value, ""), CLUB: ""}
        if row.field in left:
            value = left[row.field]
            connection.execute(update(player_facts).where(player_facts.c.id == row.id).values(value=value))
    own = select(identifiers.c.scheme, identifiers.c.value).where(identifiers.c.player.in_(numbers))
    own_identifiers = set(fetch_rows(connection, own))
    for row in connection.execute(select(identifier_changes)).all():
        if row.player in numbers or (row.player is None and (row.scheme, row.value) in own_identifiers):
            connection.execute(delete(identifier_changes).where(identifier_changes.c.id == row.id))
    connection.execute(delete(identifiers).where(identifiers.c.player.in_(numbers)))
    connection.execute(delete(name_keys).where(name_keys.c.player.in_(numbers)))


def _erase_decisions(
    connection: Connection, numbers: list[int], name_of: Callable[[int], str], births: Mapping[str, str]
) -> None:
    """Replace names and births in decisions who entrants are, and delete the numbers of unknown scheme."""
    names = personal_values(connection, numbers).names
    for row in connection.execute(select(entrant_decisions)).all():
        if row.player in numbers or (row.player is None and row.name in names):
            left = {"name": name_of(row.player or min(numbers)), "born": births.get(row.born, "")}
            query = update(entrant_decisions).where(entrant_decisions.c.id == row.id)
            connection.execute(query.values(**left))
    connection.execute(delete(unknown_numbers).where(unknown_numbers.c.player.in_(numbers)))


# ------------------------------------------------------------------------------------------------ reports, ledger


def entries_of(connection: Connection, numbers: Iterable[int]) -> dict[int, dict[int, int]]:
    """Return where some players are entered: report → index of the entrant → player."""
    own = set(numbers)
    return {
        report: {index: player for index, player in enumerate(players_) if player in own}
        for report, players_ in entrants_of(connection, reports_with(connection, own)).items()
    }


def matched_reports(connection: Connection) -> set[int]:
    """Return the reports whose entrants were matched to players."""
    return set(connection.execute(select(entrants.c.report)).scalars())


def report_row(connection: Connection, report: int) -> dict[str, Any]:
    """Return all columns of a report."""
    return dict(connection.execute(select(reports).where(reports.c.id == report)).mappings().one())


def replace_values(connection: Connection, table: str, number: int, **values: Any) -> None:
    """Replace values of a report, a decision or an act; the digest of an act stays in the chain."""
    stored = META.tables[table]
    (key,) = stored.primary_key.columns
    connection.execute(update(stored).where(key == number).values(**values))


def forget_earlier_rows(connection: Connection) -> dict[str, list[tuple[int, str]]]:
    """Take the rows that this act changed or deleted out of the records of earlier acts.

    Their keys may identify the player. Return the places and hashes of what was taken out, by act.
    """
    notes = collected_rows(connection)
    if notes is None:
        return {}
    forgotten = notes.forget_deleted()
    removed: dict[str, list[tuple[int, str]]] = {}
    query = select(act_rows.c.act, *(act_rows.c[name] for name in ActRecord._fields))
    for act, *cells in fetch_rows(connection, query.where(act_rows.c.erasable_lines != "")):
        record = ActRecord(*cells)
        rows = unpack(record.erasable_lines, bytes(record.erasable_digests))
        left = {line: digest for line, digest in rows.items() if line not in forgotten}
        if len(left) < len(rows):
            places = [place for place, line in enumerate(rows) if line in forgotten]
            leaves = record.leaves()
            removed[str(act)] = [(place, leaves[place].hex()) for place in places]
            lines_left, digests_left = pack(left)
            values = {"erasable_lines": lines_left, "erasable_digests": digests_left}
            connection.execute(update(act_rows).where(act_rows.c.act == act).values(values))
    return removed


def _naming(table_columns: Iterator[Column[Any]]) -> list[Column[Any]]:
    """Return the columns that contain a player's number: references to the register, and columns of that name."""
    return [
        column
        for column in table_columns
        if column.name == "player" or any(key.column is players.c.id for key in column.foreign_keys)
    ]


def rows_naming(connection: Connection, numbers: Collection[int]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that name some players, by table, each as its columns; tables without such rows are left out."""
    found = {"players": _rows(connection, select(players).where(players.c.id.in_(numbers)))}
    for table in whole_schema().sorted_tables:
        columns = _naming(iter(table.c))
        if columns and table.name != name_keys.name:
            query = select(table).where(or_(*(column.in_(numbers) for column in columns)))
            found[table.name] = _rows(connection, query.order_by(*table.primary_key.columns))
    return {name: rows for name, rows in found.items() if rows}


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]
