"""An imported chess list as a table: the rows of its file, with the standings that its K tells (reading 6)."""

from collections.abc import Iterable
from datetime import date
from typing import Any

import polars as pl

from arpad.lists.canonical import identifiers_field
from arpad.lists.imported_history import first_games_are_left, last_list_of_inactive, top_was_reached
from arpad.lists.table import SCHEMA, STATE
from arpad.model.errors import BadInput
from arpad.model.json_values import to_birth
from arpad.regulations.fide.rules import ChessRules

_MOST_GAMES = 2**31 - 1


def imported_table(rows: pl.DataFrame, day: date, rules: ChessRules) -> pl.DataFrame:
    """Return the list of rows that have a ``player``: the rated, of a list of our own also the others."""
    listed = rows.filter(pl.col("rating").is_not_null() | pl.col("identifiers").is_not_null()).sort("player")
    if listed["player"].is_duplicated().any():
        player = listed.filter(pl.col("player").is_duplicated())["player"][0]
        raise BadInput("listed-twice", player=player)
    if (listed["games"].max() or 0) > _MOST_GAMES:  # type: ignore[operator]
        raise OverflowError
    line = {
        "listed": pl.lit(value=True),
        "category": pl.lit(""),
        "games": pl.col("games").fill_null(0),
        "born": pl.col("born").str.extract("^([0-9]+)"),
        "identifiers": _identifiers(listed),
        "own": pl.lit(None),
    }
    states = state_columns(listed, day, rules)
    columns = {name: pl.col(name) for name in SCHEMA if name in listed.columns} | line | states
    return listed.select(columns[name].cast(kind).alias(name) for name, kind in SCHEMA.items())


def _identifiers(listed: pl.DataFrame) -> pl.Expr:
    """Return the last field of the canonical lines."""
    fide = pl.when(pl.col("number").ne_missing(pl.col("id"))).then(
        pl.concat_str(pl.lit("fide="), pl.col("id").cast(pl.String))
    )
    if listed["identifiers"].null_count() == listed.height:
        return fide.otherwise(pl.lit(""))
    texts = [None if pairs is None else _field(pairs) for pairs in listed["identifiers"].to_list()]
    return pl.coalesce(pl.lit(pl.Series(texts, dtype=pl.String)), fide, pl.lit(""))


def _field(pairs: Iterable[dict[str, str]]) -> str:
    return identifiers_field(sorted((pair["scheme"], pair["value"]) for pair in pairs))


def state_columns(listed: pl.DataFrame, day: date, rules: ChessRules) -> dict[str, pl.Expr]:
    """Return the columns of the states of players on an imported list of a day, under the rules of that day (8.56).

    Only a new player's K makes a player new: if K says nothing, the first games count as over.
    """
    rating, k, rated = pl.col("rating"), pl.col("k"), pl.col("rating").is_not_null()
    values = [value for value in listed["k"].unique() if value is not None]
    reached = k.is_in([value for value in values if top_was_reached(value, rules)]).fill_null(value=False)
    left = k.is_in([value for value in values if first_games_are_left(value, rules)]).fill_null(value=False)
    new = left & ~_junior(listed, day, rules)
    top = pl.max_horizontal(rating, pl.lit(rules.k_top_from.value))
    inactive = pl.col("inactive") & rated
    last = pl.when(inactive).then(pl.lit(last_list_of_inactive(day, rules), pl.Date))
    states: dict[str, Any] = {
        "rated_games": pl.when(rated & ~new).then(rules.k_new_games.value).otherwise(0),
        "peak": pl.when(rated & reached).then(top).otherwise(rating).fill_null(0),
        "imported_k": pl.when(rated).then(k),
        "last_list": last.when(rated).then(pl.lit(day, pl.Date)),
        "state_inactive": inactive,
        "state_delisted": pl.lit(value=False),
    }
    return dict.fromkeys(STATE, pl.lit(None)) | states


def _junior(listed: pl.DataFrame, day: date, rules: ChessRules) -> pl.Expr:
    """Return whether each player has the K of juniors."""
    if not (rules.k_junior_until and rules.k_junior_below):
        return pl.lit(value=False)
    until = rules.k_junior_until.value
    young = [text for text in listed["born"].unique() if until(to_birth(text), day)]
    return (pl.col("rating") < rules.k_junior_below.value) & pl.col("born").is_in(young)
