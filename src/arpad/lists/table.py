"""A list as a table: one row for each player by number, with the published line and the state behind it in columns.

The texts of a list (canonical lines, states, files) are expressions over these columns, so that nothing is done player
by player. ``lists.canonical`` and ``model.json_values`` write the same texts from values; tests hold that both agree.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

import polars as pl

from arpad.lists.canonical import (
    DELISTED,
    ESCAPES,
    INACTIVE,
    escape,
    identifiers_field,
    parse_line,
    unescape,
)
from arpad.lists.published import EMPTY_STATE, ListedPlayer, StoredPlayer
from arpad.model.chess import PlayerState
from arpad.model.json_values import from_state, pool_text, to_pool, to_state
from arpad.regulations.rating_system import System
from arpad.system.text_columns import TOGETHER, joined_lines, looked_up, one_text

LINE = {
    "listed": pl.Boolean,
    "name": pl.String,
    "federation": pl.String,
    "sex": pl.String,
    "title": pl.String,
    "women_title": pl.String,
    "other_titles": pl.String,
    "category": pl.String,
    "games": pl.Int32,
    "k": pl.Int32,
    "born": pl.Int32,
    "inactive": pl.Boolean,
    "delisted": pl.Boolean,
    "identifiers": pl.String,
    "own": pl.String,
}
"""The published line. ``listed`` is whether the list shows the player; if not, the other columns are blank.

``identifiers`` is the last field of a canonical line. On the list of a rating system ``category`` is the printed
rating, ``k`` the change, and ``own`` has the system's own columns as fields of a line, a tab before each; on other
lists ``own`` is null.
"""


STATE = {
    "rated_games": pl.Int32,
    "peak": pl.Int32,
    "imported_k": pl.Int32,
    "entered": pl.Date,
    "entry": pl.Int32,
    "last_list": pl.Date,
    "state_delisted": pl.Boolean,
    "state_inactive": pl.Boolean,
    "pool": pl.String,
    "state": pl.String,
}
"""The state behind the list: of a chess player in figures, with the pending events of an unrated player as canonical
JSON (``pool``); of a draughts player as canonical JSON (``state``). Nothing is said twice."""

SCHEMA: dict[str, Any] = {"player": pl.Int64, "rating": pl.Int32, **LINE, **STATE}
"""All columns; ``rating`` belongs to the line and to the state."""


class Figures(NamedTuple):
    """The columns of a player that say nothing about who it is: a block of them is opened in a third of the time."""

    player: int
    rating: int | None
    listed: bool
    category: str
    games: int
    k: int | None
    inactive: bool
    rated_games: int
    peak: int
    imported_k: int | None
    entered: date | None
    entry: int | None
    last_list: date | None
    state_delisted: bool
    state_inactive: bool
    pool: str | None
    state: str | None

    def state_text(self) -> str:
        """Return the state as canonical JSON: what the expression ``state_text`` returns, for one player."""
        if self.state is not None:
            return self.state
        tranches = to_pool(self.pool) if self.pool is not None else ()
        return from_state(
            PlayerState(
                self.player, self.rating, self.rated_games, self.peak, self.imported_k, self.entered, self.entry,
                self.last_list, tranches, self.state_delisted, self.state_inactive,
            )
        )  # fmt: skip


_CONTROLS = bytes(range(ord(" ")))
"""The control characters."""

_PERSON = ("name", "federation", "sex", "title", "women_title", "other_titles", "category")
_NO_LINE = {
    name: False if kind == pl.Boolean else "" if kind == pl.String else None for name, kind in LINE.items()
} | {"games": 0, "own": None}
_NO_STATE: dict[str, Any] = dict.fromkeys(STATE) | {
    "rated_games": 0,
    "peak": 0,
    "state_delisted": False,
    "state_inactive": False,
}


# --------------------------------------------------------------------------------------------------------- texts


@cache
def _line_fields(escaped: tuple[str, ...]) -> tuple[pl.Expr, ...]:
    """Return the fields of the canonical line of each player, some with escapes."""
    flags = (
        pl.when(pl.col("inactive") & pl.col("delisted"))
        .then(pl.lit(INACTIVE + DELISTED))
        .when("inactive")
        .then(pl.lit(INACTIVE))
        .when("delisted")
        .then(pl.lit(DELISTED))
        .otherwise(pl.lit(""))
    )
    figures = [pl.col(name) for name in ("rating", "games", "k", "born")]
    person = (escaped_text(name) if name in escaped else pl.col(name) for name in _PERSON)
    return (pl.col("player"), *person, *figures, flags.alias("flags"), pl.col("identifiers"))


@cache
def _system_fields(escaped: tuple[str, ...]) -> tuple[pl.Expr, ...]:
    """Return the fields of the line of each player of a rating system, some with escapes."""
    name, federation, printed = (
        escaped_text(it) if it in escaped else pl.col(it) for it in ("name", "federation", "category")
    )
    return (
        pl.col("player"), name, federation, pl.col("born"), pl.col("rating"), pl.concat_str(printed, "own"),
        pl.col("games"), pl.col("k"), pl.col("identifiers"),
    )  # fmt: skip


def escaped_text(column: str) -> pl.Expr:
    """Return the texts of a column as fields of a line."""
    return pl.col(column).cast(pl.String).str.replace_many(ESCAPES)


def escaped_lines(
    table: pl.DataFrame, plain: Sequence[pl.Expr], escaped: Sequence[pl.Expr], where: pl.Expr | None = None
) -> Iterator[bytes]:
    """Yield a line for each row, or for some, many at once: the fields as they are, or escaped if a text needs it.

    Few texts have something to escape. A search in all lines takes an eighth of the time of one in each field.
    """
    for rows in table.iter_slices(TOGETHER):
        shown = rows if where is None else rows.filter(where)
        lines = joined_lines(shown, plain)
        controls = len(lines) - len(lines.translate(None, _CONTROLS))
        if controls != shown.height * len(plain) or b"\\" in lines:
            lines = joined_lines(shown, escaped)
        yield lines


def state_text(table: pl.DataFrame) -> pl.Expr:
    """Return the state of each player of a table as canonical JSON."""
    fields = {
        "state_delisted": pl.when("state_delisted").then(pl.lit('"delisted":true')),
        "entered": _day(table, "entered", "entered"),
        "entry": _figure(table, "entry", "entry"),
        "rated_games": _figure(table, "games", "rated_games", none=0),
        "state_inactive": pl.when("state_inactive").then(pl.lit('"inactive":true')),
        "imported_k": _figure(table, "k", "imported_k"),
        "last_list": _day(table, "last_list", "last_list"),
        "peak": _figure(table, "peak", "peak", none=0),
        "rating": _figure(table, "rating", "rating"),
        "pool": pl.concat_str(pl.lit('"tranches":'), "pool"),
    }
    # most lists have several fields that no player has; one field at least is needed
    some = [field for name, field in fields.items() if name == "peak" or not _is_blank(table[name])]
    text = pl.concat_str(pl.lit("{"), pl.concat_str(some, separator=",", ignore_nulls=True), pl.lit("}"))
    return (text if _is_blank(table["state"]) else pl.coalesce("state", text)).alias("state")


def _is_blank(column: pl.Series) -> bool:
    """Return whether a column has nothing in any row: null or false."""
    return not column.any() if column.dtype == pl.Boolean else column.null_count() == len(column)


def _figure(table: pl.DataFrame, key: str, column: str, none: int | None = None) -> pl.Expr:
    text = looked_up(table, column, pl.concat_str(pl.lit(f'"{key}":'), pl.col(column).cast(pl.String)))
    return text if none is None else pl.when(pl.col(column) != none).then(text)


def _day(table: pl.DataFrame, key: str, column: str) -> pl.Expr:
    day = pl.col(column).dt.to_string("%Y-%m-%d")
    return looked_up(table, column, pl.concat_str(pl.lit(f'"{key}":"'), day, pl.lit('"')))


@cache
def has_state() -> pl.Expr:
    """Return whether each player has a state; a titled player without a rating may have none.

    The columns tell it: to write the texts and compare them takes ten times as long.
    """
    figures = [name for name, none in _NO_STATE.items() if none is None and name != "state"]
    return pl.any_horizontal(
        pl.col("rating", *figures).is_not_null(),
        pl.col("rated_games", "peak").fill_null(0) != 0,
        pl.col("state_delisted", "state_inactive").fill_null(value=False),
        pl.col("state").fill_null(EMPTY_STATE) != EMPTY_STATE,
    )


@cache
def blank_unlisted() -> list[pl.Expr]:
    """Return the columns of the line, blank for players whom the list does not show."""
    return [
        pl.when("listed").then(name).otherwise(pl.lit(value, SCHEMA[name])).alias(name)
        for name, value in _NO_LINE.items()
        if name != "listed"
    ]


@cache
def is_canonical(system: System[Any, Any]) -> pl.Expr:
    """Return whether each row has values only in the columns that its texts show, and a state that fits its rating."""
    no_line = pl.all_horizontal(
        pl.col(name).eq_missing(pl.lit(value, SCHEMA[name])) for name, value in _NO_LINE.items()
    )
    no_figures = pl.all_horizontal(
        pl.col(name).eq_missing(pl.lit(value, SCHEMA[name]))
        for name, value in _NO_STATE.items()
        if name != "state"
    )
    if system.stored.in_columns:
        fits = pl.col("state").is_null()
    elif system.is_own:
        fits = no_figures
    else:
        capital = pl.col("state").str.json_path_match("$.capital").cast(pl.Int32, strict=False)
        fits = no_figures & (pl.col("state").is_null() | capital.eq_missing(pl.col("rating")))
    has_own = (pl.col("listed") & pl.lit(system.is_own)) == pl.col("own").is_not_null()
    return (pl.col("listed") | no_line) & fits & has_own


def lines_bytes(table: pl.DataFrame, head: str = "") -> bytes:
    """Return the canonical lines of the listed players, each with its end, after a head."""
    return one_text(head.encode(), listed_lines(table))


def line_texts(table: pl.DataFrame) -> list[str]:
    """Return the canonical lines of the listed players."""
    return lines_bytes(table).decode().split("\n")[:-1]


def listed_lines(table: pl.DataFrame) -> Iterator[bytes]:
    """Yield the canonical lines of the listed players, each with its end, many at once."""
    columns = table.select("player", "rating", *LINE)
    fields = _line_fields if columns["own"].null_count() == columns.height else _system_fields
    return escaped_lines(columns, fields(()), fields(_PERSON), where=pl.col("listed"))


def standings_bytes(table: pl.DataFrame) -> bytes:
    """Return the number and the state of each player with a state, a line each."""
    states = table.select("player", "rating", *STATE)
    return joined_lines(states, ("player", state_text(table)), where=has_state())


# ------------------------------------------------------------------------------------------------- rows to and from


def table_of(rows: Iterable[StoredPlayer], system: System[Any, Any]) -> pl.DataFrame:
    """Return rows as a table, by player."""
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA}
    for row in sorted(rows):
        line = _NO_LINE if row.line is None else _line_columns(parse_line(row.line, own=system.is_own))
        values = {"player": row.player, "rating": row.rating, **line, **_state_columns(row.state, system)}
        for name, column in columns.items():
            column.append(values[name])
    return pl.DataFrame(columns, schema=SCHEMA)


def _line_columns(listed: ListedPlayer) -> dict[str, Any]:
    values = listed._asdict()
    return {
        **{name: values[name] for name in LINE if name != "listed"},
        "listed": True,
        "identifiers": identifiers_field(sorted(listed.identifiers)),
        "own": None if listed.own is None else "".join(f"\t{escape(it)}" for it in listed.own),
    }


def own_fields(own: str) -> tuple[str, ...]:
    """Return the system's own columns of a row, from their column of the table."""
    return tuple(map(unescape, own.split("\t")[1:]))


def _state_columns(state: str, system: System[Any, Any]) -> dict[str, Any]:
    if state == EMPTY_STATE:
        return _NO_STATE
    if not system.stored.in_columns:
        return _NO_STATE | {"state": state}
    it = to_state(0, state)
    return {
        "rated_games": it.games,
        "peak": it.peak,
        "imported_k": it.k,
        "entered": it.entered,
        "entry": it.entry,
        "last_list": it.last_list,
        "state_delisted": it.delisted,
        "state_inactive": it.inactive,
        "pool": pool_text(it.tranches) if it.tranches else None,
        "state": None,
    }


def rows_of(table: pl.DataFrame) -> Iterator[StoredPlayer]:
    """Yield the rows of a table, by player."""
    lines = iter(line_texts(table))
    rows = table.select("player", "rating", state_text(table), "listed")
    for player, rating, state, listed in rows.iter_rows():
        yield StoredPlayer(player, rating, state, next(lines) if listed else None)
