"""Queries of the pages of lists: the office at a moment, ratings, and what changed between two lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars as pl
from sqlalchemy import Connection

from arpad.office.lists import line_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_figures, read_table
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.register.hidden_rows import hidden_version
from arpad.store import act_cache
from arpad.store.act_cache import cached_until_act


@dataclass(frozen=True, slots=True)
class OfficeSnapshot:
    """Values that nearly every page needs; they change only with an act of the office."""

    head: str
    """The seal of the last act: every act that changes what is shown adds one to the ledger."""

    publications: tuple[Publication, ...]
    """Every list that visitors may see."""

    taken_back: tuple[Publication, ...]
    hidden_version: str
    """A text that changes with the set of hidden players, for ETags, which must not reveal who they are."""


@cached_until_act
def snapshot(connection: Connection) -> OfficeSnapshot:
    """Return the snapshot that this transaction sees."""
    return OfficeSnapshot(
        head=act_cache.head(connection),
        publications=publications_shown(connection),
        taken_back=tuple(
            p for p in lists.ever_published(connection) if p.kind != BASE and p.taken_back is not None
        ),
        hidden_version=hidden_version(connection),
    )


def publications_shown(connection: Connection) -> tuple[Publication, ...]:
    """Return every list that visitors may see."""
    return tuple(p for p in lists.all_publications(connection) if p.kind != BASE)


def published_ratings(
    connection: Connection, publication: int, players: Sequence[int]
) -> dict[int, int | None]:
    """Return the published ratings of these players; a titled player may be on a list without a rating."""
    figures = read_figures(connection, publication, players)
    return {it.player: it.rating for it in figures if it.listed}


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A player's published line and the ratings on two lists; None if the player is not on a list."""

    player: int
    line: str
    old: int | None
    new: int | None


def largest_changes(
    connection: Connection, old: int, new: int, most: int, hidden: Collection[int]
) -> list[RatingChange]:
    """Return the players rated on two publications whose rating changed most, except hidden ones."""
    both = _changes(connection, old, new).drop_nulls(("old", "new"))
    both = both.filter(~pl.col("player").is_in(list(hidden)))
    largest = both.sort((pl.col("new") - pl.col("old")).abs(), "player", descending=(True, False)).head(most)
    return _with_lines(connection, new, largest)


def newly_rated(connection: Connection, old: int, new: int, hidden: Collection[int]) -> list[RatingChange]:
    """Return the players who have a rating on the second publication and none on the first, except hidden ones."""
    changes = _changes(connection, old, new).filter(pl.col("old").is_null() & pl.col("new").is_not_null())
    return _with_lines(connection, new, changes.filter(~pl.col("player").is_in(list(hidden))))


def all_changes(connection: Connection, old: int, new: int) -> list[RatingChange]:
    """Return the players whose published rating differs between two publications, also if on one of them only."""
    changes = _changes(connection, old, new)
    on_new = pl.col("listed").fill_null(value=False)
    return [
        *_with_lines(connection, new, changes.filter(on_new)),
        *_with_lines(connection, old, changes.filter(~on_new)),
    ]


def _changes(connection: Connection, old: int, new: int) -> pl.DataFrame:
    """Return the players whose published rating differs: player, listed on the new list, old and new rating.

    A player who is computed and not published has no published rating.
    """
    columns = ("player", "rating", "listed")
    after, before = (read_table(connection, publication, columns) for publication in (new, old))
    after = after.filter("listed").select("player", "listed", new="rating")
    before = before.filter("listed").select("player", old="rating")
    joined = after.join(before, on="player", how="full", coalesce=True)
    return joined.filter(pl.col("new").ne_missing(pl.col("old"))).sort("player")


def _with_lines(connection: Connection, publication: int, changes: pl.DataFrame) -> list[RatingChange]:
    """Return changes with the lines of a publication."""
    lines = list_rows.lines(connection, publication, changes["player"])
    rows = changes.select("player", "old", "new").iter_rows()
    return [RatingChange(player, lines[player], old, new) for player, old, new in rows]
