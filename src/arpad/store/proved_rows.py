"""Compare the rows of all proved tables with what the acts say that they wrote (``store.written_rows``)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import Connection, Select, select

from arpad.model.rules import Alteration
from arpad.store.bulk import fetch_rows
from arpad.store.declared_tables import ADDED as ADDED_COLUMNS
from arpad.store.declared_tables import (
    ERASE,
    META,
    AddedColumns,
    erasable_tables,
    is_kept,
    proved_tables,
    rows_of,
    tables_of,
)
from arpad.store.ledger import acts_of
from arpad.store.schema import act_rows, ledger
from arpad.store.written_rows import (
    BETWEEN_CELLS,
    DIGEST_BYTES,
    GONE,
    ActRecord,
    Removed,
    lines_and_digests,
    proved_columns,
    proved_query,
    row_digests,
    rows_by_key,
)
from arpad.system.batches import batches

VERB = "migrate"


@dataclass(frozen=True, slots=True)
class Migrations:
    """The migrations of an office: which columns came to a table after which act."""

    added: tuple[tuple[int, AddedColumns], ...] = ()
    """The act of migration, and what it added."""

    def concern(self, table: str) -> bool:
        """Return whether a table got columns."""
        return any(columns.table == table for _, columns in self.added)

    def as_written(
        self, table: str, names: tuple[str, ...], row: tuple[Any, ...], act: int
    ) -> dict[str, Any] | None:
        """Return the values of a row with the columns that it had when an act wrote it; None if a new one is wrong."""
        values = dict(zip(names, row, strict=True))
        for migration, columns in reversed(self.added):
            if columns.table != table or act > migration:
                continue
            found = {name: values.pop(name, None) for name in columns.values}
            if found != {name: compute(values) for name, compute in columns.values.items()}:
                return None
        return values


def migrations_of(connection: Connection) -> Migrations:
    """Return the migrations of an office, in order."""
    if not ADDED_COLUMNS:
        return Migrations()
    added = [
        (act.seq, columns)
        for act in acts_of(connection, VERB)
        for columns in ADDED_COLUMNS
        if str(act.facts.get("from")) < columns.revision <= str(act.facts.get("to"))
    ]
    return Migrations(tuple(added))


CHANGED, ADDED, DELETED, UNSAID = "row-changed", "row-added", "row-deleted", "act-details"

MOST_NAMED = 20
"""Rows that are named for each table; more would not help."""

_AT_ONCE = 20_000
_FIRST_TEXT = 40


def altered_row(code: str, table: str, line: str, act: int) -> Alteration:
    """Return that a row is not as the last act that wrote it left it; of an added row ``act`` is the one it names."""
    return Alteration(code, {"table": table, "row": shown_key(line[len(table) :]), "act": act})


# ------------------------------------------------------------------------------------------------- what acts say


def broken_records(
    connection: Connection, erased: Mapping[int, Sequence[Removed]], since: int = 0
) -> Iterator[int]:
    """Yield the acts after one whose record of rows is not the one that the ledger seals, or is missing.

    ``erased`` is what erasures took out of the records of acts.
    """
    sealed = dict(fetch_rows(connection, select(ledger.c.seq, ledger.c.rows).where(ledger.c.seq > since)))
    query = select(act_rows.c.act, *(act_rows.c[name] for name in ActRecord._fields))
    for act, *cells in fetch_rows(connection, query.where(act_rows.c.act > since).order_by(act_rows.c.act)):
        record = ActRecord(*cells)
        if not record.is_whole() or record.digest(erased.get(act, ())) != sealed.pop(act, None):
            yield act
    yield from sorted(act for act, rows in sealed.items() if rows)


@dataclass(frozen=True, slots=True)
class Records:
    """What all acts say about rows: each frame has ``act``, ``line``, ``digest``, ``table`` and ``verb``."""

    rows: pl.DataFrame
    """The rows as the acts left them, in the order of the acts."""

    lasting: pl.DataFrame
    """What an erasure must leave of rows in erasable tables."""

    details: pl.DataFrame
    """What an erasure must leave of the details of each act."""

    def without(self, tables: Collection[str]) -> Records:
        """Return what the acts say about the rows of all other tables."""
        if not tables:
            return self
        others = ~pl.col("table").is_in(list(tables))
        return Records(self.rows.filter(others), self.lasting.filter(others), self.details)

    def of_acts(self, acts: Iterable[int]) -> dict[int, bytes]:
        """Return the digests of what must last of the details of some acts, each as the act itself has it."""
        own = self.details.filter(pl.col("act").is_in(list(acts)))
        own = own.filter(pl.col("line") == pl.format("ledger[{}]", "act"))
        return dict(own.select("act", "digest").iter_rows())

    @property
    def expected(self) -> pl.DataFrame:
        """Every row that must be there, as the last act left it; ``origin`` is the act that added it."""
        last = self.rows.unique("line", keep="last", maintain_order=True)
        last = last.filter(pl.col("digest") != pl.lit(GONE, pl.Binary)).with_columns(origin="act")
        erased = pl.col("verb") == ERASE
        if not last.select(erased.any()).item():
            return last
        added = self.lasting.select("line", added="act").unique("line", keep="last", maintain_order=True)
        origin = pl.when(erased).then(pl.col("added").fill_null(0)).otherwise("act")
        joined = last.join(added, on="line", how="left", maintain_order="left")
        return joined.with_columns(origin=origin).drop("added")


def read_records(connection: Connection) -> Records:
    """Return what all acts say."""
    query = select(act_rows.c.act, *(act_rows.c[name] for name in ActRecord._fields)).order_by(act_rows.c.act)
    records = fetch_rows(connection, query)
    verbs = pl.DataFrame(
        fetch_rows(connection, select(ledger.c.seq, ledger.c.verb)),
        schema={"act": pl.Int64, "verb": pl.String}, orient="row",
    )  # fmt: skip
    named, erasable = (
        _lines((act, *cells[at : at + 2]) for act, *cells in records).join(
            verbs, on="act", how="left", maintain_order="left"
        )
        for at in (0, 2)
    )
    of_acts = pl.col("table") == ledger.name
    details, named = named.filter(of_acts), named.filter(~of_acts)
    of_erasable = pl.col("table").is_in(list(erasable_tables()))
    rows = pl.concat([named.filter(~of_erasable), erasable]).sort("act", maintain_order=True)
    return Records(rows, named.filter(of_erasable), details)


def _lines(parts: Iterable[Sequence[Any]]) -> pl.DataFrame:
    """Return the lines and digests of parts of records, one after the other; each part has its act."""
    columns: dict[str, list[Any]] = {"act": [], "line": [], "digest": []}
    for act, lines, packed in parts:
        texts, seals = lines.split("\n") if lines else [], bytes(packed)
        columns["act"] += [act] * len(texts)
        columns["line"] += texts
        columns["digest"] += [seals[at : at + DIGEST_BYTES] for at in range(0, len(seals), DIGEST_BYTES)]
    frame = pl.DataFrame(columns, schema={"act": pl.Int64, "line": pl.String, "digest": pl.Binary})
    return frame.with_columns(table=pl.col("line").str.extract(r"^(\w+)").fill_null(""))


# ------------------------------------------------------------------------------------------------- what there is


def altered_rows(
    connection: Connection,
    expected: pl.DataFrame,
    since: int = 0,
    facts_by_act: Mapping[int, Mapping[str, Any]] | None = None,
) -> Iterator[Alteration]:
    """Yield the rows that are not as the acts left them, or that their acts hide; with ``since`` those of later acts.

    ``facts_by_act`` are the details of all acts.

    Tables without acts in their rows, such as the accounts, are short and always compared as a whole.
    """
    said = Said(facts_by_act or {})
    expected = expected.select("act", "line", "digest", "table", "origin", "verb")
    migrations = migrations_of(connection)
    by_table = expected.partition_by("table", include_key=False, as_dict=True)
    for table in proved_tables():
        must = by_table.get((table,), expected.drop("table").clear())
        partial = _rows_since(table, since) if since else None
        if partial is not None:
            must = must.filter(pl.col("act") > since)
        frames = list(_stored(connection, table, must, partial, migrations))
        if frames or len(must):  # most tables of a small office are empty
            stored = pl.concat(frames).unique("line") if frames else pl.DataFrame(schema=_STORED)
            yield from _differences(table, must, stored)
            if facts_by_act is not None and rows_of(table).named_by:
                yield from _unsaid(table, must, stored, said, since)


_STORED: dict[str, Any] = {
    "line": pl.String,
    "now": pl.Binary,
    "row_act": pl.Int64,
    "named": pl.String,
}


def _stored(
    connection: Connection,
    table: str,
    must: pl.DataFrame,
    partial: Select[Any] | None,
    migrations: Migrations,
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a table as lines and digests, all or those of later acts."""
    acts = dict(must.select("line", "act").iter_rows()) if migrations.concern(table) else {}

    def frame(rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
        lines, digests = lines_and_digests(table, rows)
        names = proved_columns(table)
        if acts:  # some rows were written when the table had fewer columns
            written = (
                migrations.as_written(table, names, tuple(row), acts.get(line, 0))
                for line, row in zip(lines, rows, strict=True)
            )
            digests = [
                b"" if values is None else row_digests([list(values.values())])[0] for values in written
            ]
        act = names.index("act") if "act" in names else None
        row_acts = [0 if act is None else row[act] for row in rows]
        by = [names.index(name) for name in rows_of(table).named_by.split() if name[0] != "="]
        named = [BETWEEN_CELLS.join([str(row[at]) for at in by]) for row in rows]
        columns = {"line": lines, "now": digests, "row_act": row_acts, "named": named}
        return pl.DataFrame(columns, schema=_STORED)

    with connection.execute(proved_query(table) if partial is None else partial) as result:
        while rows := result.cursor.fetchmany(_AT_ONCE) if result.cursor is not None else ():
            yield frame(rows)
    if partial is not None:  # rows of earlier acts that a later one changed
        keys = [tuple(key) for line in must["line"] if (key := key_of(line, table)) is not None]
        for batch in batches(keys, 200):
            yield frame(rows_by_key(connection, table, batch))


def _rows_since(table: str, since: int) -> Select[Any] | None:
    """Return the query for the rows that acts after one added; None if the table is always read as a whole."""
    stored, query = META.tables[table], proved_query(table)
    if "act" in stored.c:
        return query.where(stored.c.act > since)
    for name in ("publication", "reference"):
        for key in stored.c[name].foreign_keys if name in stored.c else ():
            owner = key.column.table
            return query.join(owner, owner.c.id == stored.c[name]).where(owner.c.act > since)
    return None


def _differences(table: str, must: pl.DataFrame, stored: pl.DataFrame) -> Iterator[Alteration]:
    joined = must.join(stored, on="line", how="full", coalesce=True)
    other = pl.col("digest").ne_missing(pl.col("now"))
    if is_kept(table) and "act" in META.tables[table].c:  # such a row names the act that added it
        other |= pl.col("origin") != pl.col("row_act")
    differing = joined.filter(other).sort("line").head(MOST_NAMED)
    differing = differing.select("line", "digest", "act", "now", "row_act")
    for line, digest, act, now, row_act in differing.iter_rows():
        code = DELETED if now is None else ADDED if digest is None else CHANGED
        yield altered_row(code, table, line, act if act is not None else row_act)


class Said:
    """The details of acts, and whether they name rows."""

    def __init__(self, facts_by_act: Mapping[int, Mapping[str, Any]]) -> None:
        """Take the details of all acts."""
        self._facts_by_act = facts_by_act
        self._by_act: dict[int, frozenset[str]] = {}

    def names(self, act: int, verb: str, table: str, values: Iterable[str]) -> bool:
        """Return whether the details of an act name a row with one of these values."""
        facts = self._facts_by_act.get(act, {})
        keys = [name[1:] for name in rows_of(table).named_by.split() if name[0] == "="]
        if key := tables_of(verb).names_none:
            return key in facts
        return any(key in facts for key in keys) or not self._values(act).isdisjoint(values)

    def _values(self, act: int) -> frozenset[str]:
        """Return all keys, numbers and texts in the details of an act."""
        if act not in self._by_act:
            self._by_act[act] = frozenset(_texts_in(self._facts_by_act.get(act, {})))
        return self._by_act[act]


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts_in(item)
    else:
        yield str(value)


def _unsaid(
    table: str, must: pl.DataFrame, stored: pl.DataFrame, said: Said, since: int
) -> Iterator[Alteration]:
    """Yield the rows that the details of their act do not name."""
    rows = must.filter(pl.col("act") > since).join(stored, on="line").select("act", "verb", "line", "named")
    for act, verb, line, values in rows.iter_rows():
        if not said.names(act, verb, table, values.split(BETWEEN_CELLS)):
            yield altered_row(UNSAID, table, line, act)


def shown_key(text: str) -> str:
    """Return a key for people: its values, separated by commas; the text itself if it is none."""
    key = key_of(text, "")
    return text[:_FIRST_TEXT] if key is None else shown_values(key)


def key_of(line: str, table: str) -> list[Any] | None:
    """Return the key in a line; None if a forged record has no key there."""
    try:
        key = json.loads(line[len(table) :])
    except ValueError:
        return None
    return key if isinstance(key, list) else None


def shown_values(key: Iterable[Any]) -> str:
    """Return the values of a key for people, each only as far as it is short."""
    return ", ".join(str(value)[:_FIRST_TEXT] for value in key)
