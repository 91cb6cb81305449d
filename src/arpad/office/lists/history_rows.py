"""The players on lists: their ratings, states and lines, and one player on all lists.

The history has a line for each list on which something differs from the list before. The list before is the one that a
list starts from; for an imported list, the one that was entered before it. Where a list has no line of a player, the
line of the list before it is still valid, except that no game was rated. The first list of a name has no lines: its
players are in its blocks. So twenty years of lists are read as fast as one.

The lines of the players of 64 consecutive numbers are one row, so that a list of half a million players adds some
thousand rows.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import polars as pl
from sqlalchemy import Connection, bindparam, delete, select

from arpad.lists.canonical import parse_head, unescape
from arpad.lists.published import EMPTY_STATE
from arpad.lists.published_table import ListTable, file_columns, list_table
from arpad.lists.rankings import Rankings, compute_rankings
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, seal_table
from arpad.lists.table import (
    LINE,
    STATE,
    Figures,
    escaped_text,
    has_state,
    line_texts,
    lines_bytes,
    state_text,
)
from arpad.model.canonical_json import load
from arpad.model.errors import Unreadable
from arpad.model.rules import ListName
from arpad.office.lists.block_rows import add_blocks, ratings_of, read_figures, read_players, read_table
from arpad.office.lists.page_rows import add_rankings
from arpad.office.lists.rows import Publication, add_publication, ever_published
from arpad.office.lists.tables import BASE, list_history, ranking_pages, rankings
from arpad.office.register.number_rows import hidden
from arpad.store.bulk import cached_until_act, fetch_rows, kept_value, rows_with
from arpad.store.columns import add_columns
from arpad.store.damaged_rows import differing_rows
from arpad.store.proved_rows import MOST_NAMED, shown_values
from arpad.system.batches import thread_if

_TOGETHER = 64
"""Numbers of players whose lines are one row."""

ABSENT, COMPUTED, LISTED = range(3)
"""How a list shows a player: not at all; computed but not published; published."""

_STATE = ("rating", "entered", "entry", "last_list", "state_delisted", "state_inactive", "pool", "state")
"""The columns of a state that change if something happened to the player.

Games and peak change with them, or when the K of an imported list is read for what it says about the past; that is no
event of the player's.
"""

_SHOWN = ("shown", "rating", "k", "inactive", "category")
READ = ("player", "rating", "listed", "games", "k", "inactive", "category", *STATE)
"""The columns of a list that its history is made from."""


class HistoryRow(NamedTuple):
    """A player on one list."""

    shown: int
    rating: int | None
    games: int
    """Rated in the period of the list."""

    k: int | None
    inactive: int
    category: str
    changed: int
    """Whether the state differs from that on the list before."""

    def happened(self, on_list: ListName) -> bool:
        """Return whether the list did something to the player.

        The list before one of the office's own is the imported one, so there the games and the change count.
        """
        return bool(self.changed) and not (on_list.is_own and self.k == 0 and not self.games)


def add_history(connection: Connection, publication: Publication, changes: pl.DataFrame | None) -> None:
    """Add the history rows of a list, None if it has no list before it."""
    if changes is not None:
        add_columns(connection, list_history, changes, publication=publication.id)


def history_rows(
    connection: Connection, publication: Publication, table: pl.DataFrame
) -> list[tuple[Any, ...]]:
    """Return the history rows of a list whose players are ``table``."""
    changes = read_changes(connection, publication, table)
    return [] if changes is None else [(publication.id, *row) for row in changes.iter_rows()]


def read_changes(
    connection: Connection, publication: Publication, table: pl.DataFrame
) -> pl.DataFrame | None:
    """Return the history of a list whose players are ``table``, without the list; None if no list is before it."""
    before = _list_before(publication, {p.id: p for p in ever_published(connection)})
    if before is None:
        return None
    columns_before = kept_value(
        connection, "history", before, lambda: history_columns(read_table(connection, before, READ))
    )
    columns = kept_value(connection, "history", publication.id, lambda: history_columns(table))
    return _packed(_changes(columns_before, columns))


def changes_between(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the history of a list, without the list, from the list before it; both have the columns ``READ``."""
    return _packed(_changes(history_columns(before), history_columns(after)))


def _list_before(publication: Publication, publications: Mapping[int, Publication]) -> int | None:
    """Return the list before a list, also if it was taken back since."""
    if publication.base is not None:
        return publication.base
    earlier = [p.id for p in publications.values() if p.list == publication.list and p.id < publication.id]
    return max(earlier, default=None)


def history_columns(table: pl.DataFrame) -> pl.DataFrame:
    """Return what the history compares: the columns of a row, and those that tell whether the state changed."""
    return table.select(_compared())


@cache
def _compared() -> tuple[pl.Expr, ...]:
    category = pl.col("state").str.json_path_match("$.category").fill_null("")
    return (
        pl.col("player").set_sorted(),  # sorted numbers are joined in a third of the time
        pl.when("listed").then(LISTED).otherwise(COMPUTED).cast(pl.Int32).alias("shown"),
        pl.col("games"),
        pl.col("k"),
        pl.when("listed").then("inactive").otherwise("state_inactive").cast(pl.Int32).alias("inactive"),
        pl.when("listed").then("category").otherwise(category).alias("category"),
        has_state().alias("has_state"),
        *map(pl.col, _STATE),
    )


def _changes(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the players for whom something differs, by number, with the values of ``HistoryRow``."""
    joined = after.join(before, on="player", how="left", suffix="_before")
    gone = before.filter(~pl.col("player").is_in(after["player"].implode()))
    gone = gone.select("player", pl.exclude("player").name.suffix("_before"))
    rows = pl.concat([joined.filter(_DIFFERENT), gone], how="diagonal")
    return rows.select(_HISTORY_ROW).sort("player")


def _differs(*names: str) -> pl.Expr:
    return pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_before")) for name in names)


_CHANGED = _differs(*_STATE, "has_state")
_DIFFERENT = _CHANGED | _differs(*_SHOWN) | (pl.col("games") > 0)
_HISTORY_ROW = (
    pl.col("player"),
    pl.col("shown").fill_null(ABSENT),
    pl.when(pl.col("shown").is_not_null()).then("rating").alias("rating"),
    pl.col("games").fill_null(0),
    pl.col("k"),
    pl.col("inactive").fill_null(0),
    pl.col("category").fill_null(""),
    _CHANGED.cast(pl.Int32).alias("changed"),
)
"""The columns of ``HistoryRow`` after the player; a player who left the list is absent."""


def _packed(changes: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the table: the players of each block, a line each."""
    lines = changes.select((pl.col("player") // _TOGETHER).alias("block").set_sorted(), _LINE)
    return lines.group_by("block", maintain_order=True).agg(pl.col("changes").str.join(""))


_LINE = pl.concat_str(
    pl.lit("\n"),
    pl.concat_str(
        [
            (escaped_text(name) if name == "category" else pl.col(name).cast(pl.String)).fill_null("")
            for name in ("player", *HistoryRow._fields)
        ],
        separator="\t",
    ),
).alias("changes")
"""A player and the values of ``HistoryRow``, after the end of the line before."""


def row_of(changes: str, player: int) -> HistoryRow | None:
    """Return the line of a player among those of a block; None if there is none."""
    _, number, following = changes.partition(f"\n{player}\t")
    if not number:
        return None
    shown, rating, games, k, inactive, category, changed = following.partition("\n")[0].split("\t")
    return HistoryRow(
        int(shown), int(rating) if rating else None, int(games), int(k) if k else None, int(inactive),
        unescape(category), int(changed),
    )  # fmt: skip


def players_of(block: int) -> str:
    """Return the numbers of the players whose lines are one row, as people write them."""
    return f"{block * _TOGETHER}–{block * _TOGETHER + _TOGETHER - 1}"


def player_history(connection: Connection, player: int) -> dict[int, HistoryRow]:
    """Return a player on every list that has the player: publication → row."""
    before, first_lists = _lists_before(connection)
    rows = {
        number: _first_row(figures)
        for number in first_lists
        for figures in read_figures(connection, number, [player])
    }
    for publication, _, changes in _blocks(connection, [*before], [player]):
        if (changed := row_of(changes, player)) is not None:
            rows[publication] = changed
    history: dict[int, HistoryRow] = {}
    unchanged: dict[int, HistoryRow] = {}
    for number, earlier in before.items():
        row = rows.get(number)
        if row is None and earlier in unchanged:
            row = unchanged[earlier]
            history[number] = unchanged[number] = row
        elif row is not None and row.shown != ABSENT:
            history[number], unchanged[number] = row, row._replace(games=0, changed=0)
    return history


def _blocks(
    connection: Connection, publications: Iterable[int], players: Iterable[int]
) -> Iterator[tuple[int, int, str]]:
    """Yield the rows of some lists that may have lines of some players."""
    blocks = sorted({player // _TOGETHER for player in players})
    yield from rows_with(connection, _BLOCKS, list_history.c.publication, publications, blocks=blocks)


_BLOCKS = select(list_history).where(list_history.c.block.in_(bindparam("blocks", expanding=True)))


@cached_until_act
def _lists_before(connection: Connection) -> tuple[dict[int, int | None], tuple[int, ...]]:
    """Return the list before each list ever published, by number, and the lists without one."""
    publications = {p.id: p for p in ever_published(connection)}
    before = {number: _list_before(publications[number], publications) for number in sorted(publications)}
    return before, tuple(number for number, earlier in before.items() if earlier is None)


def changed_ratings(
    connection: Connection, publications: Sequence[int], players: Sequence[int]
) -> dict[int, dict[int, int | None]]:
    """Return where something differs for players on some lists: player → list → rating, None if not published."""
    by_block: dict[int, list[int]] = {}
    for player in sorted({*players}):
        by_block.setdefault(player // _TOGETHER, []).append(player)
    ratings: dict[int, dict[int, int | None]] = {}
    for publication, block, changes in _blocks(connection, publications, players):
        for player in by_block[block]:
            if (row := row_of(changes, player)) is not None:
                ratings.setdefault(player, {})[publication] = row.rating if row.shown == LISTED else None
    return ratings


def _first_row(of: Figures) -> HistoryRow:
    """Return the row of a player on a list without a list before it: what ``_compared`` reads from the columns."""
    state = of.state_text()
    category = of.category if of.listed else str(load(state).get("category") or "")
    return HistoryRow(
        LISTED if of.listed else COMPUTED, of.rating, of.games, of.k,
        int(of.inactive if of.listed else of.state_inactive), category, int(state != EMPTY_STATE),
    )  # fmt: skip


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
    return dict(zip(table.filter("listed")["player"], line_texts(table), strict=True))


def shown_rows(
    connection: Connection, publication: int, players: Iterable[int]
) -> dict[int, tuple[Any, ...]]:
    """Return what a ranking shows of some players of a publication: player → the values of ``SHOWN``."""
    table = read_players(connection, publication, players)
    rows = zip(*(table[name].to_list() for name in SHOWN), strict=True)
    return {row[0]: row for row in rows}


SHOWN = (
    "player", "name", "federation", "sex", "title", "women_title", "category", "rating", "games", "k",
    "born", "inactive", "own",
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


def add_list(
    connection: Connection,
    publication: Publication,
    table: pl.DataFrame,
    blocks: Sequence[SealedBlock] | None = None,
    rankings: Future[Rankings] | None = None,
    changes: pl.DataFrame | None = None,
) -> None:
    """Add a list with the players of a table.

    ``blocks`` are the same players, if a draft has sealed them; ``rankings`` are those of the list and ``changes`` what
    differs from the list before it, if somebody computes them.
    """
    add_publication(connection, publication)
    with thread_if(much=len(table) > BLOCK) as thread:  # the rankings are computed while other rows are added
        ranking = rankings or thread.submit(rankings_of, publication, table)
        add_blocks(connection, publication.id, seal_table(table) if blocks is None else blocks)
        changed = read_changes(connection, publication, table) if changes is None else changes
        add_history(connection, publication, changed)
        add_rankings(connection, publication.id, ranking.result())


def rankings_of(publication: Publication, table: pl.DataFrame) -> Rankings:
    """Return the rankings of a list; none of a corrected start, which is not shown."""
    if publication.kind == BASE:
        return Rankings([], [])
    return compute_rankings(list_table(parse_head(publication.head), table))


def renew_derived(connection: Connection, publication: Publication) -> None:
    """Store the history and the rankings of a list again, after an erasure changed its players."""
    table = read_table(connection, publication.id)
    for derived in (list_history, ranking_pages, rankings):
        connection.execute(delete(derived).where(derived.c.publication == publication.id))
    add_history(connection, publication, read_changes(connection, publication, table))
    add_rankings(connection, publication.id, rankings_of(publication, table))


def differing_of_list(
    connection: Connection, publication: Publication, table: pl.DataFrame
) -> Iterator[tuple[str, str]]:
    """Yield table and key of the rows that do not follow from the players of a list: history and rankings."""
    number, own = publication.id, {"publication": publication.id}
    for row in _differing_history(connection, number, history_rows(connection, publication, table)):
        yield "list_history", row
    try:
        computed = rankings_of(publication, table)
    except Unreadable:
        yield "publications", str(number)
        return
    for name, expected in (("ranking_pages", computed.pages), ("rankings", computed.totals)):
        for row in differing_rows(connection, name, own, [(number, *row) for row in expected]):
            yield name, row


def _differing_history(
    connection: Connection, publication: int, expected: Iterable[tuple[Any, ...]]
) -> list[str]:
    """Return list and player of the lines of a history that are not those expected."""
    query = select(list_history).where(list_history.c.publication == publication)
    rows = {tuple(row) for row in fetch_rows(connection, query)}
    computed_rows = set(expected)
    names: set[tuple[int, str]] = set()
    for block in {block for _, block, _ in rows ^ computed_rows}:
        stored, computed = (
            {line for _, other, changes in part if other == block for line in str(changes).split("\n")}
            for part in (rows - computed_rows, computed_rows - rows)
        )
        players = {line.partition("\t")[0] for line in stored ^ computed} - {""}
        names |= {(block, player) for player in players or {players_of(block)}}
    return [shown_values((publication, player)) for _, player in sorted(names)[:MOST_NAMED]]
