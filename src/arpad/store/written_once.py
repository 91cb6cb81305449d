"""Whether the acts wrote what they may: each verb its tables, and each row of an append-only table once.

Two kinds of acts are exceptions. An erasure may change rows from which it takes names; ``office.verify.derived``
checks what it changed. Taking back an import, and removing a reference list, delete the rows of that import or list.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

import polars as pl

from arpad.model.rules import Alteration
from arpad.store.declared_tables import (
    ERASE,
    INIT,
    Kind,
    counted_tables,
    erasable_tables,
    is_erasable,
    kept_tables,
    owned_tables,
    rows_of,
    tables_of,
)
from arpad.store.proved_rows import MOST_NAMED, UNSAID, Records, Said, altered_row, key_of
from arpad.store.written_rows import GONE

NOT_ITS_TABLE, TWICE, NOT_DELETED, OTHER_OWNER = (
    "row-not-of-verb",
    "row-written-twice",
    "row-not-deletable",
    "row-owner",
)


def wrong_writes(
    records: Records, facts_by_act: Mapping[int, Mapping[str, Any]], since: int, unknown: Collection[str] = ()
) -> Iterator[Alteration]:
    """Yield the rows that acts after one should not have written.

    ``unknown`` are the verbs of features that this installation does not have: nobody knows what they may write.
    """
    later = pl.col("act") > since
    changed = (pl.col("verb") == ERASE) & pl.col("table").is_in(list(erasable_tables())) & ~_GONE
    known = ~pl.col("verb").is_in(list(unknown))
    yield from _not_of_verb(records.rows.filter(later & ~changed & known))
    yield from _not_of_verb(records.lasting.filter(later & known))
    again = (pl.col("verb") == INIT) & (pl.col("act") > 1)  # an office begins once
    yield from _named(NOT_ITS_TABLE, records.rows.filter(later & again))
    # an erasure changes rows that other acts added
    yield from _named(
        NOT_ITS_TABLE, records.rows.filter(later & changed).join(records.lasting, on="line", how="anti")
    )
    yield from _written_twice(records, facts_by_act, since)
    yield from _other_owner(records, since)
    yield from _hidden_deletions(records.rows.filter(later & _GONE), Said(facts_by_act))


_GONE = pl.col("digest") == pl.lit(GONE, pl.Binary)


def _not_of_verb(written: pl.DataFrame) -> Iterator[Alteration]:
    """Yield the rows of tables that the verb of their act does not write."""
    for verb, table, gone in (
        written.select("verb", "table", _GONE.alias("gone")).unique().sort("verb").iter_rows()
    ):
        declared = tables_of(verb)
        if table not in (declared.deletes if gone else declared.writes):
            wrong = (pl.col("verb") == verb) & (pl.col("table") == table) & (gone == _GONE)
            yield from _named(NOT_DELETED if gone else NOT_ITS_TABLE, written.filter(wrong))


def _named(code: str, rows: pl.DataFrame) -> Iterator[Alteration]:
    for act, line, table in rows.select("act", "line", "table").head(MOST_NAMED).iter_rows():
        yield altered_row(code, table, line, act)


def _written_twice(
    records: Records, facts_by_act: Mapping[int, Mapping[str, Any]], since: int
) -> Iterator[Alteration]:
    """Yield the rows of append-only tables that an act added again, or deleted without being allowed to."""
    lasts = pl.col("table").is_in(list(erasable_tables() - counted_tables()))
    rows = records.rows.filter(pl.col("table").is_in(kept_tables()) & (~lasts | _GONE))
    written = pl.concat([rows, records.lasting.filter(lasts)])
    again = written.filter(pl.col("line").is_duplicated() | _GONE).sort("act", maintain_order=True)
    written_by: dict[str, int] = {}

    @cache
    def taken_back(act: int) -> frozenset[int]:
        """Return the acts that added the lists which an act took back."""
        entries = listed(facts_by_act.get(act, {}), "publications")
        lines = [f"publications[{it.get('publication')}]" for it in entries if isinstance(it, dict)]
        return frozenset(records.rows.filter(pl.col("line").is_in(lines))["act"])

    for act, line, table, gone in again.select("act", "line", "table", _GONE.alias("gone")).iter_rows():
        by = written_by.pop(line, None)
        if not gone:
            written_by[line], allowed = act, by is None
        elif key := rows_of(table).removed_by:
            allowed = (key_of(line, table) or [None])[0] in listed(facts_by_act.get(act, {}), key)
        else:
            allowed = by is None or by in taken_back(act)
        if act > since and not allowed:
            yield altered_row(NOT_DELETED if gone else TWICE, table, line, act)


def listed(facts: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list in the details of an act; an empty one if a forged act has something else there."""
    value = facts.get(name)
    return value if isinstance(value, list) else []


def _hidden_deletions(deleted: pl.DataFrame, said: Said) -> Iterator[Alteration]:
    """Yield the deleted rows of tables that are not append-only which the details of their act do not name."""
    changing = deleted.filter(~pl.col("table").is_in(kept_tables()))
    for act, verb, table, line in changing.select("act", "verb", "table", "line").iter_rows():
        values = map(str, key_of(line, table) or ())
        if rows_of(table).named_by and not said.names(act, verb, table, values):
            yield altered_row(UNSAID, table, line, act)


def _other_owner(records: Records, since: int) -> Iterator[Alteration]:
    """Yield the rows of a list that another act wrote than the list itself."""
    for table, owner in owned_tables(Kind.KEPT).items():
        source = records.lasting if is_erasable(table) else records.rows
        rows = source.filter((pl.col("table") == table) & (pl.col("act") > since))
        number = pl.col("line").str.extract(r"^\w+\[(\d+)")
        owners = records.rows.filter(pl.col("table") == owner).select(by="act", number=number)
        of_others = rows.with_columns(number=number).join(
            owners, on="number", how="left", maintain_order="left"
        )
        yield from _named(OTHER_OWNER, of_others.filter(pl.col("by").ne_missing(pl.col("act"))))
