"""Compare the rows of all proved tables with what the acts say that they wrote (``store.written_rows``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import Connection, Select, select

from arpad.store.bulk import fetch_rows
from arpad.store.schema import META, act_rows, ledger
from arpad.store.table_kinds import PROVED
from arpad.store.written_rows import (
    DIGEST_BYTES,
    GONE,
    lines_and_digests,
    proved_columns,
    proved_query,
    record_digest,
    rows_by_key,
)
from arpad.system.batches import batches

TABLES = tuple(table.name for table in META.sorted_tables if table.name in PROVED)
CHANGED, ADDED, DELETED = "row-changed", "row-added", "row-deleted"

MOST_NAMED = 20
"""Rows that are named for each table; more would not help."""

_AT_ONCE = 20_000
_FIRST_TEXT = 40


@dataclass(frozen=True, slots=True)
class AlteredRow:
    """A row that is not as an act left it."""

    code: str
    table: str
    row: str
    """Its primary key."""

    act: int
    """The last act that wrote the row; for an added row the act that it names, or 0."""


# ------------------------------------------------------------------------------------------------- what acts say


def broken_records(connection: Connection, erased: Mapping[int, str], since: int = 0) -> Iterator[int]:
    """Yield the acts after one whose record of rows is not the one that the ledger seals, or is missing."""
    sealed = {
        seq: erased.get(seq, rows)
        for seq, rows in connection.execute(select(ledger.c.seq, ledger.c.rows).where(ledger.c.seq > since))
    }
    query = select(act_rows).where(act_rows.c.act > since).order_by(act_rows.c.act)
    for act, lines, digests in connection.execute(query, execution_options={"yield_per": 1000}):
        count = lines.count("\n") + 1 if lines else 0
        whole = len(digests) == DIGEST_BYTES * count
        if not whole or record_digest(lines, digests) != sealed.pop(act, None):
            yield act
    yield from sorted(act for act, rows in sealed.items() if rows)


def expected_rows(connection: Connection) -> pl.DataFrame:
    """Return every row that must be there: ``line``, ``digest`` as the last act left it, and that ``act``."""
    schema = {"act": pl.Int64, "line": pl.String, "digest": pl.Binary}
    query = select(act_rows.c.act, act_rows.c.lines, act_rows.c.digests).order_by(act_rows.c.act)
    acts: list[int] = []
    texts: list[str] = []
    digests: list[bytes] = []
    for act, lines, packed in fetch_rows(connection, query):
        count = len(packed) // DIGEST_BYTES
        acts += [act] * count
        texts += lines.split("\n") if lines else []
        seals = bytes(packed)
        digests += [seals[at : at + DIGEST_BYTES] for at in range(0, len(seals), DIGEST_BYTES)]
    written = pl.DataFrame({"act": acts, "line": texts, "digest": digests}, schema=schema)
    last = written.unique("line", keep="last", maintain_order=True)
    return last.filter(pl.col("digest") != pl.lit(GONE, pl.Binary))


# ------------------------------------------------------------------------------------------------- what there is


def altered_rows(connection: Connection, expected: pl.DataFrame, since: int = 0) -> Iterator[AlteredRow]:
    """Yield the rows that are not as the acts left them; with ``since`` only those of later acts.

    Tables without acts in their rows, such as the accounts, are short and always compared as a whole.
    """
    by_table = expected.with_columns(table=pl.col("line").str.extract(r"^(\w+)")).partition_by(
        "table", include_key=False, as_dict=True
    )
    for table in TABLES:
        must = by_table.get((table,), expected.clear())
        partial = _rows_since(table, since) if since else None
        if partial is not None:
            must = must.filter(pl.col("act") > since)
        frames = list(_stored(connection, table, must, partial))
        if frames or len(must):  # most tables of a small office are empty
            stored = pl.concat(frames).unique("line") if frames else pl.DataFrame(schema=_STORED)
            yield from _differences(table, must, stored)


_STORED = {"line": pl.String, "now": pl.Binary, "row_act": pl.Int64}


def _stored(
    connection: Connection, table: str, must: pl.DataFrame, partial: Select[Any] | None
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a table as lines and digests, all or those of later acts."""
    with connection.execute(proved_query(table) if partial is None else partial) as result:
        while rows := result.cursor.fetchmany(_AT_ONCE) if result.cursor is not None else ():
            yield _frame(table, rows)
    if partial is not None:  # rows of earlier acts that a later one changed
        keys = [tuple(json.loads(line[len(table) :])) for line in must["line"]]
        for batch in batches(keys, 200):
            yield _frame(table, rows_by_key(connection, table, batch))


def _frame(table: str, rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    lines, digests = lines_and_digests(table, rows)
    names = proved_columns(table)
    act = names.index("act") if "act" in names else None
    acts = [0 if act is None else row[act] for row in rows]
    return pl.DataFrame({"line": lines, "now": digests, "row_act": acts}, schema=_STORED)


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


def _differences(table: str, must: pl.DataFrame, stored: pl.DataFrame) -> Iterator[AlteredRow]:
    joined = must.join(stored, on="line", how="full", coalesce=True)
    differing = joined.filter(pl.col("digest").ne_missing(pl.col("now"))).sort("line").head(MOST_NAMED)
    differing = differing.select("line", "digest", "act", "now", "row_act")
    for line, digest, act, now, row_act in differing.iter_rows():
        code = DELETED if now is None else ADDED if digest is None else CHANGED
        yield AlteredRow(code, table, shown_key(line[len(table) :]), act if act is not None else row_act)


def shown_key(text: str) -> str:
    """Return a key for people: its values, separated by commas."""
    return shown_values(json.loads(text))


def shown_values(key: Iterable[Any]) -> str:
    """Return the values of a key for people, each only as far as it is short."""
    return ", ".join(str(value)[:_FIRST_TEXT] for value in key)
