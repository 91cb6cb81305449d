"""Many players of the register at once, as columns."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

import polars as pl
from sqlalchemy import Connection, select

from arpad.lists.canonical import escape_number
from arpad.lists.input_tables import PERSON, PeopleTable
from arpad.store.bulk import add_rows, fetch_rows, in_values
from arpad.store.columns import columns_once
from arpad.store.kept_values import keeps_values, kept_value
from arpad.store.name_table import add_newcomers, word_table
from arpad.store.register import (
    COLUMNS,
    OF_PEOPLE,
    add_identifiers,
    changes_of_identifiers,
    load_people,
    titled,
    titled_later,
)
from arpad.store.schema import identifiers, player_facts, players
from arpad.system.text_columns import change_texts


def add_people_table(connection: Connection, people: pl.DataFrame, numbers: pl.DataFrame, act: int) -> None:
    """Add new players, their identifiers and the words of their names.

    ``people`` has the columns ``player`` and those of the facts, births as text; ``numbers`` has ``scheme``, ``value``
    and ``player``.
    """
    stored = [name for name in COLUMNS if name in people.columns]
    blank = ("",) * (len(COLUMNS) - len(stored)) + (act,)
    names = ("id", *stored, *(name for name in COLUMNS if name not in stored), "act")
    rows = people.select("player", *stored).iter_rows()
    add_rows(connection, players, names, (row + blank for row in rows))
    for part in numbers.select("scheme", "value", "player").iter_slices(_SLICE):
        add_identifiers(connection, part.rows(), act)
    add_newcomers(connection, word_table(people))


_SLICE = 100_000
"""Identifiers that are added at once."""


def all_players(connection: Connection) -> pl.Series:
    """Return the numbers of all players of the register."""
    return columns_once(connection, _ALL_PLAYERS, _REGISTERED)["player"]


def titled_players(connection: Connection, as_of_act: int | None = None) -> set[int]:
    """Return all players who have, or ever had, a player's title; from the register that is kept, if it is."""
    if not keeps_values(connection):
        return titled(connection, as_of_act)
    with_title = columns_once(connection, _ALL_PLAYERS, _REGISTERED).filter(_TITLED)
    if as_of_act is not None:
        with_title = with_title.filter(pl.col("act") <= as_of_act)
    return {*with_title["player"].to_list(), *titled_later(connection, as_of_act)}


_TITLED = (pl.col("title") != "") | (pl.col("women_title") != "")


def load_people_table(
    connection: Connection,
    numbers: pl.Series,
    *,
    on: date | None = None,
    as_of_act: int | None = None,
    without_schemes: Collection[str] = (),
) -> PeopleTable:
    """Return the same people as ``load_people``, for thousands of numbers, as a table.

    Players whose facts or identifiers changed since they were registered are few, and loaded one by one.
    """
    schemes = frozenset(without_schemes)
    load = _kept_people if keeps_values(connection) else _registered_people
    people = load(connection, numbers, as_of_act, schemes)
    if changed := _changed_players(connection, people):
        loaded = load_people(connection, changed, on=on, as_of_act=as_of_act, without_schemes=schemes)
        people = people.filter(~pl.col("player").is_in(changed))
        people = pl.concat([people, PeopleTable.of(loaded).frame], how="diagonal").sort("player")
    written = people["written"] if "written" in people.columns else None
    return PeopleTable(people.select(*PERSON), written)


def _registered_people(
    connection: Connection, numbers: pl.Series, as_of_act: int | None, without_schemes: frozenset[str]
) -> pl.DataFrame:
    """Return players as they were registered, with the identifiers that were known at an act."""
    people = columns_once(connection, _ALL_PLAYERS, _REGISTERED)
    people = people.filter(pl.col("player").is_in(numbers.implode())).sort("player")
    fields = _identifier_fields(connection, people, as_of_act, without_schemes)
    return people.join(fields, on="player", how="left", maintain_order="left").select(_AS_PERSON)


def _kept_people(
    connection: Connection, numbers: pl.Series, as_of_act: int | None, without_schemes: frozenset[str]
) -> pl.DataFrame:
    """Return the same players from the register that is kept, with their texts where these never change."""

    def read() -> pl.DataFrame:
        everybody = all_players(connection)
        people = _registered_people(connection, everybody, None, without_schemes)
        later = pl.Series(_with_later_identifiers(connection), dtype=pl.Int64)
        return people.with_columns(PeopleTable(people).texts(), later=pl.col("player").is_in(later.implode()))

    people = kept_value(connection, "register", without_schemes, read)
    people = people.filter(pl.col("player").is_in(numbers.implode()))
    if as_of_act is not None and people["later"].any():
        later = _registered_people(connection, people.filter("later")["player"], as_of_act, without_schemes)
        people = pl.concat([people.filter(~pl.col("later")), later], how="diagonal").sort("player")
    return people


def _with_later_identifiers(connection: Connection) -> list[int]:
    """Return the players with an identifier that came after them, so that not all of their lists knew it."""
    registered = columns_once(connection, _ALL_PLAYERS, _REGISTERED).select("player", registered="act")
    rows = columns_once(connection, _ALL_IDENTIFIERS, _IDENTIFIERS).join(registered, on="player")
    return rows.filter(pl.col("act") > pl.col("registered"))["player"].unique().to_list()


_NO_DEATH = pl.lit("").alias("died")
_AS_PERSON = [
    pl.col("identifiers").fill_null("")
    if name == "identifiers"
    else _NO_DEATH
    if name == "died"
    else pl.col(name)
    for name in PERSON
]
_REGISTERED: dict[str, Any] = {
    "player": pl.Int64,
    **{name: PERSON[name] for name in COLUMNS},
    "act": pl.Int64,
}
_ALL_PLAYERS = select(*(players.c[name] for name in ("id", *COLUMNS, "act")))
_IDENTIFIERS: dict[str, Any] = {"player": pl.Int64, "scheme": pl.String, "value": pl.String, "act": pl.Int64}
_ALL_IDENTIFIERS = select(*(identifiers.c[name] for name in _IDENTIFIERS))


def _changed_players(connection: Connection, people: pl.DataFrame) -> list[int]:
    """Return the players among these with a later fact, or an identifier that changed hands."""
    pairs = {(scheme, value) for scheme, value, _, _ in changes_of_identifiers(connection)}
    holders = {holder for *_, holder in changes_of_identifiers(connection) if holder is not None}
    for scheme in {scheme for scheme, _ in pairs}:
        query = select(identifiers.c.player).where(
            identifiers.c.scheme == scheme,
            in_values(connection, identifiers.c.value, [value for of, value in pairs if of == scheme]),
        )
        holders |= {player for (player,) in fetch_rows(connection, query)}
    later = select(player_facts.c.player).where(OF_PEOPLE).distinct()
    holders |= {player for (player,) in fetch_rows(connection, later)}
    return people.filter(pl.col("player").is_in(holders))["player"].to_list() if holders else []


def _identifier_fields(
    connection: Connection, people: pl.DataFrame, as_of_act: int | None, without_schemes: Collection[str]
) -> pl.DataFrame:
    """Return the identifiers of players as the last field of a canonical line, without those of some schemes."""
    rows = columns_once(connection, _ALL_IDENTIFIERS, _IDENTIFIERS)
    if without_schemes:
        rows = rows.filter(~pl.col("scheme").is_in(list(without_schemes)))
    if as_of_act is not None:
        registered = people.select("player", registered="act")
        rows = rows.join(registered, on="player").filter(
            (pl.col("act") <= as_of_act) | (pl.col("registered") > as_of_act)
        )
    rows = change_texts(rows, ~pl.col("value").str.contains("^[A-Za-z0-9]+$"), escape_number)
    return (
        rows.sort("player", "scheme", "value").group_by("player", maintain_order=True).agg(_IDENTIFIERS_FIELD)
    )


_IDENTIFIERS_FIELD = pl.concat_str("scheme", pl.lit("="), "value").str.join(" ").alias("identifiers")


def unknown_players(connection: Connection, numbers: pl.Series) -> list[int]:
    """Return the numbers that no player of the register has."""
    known = columns_once(connection, _ALL_PLAYERS, _REGISTERED)["player"]
    return numbers.filter(~numbers.is_in(known.implode())).to_list()
