"""Change, add and delete one row or cell of every table, one at a time, and look what ``verify`` says.

    python -m tests.store.tampering [TABLE ...]

The office is a year old and has used everything. Whoever holds the file has the means that are used here: no triggers,
no foreign keys. Each change ends as one of four: ``named`` (the table, or the part of it that verifying has a sentence
for), ``stale`` (a draft or live list that is no longer that of the office and is computed again), ``not covered``
(tables and columns that ``verify`` says it does not cover), or ``intact``, of which there may be none.
"""

import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Column, Integer, LargeBinary

from arpad.model.errors import Unreadable
from arpad.model.rules import Alteration
from arpad.store.declared_tables import META, all_tables, not_covered
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import open_office, verify
from tests.builders.whole_office import build_office

YEAR_END = date(2018, 12, 1)


class Change(NamedTuple):
    """One change of the database, and the statements that make it."""

    table: str
    column: str
    """The column that is changed; ``+`` for an added row, ``-`` for a deleted one."""

    statement: str
    values: tuple[Any, ...]


def other_value(column: Column[Any], value: Any) -> Any:
    """Return another value that the column could have."""
    if isinstance(column.type, Integer):
        return 1 if value is None else value + 1
    if isinstance(column.type, LargeBinary):
        return bytes(value) + b"\x00"
    if value and value[:4].isdecimal() and value[4:5] == "-":  # a day or a time
        return f"{int(value[:4]) + 1}{value[4:]}"
    return "x" if value is None else f"{value}x"


def changes(database: sqlite3.Connection, table: str) -> Iterator[Change]:
    """Yield a change for each column of a table, an added and a deleted row."""
    columns = list(META.tables[table].columns)
    keys = list(META.tables[table].primary_key.columns) or columns
    names = ", ".join(f'"{column.name}"' for column in columns)
    order = ", ".join(f'"{column.name}" DESC' for column in keys)
    row = database.execute(f'SELECT {names} FROM "{table}" ORDER BY {order} LIMIT 1').fetchone()  # noqa: S608
    values = dict(zip((column.name for column in columns), row, strict=True))
    where = " AND ".join(f'"{column.name}" IS ?' for column in keys)
    key = tuple(values[column.name] for column in keys)
    for column in columns:
        changed = (other_value(column, values[column.name]), *key)
        yield Change(table, column.name, f'UPDATE "{table}" SET "{column.name}" = ? WHERE {where}', changed)  # noqa: S608
    unique = {name for index in META.tables[table].constraints for name in _unique(index)}
    added = [
        other_value(column, values[column.name])
        if column in keys or column.name in unique
        else values[column.name]
        for column in columns
    ]
    marks = ", ".join("?" * len(columns))
    yield Change(table, "+", f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(added))  # noqa: S608
    yield Change(table, "-", f'DELETE FROM "{table}" WHERE {where}', key)  # noqa: S608


def _unique(constraint: Any) -> list[str]:
    kind = type(constraint).__name__
    return [column.name for column in constraint.columns] if kind == "UniqueConstraint" else []


def apply(place: Path, change: Change) -> None:
    """Make a change past every rule of the database."""
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("PRAGMA synchronous = OFF")
        triggers = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (change.table,)
        ).fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(change.statement, change.values)
        for _, sql in triggers:
            database.execute(sql)
        database.commit()


BY_CODE = {
    "list_blocks": {"list-row", "list-block", "list-digest", "standings-digest"},
    "publications": {"list-digest", "standings-digest", "list-ledger", "list-inputs", "list-chain", "taken-back"},
    "reports": {"report-bytes", "list-inputs"}, "ledger": {"ledger-row"}, "act_rows": {"act-rows"},
    "taken_back": {"taken-back"}, "editions": {"edition-text"}, "merges": {"merge-circle"},
    "reference_lists": {"reference-ledger", "reference-digest"},
    "reference_blocks": {"reference-digest", "reference-block"},
}  # fmt: skip
"""The sentences that name a part of a table."""

BY_PARTS = {"drafts": {"draft_blocks"}, "live_lists": {"live_reports", "live_rows"}}
"""Tables whose parts are named if their own row is another one or gone."""


def names(alteration: Alteration, table: str) -> bool:
    """Return whether an alteration names a table, or a part of it."""
    named = {alteration.facts.get("table"), alteration.facts.get("by")}
    return bool(named & {table, *BY_PARTS.get(table, ())}) or alteration.code in BY_CODE.get(table, ())


def judged(place: Path, change: Change, day: date) -> str:
    """Return how verifying on a day judges a changed office.

    What ``--quick`` names, the whole verification names too: it runs the same code and more.
    """
    try:
        office = open_office(str(place), now=Clock(day))
        try:
            for recompute in (False, True):
                result = verify(office, recompute=recompute)
                if any(names(alteration, change.table) for alteration in result.altered):
                    return "named"
        finally:
            office.close()
    except Unreadable:
        return "named"
    if not result.intact:
        return f"named elsewhere: {result.altered[0]}"
    if {change.table, f"{change.table}.{change.column}"} & {*not_covered()}:
        return "not covered"
    return "stale" if result.stale else "intact"


def empty_tables(whole: Path) -> list[str]:
    """Return the tables in which nothing can be changed."""
    with closing(sqlite3.connect(whole)) as database:
        counts = {table: f'SELECT count(*) FROM "{table}"' for table in all_tables()}  # noqa: S608
        return sorted(table for table, query in counts.items() if not database.execute(query).fetchone()[0])


def tamper(whole: Path, folder: Path, tables: Iterable[str], day: date) -> Iterator[tuple[Change, str]]:
    """Yield every change of some tables with its judgement."""
    place = folder / "tampered.db"
    for table in tables:
        with closing(sqlite3.connect(whole)) as database:
            planned = list(changes(database, table))
        for change in planned:
            shutil.copy(whole, place)
            apply(place, change)
            yield change, judged(place, change, day)


def main() -> None:
    tables = sys.argv[1:] or all_tables()
    with tempfile.TemporaryDirectory(prefix="arpad-tampering-") as temporary:
        folder = Path(temporary)
        desk = Desk.made(str(folder / "office.db"), folder, Clock())
        build_office(desk, YEAR_END)
        with closing(sqlite3.connect(desk.place)) as database:
            database.execute("PRAGMA journal_mode = DELETE")  # one file, which is copied
        assert empty_tables(Path(desk.place)) == []
        counts: Counter[str] = Counter()
        for change, judgement in tamper(Path(desk.place), folder, tables, YEAR_END):
            counts[judgement] += 1
            if judgement != "named":
                sys.stdout.write(f"{judgement}: {change.table} {change.column}\n")
                sys.stdout.flush()
        sys.stdout.write(f"{counts.total()} changes: {dict(counts)}\n")


if __name__ == "__main__":
    main()
