"""The players on a list: their ratings, states and lines, and the list as it is stored and as the public sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import parse_head
from arpad.lists.published import EMPTY_STATE
from arpad.lists.published_table import ListTable, file_columns, list_table
from arpad.lists.table import LINE, line_text, lines_bytes, state_text
from arpad.office.lists.block_rows import ratings_of, read_figures, read_players, read_table
from arpad.office.lists.rows import Publication
from arpad.office.register.hidden_rows import hidden


def states(
    connection: Connection,
    publication: int,
    players: Iterable[int] | None = None,
    *,
    with_empty: bool = False,
) -> dict[int, str]:
    """Return the states of all players of a publication, or of some.

    The titled unrated are only shown; ``with_empty`` returns their empty states too.
    """
    pairs: Iterable[tuple[int, str]]
    if players is None:
        table = read_table(connection, publication)
        pairs = table.select("player", state_text(table)).iter_rows()
    else:
        pairs = ((it.player, it.state_text()) for it in read_figures(connection, publication, players))
    return {player: state for player, state in pairs if with_empty or state != EMPTY_STATE}


def ratings(connection: Connection, publication: int, players: Iterable[int] | None = None) -> dict[int, int]:
    """Return the ratings of all rated players of a publication, or of some."""
    if players is not None:
        return ratings_of(connection, publication, players)
    return dict(read_table(connection, publication, ("player", "rating")).drop_nulls().iter_rows())


def chess_figures(
    connection: Connection, publication: Publication, players: Collection[int]
) -> Iterator[tuple[int, int | None, int | None, int, int, bool]]:
    """Yield the states of some players of a chess list in figures.

    Player, rating, imported K, games, peak, and whether an event of an unrated player counts already.
    """
    for it in read_figures(connection, publication.id, players):
        yield it.player, it.rating, it.imported_k, it.rated_games, it.peak, it.pool is not None


def rated_from(connection: Connection, publication: int, least: int) -> dict[int, tuple[int, int]]:
    """Return the players of a chess list with at least a rating: player → rating and games so far."""
    table = read_table(connection, publication, ("player", "rating", "rated_games"))
    rows = table.filter(pl.col("rating") >= least).iter_rows()
    return {player: (rating, games) for player, rating, games in rows}


def lines(connection: Connection, publication: int, players: Iterable[int] | None = None) -> dict[int, str]:
    """Return the published lines of all players of a publication, or of some."""
    table = (
        read_table(connection, publication)
        if players is None
        else read_players(connection, publication, players)
    )
    return dict(table.filter("listed").select("player", line_text()).iter_rows())


def shown_rows(
    connection: Connection, publication: int, players: Iterable[int]
) -> dict[int, tuple[Any, ...]]:
    """Return what a ranking shows of some players of a publication: player → the values of ``SHOWN``."""
    table = read_players(connection, publication, players)
    rows = zip(*(table[name].to_list() for name in SHOWN), strict=True)
    return {row[0]: row for row in rows}


SHOWN = (
    "player", "name", "federation", "sex", "title", "women_title", "other_titles", "category", "rating", "games", "k",
    "born", "inactive",
)  # fmt: skip


_COLUMNS = ("player", "rating", *LINE)


def canonical_text(connection: Connection, publication: Publication) -> bytes:
    """Return the canonical text as it is stored."""
    return lines_bytes(read_table(connection, publication.id, _COLUMNS), publication.head)


def public_list(connection: Connection, publication: Publication) -> ListTable:
    """Return the public form of a list: without the players who asked not to be shown.

    If the list has no such player, it is the list that was published.
    """
    table = read_table(connection, publication.id, file_columns(publication.list))
    whole = list_table(parse_head(publication.head), table)
    shown = whole.frame.filter(~pl.col("player").is_in(sorted(hidden(connection))))
    left_off = len(whole.frame) - len(shown)
    if not left_off:
        return whole
    return replace(whole, frame=shown, left_off=left_off, whole_digest=publication.digest)
