"""Append acts to a ledger as whoever holds the file can do: well sealed, but without the key of the office."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from arpad.model.act_seal import act_seal
from arpad.model.canonical_json import dump
from arpad.store.declared_tables import META, act_digest, is_counted, is_erasable, lasting_values
from arpad.store.written_rows import (
    DIGEST_BYTES,
    GONE,
    TakenRows,
    count_digest,
    key_columns,
    proved_columns,
    row_digests,
    row_lines,
)


class Forger:
    """Somebody with the file of an office, and every rule of the database switched off."""

    def __init__(self, database: sqlite3.Connection) -> None:
        """Take the file."""
        self.database = database
        (self.last,) = database.execute("SELECT max(seq) FROM ledger").fetchone()

    def rows(self, table: str, where: str = "1") -> list[dict[str, Any]]:
        """Return rows of a table, by column."""
        names = [column.name for column in META.tables[table].columns]
        columns = ", ".join(f'"{name}"' for name in names)
        found = self.database.execute(f'SELECT {columns} FROM "{table}" WHERE {where}')  # noqa: S608
        return [dict(zip(names, row, strict=True)) for row in found]

    def put(self, table: str, row: Mapping[str, Any]) -> None:
        """Write a row in the place of the one with its key."""
        names = ", ".join(f'"{name}"' for name in row)
        marks = ", ".join("?" * len(row))
        statement = f'INSERT OR REPLACE INTO "{table}" ({names}) VALUES ({marks})'  # noqa: S608
        self.database.execute(statement, list(row.values()))

    def delete(self, table: str, row: Mapping[str, Any]) -> None:
        """Delete a row."""
        keys = key_columns(table)
        where = " AND ".join(f'"{key}" IS ?' for key in keys)
        self.database.execute(f'DELETE FROM "{table}" WHERE {where}', [row[key] for key in keys])  # noqa: S608

    def append(
        self,
        verb: str,
        details: Mapping[str, Any],
        written: Sequence[tuple[str, Mapping[str, Any]]] = (),
        deleted: Sequence[tuple[str, Mapping[str, Any]]] = (),
        *,
        at: str = "",
        lasting: bool = True,
    ) -> None:
        """Append an act that says it wrote and deleted rows, as Arpad would say it."""
        seq, (previous, last_at) = (
            self.last + 1,
            self.database.execute("SELECT digest, at FROM ledger WHERE seq = ?", (self.last,)).fetchone(),
        )
        rows = {
            _line(table, row): row_digests([[row[name] for name in proved_columns(table)]])[0]
            for table, row in written
        }
        rows |= {_line(table, row): GONE for table, row in deleted}
        of_erasable = [(table, row) for table, row in written if is_erasable(table)] if lasting else []
        lasts = {
            f"{table}[{row['player']}]" if is_counted(table) else _line(table, row): count_digest(1)
            if is_counted(table)
            else row_digests([lasting_values(table, list(row.values()))])[0]
            for table, row in of_erasable
        }
        text = dump(details)
        record = TakenRows(rows, lasts).record({f"ledger[{seq}]": act_digest(text)[:DIGEST_BYTES]})
        values = (seq, at or last_at, "Forger", verb, text, "because", record.digest(), previous)
        self.database.execute(
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, act_seal(values))
        )
        self.database.execute("INSERT INTO act_rows VALUES (?, ?, ?, ?, ?)", (seq, *record))
        self.last = seq


def _line(table: str, row: Mapping[str, Any]) -> str:
    return row_lines(table, [[row[key] for key in key_columns(table)]])[0]


@contextmanager
def forging(place: Path) -> Iterator[Forger]:
    """Take the file of an office, without triggers and foreign keys; the triggers are back in the end."""
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("PRAGMA synchronous = OFF")
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        yield Forger(database)
        for _, sql in triggers:
            database.execute(sql)
        database.commit()
