"""The rows of a list file as a table: a column for each field of ``ListRow`` that an import needs.

``rating``, ``games`` and ``k`` are of the list that is imported. ``born`` is the text that the register stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from arpad.model.json_values import from_birth
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_rows import ListRow, readers_until
from arpad.reports.formats.lists.list_columns import ALL_LISTS, FIGURES, SCHEMA

_KINDS: dict[str, Any] = {name: SCHEMA[name] for name in ("title", "women_title", "born", "delisted")}
"""The kinds of the values that are no numbers."""

_PLAIN_NUMBER = "^[0-9]{1,15}$"
_QUICK = {ListName.RAPID: "rapid_", ListName.BLITZ: "blitz_"}


class NotPlain(Exception):
    """Raised by a reader of columns at text that only the reader of rows accepts or refuses."""


def figure_fields(on_list: ListName, *, combined: bool) -> dict[str, str]:
    """Return the fields of a file that have rating, games and K of a list."""
    kind = _QUICK.get(on_list, "") if combined else ""
    return {name: kind + name for name in FIGURES}


def table_of(rows: Iterable[tuple[ListRow, bool]], on_list: ListName | None) -> pl.DataFrame:
    """Return rows as a table; each comes with whether it has standard, rapid and blitz ratings.

    The table has the figures of one list, or without ``on_list`` those of all (``ALL_LISTS``).
    """
    if on_list is None:
        return _all_lists(row for row, _ in rows)
    values = [
        (
            row.id, row.name.strip(), row.federation, row.known_sex, row.title, row.women_title, row.other_titles,
            *(row.figures(on_list) if combined else (row.rating, row.games, row.k)),
            from_birth(row.born), row.inactive, row.number, _pairs(row.identifiers), row.delisted,
        )
        for row, combined in rows
    ]  # fmt: skip
    return pl.DataFrame(values, schema=SCHEMA, orient="row")


def _all_lists(rows: Iterable[ListRow]) -> pl.DataFrame:
    """Return rows as a table with the figures of all lists."""
    values = [
        (
            row.id, row.name.strip(), row.federation, row.known_sex, row.title, row.women_title, row.other_titles,
            from_birth(row.born), row.inactive, row.rating, row.games, row.k,
            row.rapid_rating, row.rapid_games, row.rapid_k, row.blitz_rating, row.blitz_games, row.blitz_k,
        )
        for row in rows
    ]  # fmt: skip
    return pl.DataFrame(values, schema=ALL_LISTS, orient="row")


def _pairs(identifiers: Iterable[tuple[str, str]] | None) -> list[dict[str, str]] | None:
    if identifiers is None:
        return None
    return [{"scheme": scheme, "value": value} for scheme, value in identifiers]


def replace_rows(table: pl.DataFrame, odd: pl.Series, read: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Return a table with the odd rows read in another way."""
    if not odd.any():
        return table
    rows = table.with_row_index("row")
    others = read().with_columns(rows.filter(odd)["row"]).select(rows.columns)
    return pl.concat([rows.filter(~odd), others]).sort("row").drop("row")


def read_columns(
    texts: pl.DataFrame, on_list: ListName | None, *, combined: bool, latest: int | None = None
) -> tuple[pl.DataFrame, pl.Series]:
    """Return the values of an import from the texts of its fields, and which rows have an unreadable one.

    Without ``on_list`` the table has the figures of all lists. ``latest`` is the year of the list.
    """
    unreadable = pl.repeat(value=False, n=texts.height, dtype=pl.Boolean, eager=True)
    values: dict[str, pl.Series] = {}
    for name in texts.columns:
        if name == "identifiers":
            continue
        values[name], readable = _read(texts[name], name, latest)
        if readable is not None:
            unreadable |= ~readable
    if "flag" in values:
        values["inactive"] = values["flag"].str.contains("i", literal=True)
        values["sex"] = _known_sex(values.get("sex"), values["flag"])
    schema = ALL_LISTS if on_list is None else SCHEMA
    fields = dict(zip(schema, schema, strict=True))
    if on_list is not None:
        fields |= figure_fields(on_list, combined=combined)
    columns = [
        values[field].cast(kind).alias(name) if field in values else _missing(name, kind, texts.height)
        for (name, field), kind in zip(fields.items(), schema.values(), strict=True)
    ]
    return pl.DataFrame(columns), unreadable


def _known_sex(sex: pl.Series | None, flag: pl.Series) -> pl.Series:
    """Return the sex of each player; old lists have only the flag of women."""
    given = pl.lit("") if sex is None else pl.lit(sex)
    woman = pl.lit(flag).str.contains("w", literal=True)
    return pl.select(
        pl.when(woman & (given == "")).then(pl.lit("F")).otherwise(given).alias("sex")
    ).to_series()


def _missing(name: str, kind: Any, rows: int) -> pl.Series:
    blank = "" if kind == pl.String else False if kind == pl.Boolean else None
    return pl.repeat(blank, rows, dtype=kind, eager=True).alias(name)


def _read(texts: pl.Series, name: str, latest: int | None) -> tuple[pl.Series, pl.Series | None]:
    """Return the values of the texts of a field, and which of them can be read; None for all."""
    read = readers_until(latest)[name]
    if read is str:
        return texts, None
    if name in ("id", "number"):
        plain = texts.str.contains(_PLAIN_NUMBER)
        numbers = texts.set(~plain, None).cast(pl.Int64)
        return numbers, plain & (numbers > 0) if name == "id" else plain | (texts == "")
    distinct = texts.unique()
    values: list[Any] = []
    refused: list[str] = []
    for text in distinct:
        try:
            values.append(read(text))
        except ValueError:
            values.append(None)
            refused.append(text)
    if name == "born":
        values = list(map(from_birth, values))
    kind = _KINDS.get(name, pl.Int64)
    column = texts.replace_strict(distinct, pl.Series(values, dtype=kind), return_dtype=kind)
    return column, ~texts.is_in(refused) if refused else None
