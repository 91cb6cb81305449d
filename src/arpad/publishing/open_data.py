"""Open data: tables as CSV and Parquet, described by a ``datapackage.json`` (Frictionless Data).

A table is written frame by frame, so that its size does not matter. The CSV is safe to open in a spreadsheet program:
a text that would be taken for a formula begins with an apostrophe. The Parquet file has the texts as they are.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import polars as pl

from arpad.explain.words import Words
from arpad.system.atomic_files import file_digest
from arpad.system.spreadsheet_cells import FORMULA, escape
from arpad.system.text_columns import change_texts

DESCRIPTION = "datapackage.json"

EXACT = pl.Decimal(12, 2)
"""Scores, expectations and points: hundredths are exact."""

_KINDS: Mapping[Any, str] = {
    pl.Int64: "integer", pl.Int32: "integer", pl.String: "string", pl.Boolean: "boolean",
    pl.Date: "date", EXACT: "number",
}  # fmt: skip
_MEDIA_TYPES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table: its columns, those that identify a row, and the columns of other tables to which its own refer."""

    name: str
    columns: Mapping[str, Any]
    key: tuple[str, ...]
    references: Mapping[str, tuple[str, str]]


PLAYERS = OpenTable(
    "players",
    {
        "player": pl.Int64, "name": pl.String, "federation": pl.String, "sex": pl.String, "title": pl.String,
        "women_title": pl.String, "other_titles": pl.String, "born": pl.Int32, "deceased": pl.Boolean,
        "numbers": pl.String,
    },
    ("player",), {},
)  # fmt: skip
LISTS = OpenTable(
    "lists",
    {
        "list": pl.String, "kind": pl.String, "day": pl.Date, "revision": pl.Int32, "edition": pl.String,
        "digest": pl.String, "corrects": pl.String,
    },
    ("list",), {"corrects": ("lists", "list")},
)  # fmt: skip
RATINGS = OpenTable(
    "ratings",
    {
        "list": pl.String, "player": pl.Int64, "rating": pl.Int32, "games": pl.Int32, "k": pl.Int32,
        "category": pl.String, "inactive": pl.Boolean, "delisted": pl.Boolean,
    },
    ("list", "player"), {"list": ("lists", "list"), "player": ("players", "player")},
)  # fmt: skip
EVENTS = OpenTable(
    "events",
    {
        "event": pl.Int64, "name": pl.String, "federation": pl.String, "kind": pl.String, "first_day": pl.Date,
        "last_day": pl.Date, "players": pl.Int32, "rounds": pl.Int32,
    },
    ("event",), {},
)  # fmt: skip
GAMES = OpenTable(
    "games",
    {
        "list": pl.String, "event": pl.Int64, "part": pl.String, "player": pl.Int64, "round": pl.Int32,
        "opponent": pl.Int64, "colour": pl.String, "score": EXACT, "own_rating": pl.Int32, "opponent_rating": pl.Int32,
        "difference": pl.Int32, "expected": EXACT, "counts": pl.Boolean, "reason": pl.String, "article": pl.String,
        "k": pl.Int32, "points": EXACT,
    },
    ("list", "event", "part", "player", "round"),
    {"list": ("lists", "list"), "event": ("events", "event"), "player": ("players", "player"),
     "opponent": ("players", "player")},
)  # fmt: skip
CHANGES = OpenTable(
    "changes",
    {
        "list": pl.String, "player": pl.Int64, "before": pl.Int32, "after": pl.Int32, "games": pl.Int32,
        "points": EXACT, "edition": pl.String, "steps": pl.String,
    },
    ("list", "player"), {"list": ("lists", "list"), "player": ("players", "player")},
)  # fmt: skip
TABLES = (PLAYERS, LISTS, RATINGS, EVENTS, GAMES, CHANGES)


# ------------------------------------------------------------------------------------------------------- tables


def frame_of(table: OpenTable, rows: Iterable[tuple[Any, ...]]) -> pl.DataFrame:
    """Return rows as a frame with the columns of a table."""
    return pl.DataFrame(list(rows), schema=dict(table.columns), orient="row")


class TableFiles:
    """The CSV and the Parquet file of a table, written frame by frame."""

    def __init__(self, folder: Path, table: OpenTable) -> None:
        self.table = table
        self.rows = 0
        self._folder = folder
        self._plain = (folder / f"{table.name}.part").open("wb")
        self._csv = (folder / f"{table.name}.csv").open("wb")
        self._empty = frame_of(table, ())
        self._empty.write_csv(self._plain)
        self._empty.write_csv(self._csv)

    def add(self, frame: pl.DataFrame) -> None:
        """Append the rows of a frame."""
        frame = frame.select(*self.table.columns).cast(pl.Schema(self.table.columns))
        self.rows += frame.height
        frame.write_csv(self._plain, include_header=False)
        formulas = pl.col(pl.String).str.contains(FORMULA).fill_null(value=False)
        change_texts(frame, formulas, escape).write_csv(self._csv, include_header=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        """Finish both files; the Parquet file is made from the rows on disk, without holding them."""
        self._plain.close()
        self._csv.close()
        if kind is None:
            self._write_parquet()

    def _write_parquet(self) -> None:
        rows = Path(self._plain.name)
        columns = pl.scan_csv(rows, schema=dict(self.table.columns)) if self.rows else self._empty.lazy()
        columns.sink_parquet(self._folder / f"{self.table.name}.parquet")
        rows.unlink()


# -------------------------------------------------------------------------------------------------- description


def write_description(
    folder: Path, words: Words, *, title: str, licence: str, created: str, version: str
) -> None:
    """Describe the files of a folder in ``datapackage.json``: columns, sizes, digests and the licence."""
    document: dict[str, Any] = {
        "profile": "data-package",
        "name": "arpad-open-data",
        "title": title,
        "description": words.text("open-data.about"),
        "created": created,
        "version": version,
        "resources": [_resource(folder, table, ending, words) for table in TABLES for ending in _MEDIA_TYPES],
    }
    if licence:
        document["licenses"] = [{"name": licence, "title": licence}]
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def _resource(folder: Path, table: OpenTable, ending: str, words: Words) -> dict[str, Any]:
    path = folder / f"{table.name}.{ending}"
    return {
        "profile": "tabular-data-resource" if ending == "csv" else "data-resource",
        "name": table.name if ending == "csv" else f"{table.name}-{ending}",
        "path": path.name,
        "format": ending,
        "mediatype": _MEDIA_TYPES[ending],
        **({"encoding": "utf-8"} if ending == "csv" else {}),
        "description": words.text(f"open-data.{table.name}"),
        "bytes": path.stat().st_size,
        "hash": f"sha256:{file_digest(path)}",
        "schema": _schema(table, words),
    }


def _schema(table: OpenTable, words: Words) -> dict[str, Any]:
    fields = [
        {"name": name, "type": _KINDS[kind], "description": words.text(f"open-data-column.{name}")}
        for name, kind in table.columns.items()
    ]
    keys = [
        {"fields": [column], "reference": {"resource": other, "fields": [key]}}
        for column, (other, key) in table.references.items()
    ]
    return {"fields": fields, "primaryKey": list(table.key), "foreignKeys": keys}
