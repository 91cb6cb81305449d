"""The players on a list: their ratings, states and lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl
from sqlalchemy import Connection

from arpad.lists.published import EMPTY_STATE
from arpad.lists.table import line_text, state_text
from arpad.store.list_blocks import ratings_of, read_few_figures, read_figures, read_players, read_table
from arpad.store.lists import Publication

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.lists.engine.player_index import RowIndex


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
    if players is None:
        figures = read_few_figures(connection, publication)
    else:
        figures = read_figures(connection, publication, players)
    pairs: Iterable[tuple[int, str]]
    if figures is None:
        table = read_table(connection, publication)
        pairs = table.select("player", state_text(table)).iter_rows()
    else:
        pairs = ((it.player, it.state_text()) for it in figures)
    return {player: state for player, state in pairs if with_empty or state != EMPTY_STATE}


def ratings(connection: Connection, publication: int, players: Iterable[int] | None = None) -> dict[int, int]:
    """Return the ratings of all rated players of a publication, or of some."""
    if players is not None:
        return ratings_of(connection, publication, players)
    return dict(read_table(connection, publication, ("player", "rating")).drop_nulls().iter_rows())


MANY_PLAYERS = 1000
"""From this number of players on, figures are taken from the whole list, which the process then keeps."""

_FIGURES = ("player", "rating", "imported_k", "rated_games", "peak")
_KEPT = 4


class FigureColumns(NamedTuple):
    """The states of all players of a chess list in figures, by player."""

    row_index: RowIndex | None
    """The rows of the players, if the list is kept."""

    players: NDArray[Any]
    ratings: NDArray[Any]
    ks: NDArray[Any]
    """Imported K."""

    games: NDArray[Any]
    peaks: NDArray[Any]
    counted: NDArray[Any]
    """Whether an event of an unrated player counts already."""

    def rows(self, players: NDArray[Any]) -> NDArray[Any]:
        """Return the row of each player, -1 for a player who is not on the list."""
        import numpy as np

        if self.row_index is not None:
            return self.row_index.rows(players)
        if not len(self.players):
            return np.full(len(players), -1)
        rows = np.minimum(np.searchsorted(self.players, players), len(self.players) - 1)
        return np.where(self.players[rows] == players, rows, -1)


NO_FIGURE = -1
"""A rating or a K that a player does not have."""

_kept: dict[tuple[int, str], FigureColumns] = {}
"""The figures of the lists used last, by number and digest: a list never changes."""


def figure_columns(
    connection: Connection, publication: Publication, players: Collection[int]
) -> FigureColumns:
    """Return the figures of at least these players of a chess list; of all if they are many, and then keep them."""
    key = publication.id, publication.standings_digest
    columns = _kept.get(key)
    if columns is not None:
        return columns
    if len(players) < MANY_PLAYERS:
        table = read_players(connection, publication.id, players).select(*_FIGURES, "pool").sort("player")
    else:
        table = read_table(connection, publication.id, (*_FIGURES, "pool"))
    table = table.with_columns(
        pl.col("rating", "imported_k").fill_null(NO_FIGURE), pl.col("pool").is_not_null()
    )
    figures = [table[name].to_numpy() for name in (*_FIGURES, "pool")]
    if len(players) < MANY_PLAYERS:
        return FigureColumns(None, *figures)
    from arpad.lists.engine.player_index import RowIndex

    while len(_kept) >= _KEPT:
        del _kept[next(iter(_kept))]
    _kept[key] = FigureColumns(RowIndex(figures[0]), *figures)
    return _kept[key]


def chess_figures(
    connection: Connection, publication: Publication, players: Collection[int]
) -> Iterator[tuple[int, int | None, int | None, int, int, bool]]:
    """Yield the states of some players of a chess list in figures.

    Player, rating, imported K, games, peak, and whether an event of an unrated player counts already.
    """
    kept = (publication.id, publication.standings_digest) in _kept
    if not kept and len(players) < MANY_PLAYERS:
        for it in read_figures(connection, publication.id, players):
            yield it.player, it.rating, it.imported_k, it.rated_games, it.peak, it.pool is not None
        return
    import numpy as np

    columns = figure_columns(connection, publication, players)
    rows = columns.rows(np.array(sorted(players), np.int64))
    _, *all_figures = columns
    figures = (column[rows[rows >= 0]].tolist() for column in all_figures)
    for player, rating, k, games, peak, counted in zip(*figures, strict=True):
        yield (
            player, None if rating == NO_FIGURE else rating, None if k == NO_FIGURE else k, games, peak, counted,
        )  # fmt: skip


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
    "player", "name", "federation", "sex", "title", "women_title", "category", "rating", "games", "k", "born",
    "inactive",
)  # fmt: skip
