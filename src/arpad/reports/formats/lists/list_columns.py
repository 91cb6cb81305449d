"""The columns of a list file and of a reference list: names and kinds, without the readers of files."""

from __future__ import annotations

from typing import Any

import polars as pl

SCHEMA: dict[str, Any] = {
    "id": pl.Int64,
    "name": pl.String,
    "federation": pl.String,
    "sex": pl.String,
    "title": pl.String,
    "women_title": pl.String,
    "other_titles": pl.String,
    "rating": pl.Int32,
    "games": pl.Int64,
    "k": pl.Int32,
    "born": pl.String,
    "inactive": pl.Boolean,
    "number": pl.Int64,
    "identifiers": pl.List(pl.Struct({"scheme": pl.String, "value": pl.String})),
    "delisted": pl.Boolean,
}
"""``identifiers`` is null if the file does not have the numbers of other bodies, as in ``ListRow``."""

FIGURES = ("rating", "games", "k")
"""The columns of a player's playing strength."""

ALL_LISTS: dict[str, Any] = {
    **{
        name: kind
        for name, kind in SCHEMA.items()
        if name not in {*FIGURES, "number", "identifiers", "delisted"}
    },
    **{prefix + name: SCHEMA[name] for prefix in ("", "rapid_", "blitz_") for name in FIGURES},
}
"""The columns of a reference list: rating, games and K of the standard, the rapid and the blitz list."""
