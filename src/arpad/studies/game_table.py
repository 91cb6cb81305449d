"""The games of a history as a table, which ``replay``, ``whatif`` and ``monitor`` read alike.

The folder of an office's open data has two rows for each game, one for each player, and the days beside them in the
table of tournaments; ``simulate`` writes the same. A file of games, CSV or Parquet, or a folder with several in the
order of their names, has one row for each game:

``date`` (the day that decides the list; or ``first_day`` and ``last_day`` of the tournament), ``white``, ``black``,
``score`` (White's half-points) or ``result`` (``1-0``, ``1/2-1/2``, ``0-1``, ``+``, ``-``), and optionally ``event``,
``round``, ``white_rating``, ``black_rating``, and ``name``, ``city`` and ``federation`` of the tournament.
"""

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from arpad.model.errors import Unreadable
from arpad.model.people import YEARS
from arpad.model.rules import ListName
from arpad.model.typed_values import HIGHEST_RATING

BATCH = 1 << 18
"""Games of a Parquet file that are read at a time."""

SIDES = frozenset({"event", "player", "opponent", "colour", "score"})
"""Columns of the games of open data, a row for each player."""

ACCEPTED = "date, white, black, result, score, event, round"
RESULTS = {
    "0": 0, "0-1": 0, "0.0": 0, "=": 1, "0.5": 1, "½": 1, "1/2-1/2": 1, "½-½": 1, "1": 2, "1-0": 2, "1.0": 2,
    "+": 3, "-": 4,
}  # fmt: skip
FORFEITS_FROM = 3
"""Of the codes of results: half-points of White, then a win and a loss without a game."""

HIGHEST_ID = (1 << 63) - 1
EPOCH = date(1970, 1, 1).toordinal()
KINDS = (".parquet", ".csv")


def files_of(path: Path) -> list[Path]:
    """Return the files of games of a folder, or the file itself."""
    if not os.path.isdir(path):  # noqa: PTH112  unlike Path.is_dir it bears a name of any length
        return [path]
    for kind in KINDS:
        if (path / f"games{kind}").is_file():
            return [path / f"games{kind}"]
    files = sorted(it for it in path.rglob("*.parquet") if it.is_file())
    if not files:
        raise Unreadable("games-not-there", path=str(path), accepted="games.parquet, games.csv, *.parquet")
    return files


def table_beside(path: Path, name: str) -> pl.LazyFrame | None:
    """Return another table of a folder of open data, if the path is one or its games, and the table is there."""
    folder = path if path.is_dir() else path.parent
    if not any((folder / f"lists{kind}").is_file() for kind in KINDS):
        return None
    files = (folder / f"{name}{kind}" for kind in KINDS)
    return next((scan(file) for file in files if file.is_file()), None)


def scan(file: Path) -> pl.LazyFrame:
    """Return a CSV or Parquet file, not read yet; of a CSV every column is a text."""
    try:
        with file.open("rb") as stream:
            head = stream.readline(4096)
        if head[:4] == b"PAR1":
            return pl.scan_parquet(file, glob=False)
        separator = ";" if head.count(b";") > head.count(b",") else ","
        return pl.scan_csv(file, infer_schema=False, separator=separator, glob=False)
    except (OSError, ValueError) as error:
        raise _not_opened(file, error) from error


def collect(rows: pl.LazyFrame, file: Path) -> pl.DataFrame:
    """Return the rows; refuse a file that cannot be read."""
    try:
        return rows.collect()
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise _not_opened(file, error) from error


def to_day(*names: str) -> pl.Expr:
    """Return columns of open data as days; in a CSV they are texts."""
    return pl.col(*names).cast(pl.String).str.to_date("%Y-%m-%d", strict=False)


def read_tables(path: Path, on_list: ListName) -> Iterator[pl.DataFrame]:
    """Yield the games of a file or folder as checked rows: ``day``, ``white``, ``black``, ``code`` and the others."""
    for file in files_of(path):
        rows = scan(file)
        names = set(collect(rows.head(0), file).columns)
        if names >= SIDES:
            yield _checked(_one_row_a_game(rows, file, on_list), file, 0)
        elif names.isdisjoint(("date", "first_day", "last_day")):
            raise _missing(file, "date")
        else:
            for name in ("white", "black", "score" if "score" in names else "result"):
                if name not in names:
                    raise _missing(file, name)
            yield from _batches(rows, file)


def read_games(
    path: Path, on_list: ListName = ListName.STANDARD, first: date | None = None, last: date | None = None
) -> Iterator[pl.DataFrame]:
    """Yield the games played from one day to another, both included, in pieces; forfeits are left out.

    ``score`` has White's half-points, ``event`` a number for each tournament.
    """
    for rows in read_tables(path, on_list):
        played = rows.filter(
            pl.col("code") < FORFEITS_FROM,
            pl.col("day").is_between(first or date.min, last or date.max),
        )
        if played.height:
            yield _plain(played)


def count_games(path: Path) -> int | None:
    """Return how many rows Parquet files have; None if they would have to be read for that."""
    files = files_of(path)
    if any(file.suffix != ".parquet" for file in files):
        return None
    return sum(_rows_in(scan(file), file) for file in files)


# ----------------------------------------------------------------------------------------------------- reading


def _rows_in(rows: pl.LazyFrame, file: Path) -> int:
    return int(collect(rows.select(pl.len()), file).item())


def _batches(rows: pl.LazyFrame, file: Path) -> Iterator[pl.DataFrame]:
    """Yield a file in pieces; a CSV is read at once, and its games are put in the order of their days."""
    if file.suffix == ".parquet":
        for start in range(0, _rows_in(rows, file), BATCH):
            yield _checked(collect(rows.slice(start, BATCH), file), file, start)
    else:
        yield _checked(collect(rows, file), file, 0).sort("day", maintain_order=True)


def _one_row_a_game(rows: pl.LazyFrame, file: Path, on_list: ListName) -> pl.DataFrame:
    """Return the games of open data as White has them, each with its tournament; one side of a game is enough.

    A part of a long tournament ends on the day before its list at the latest.
    """
    events, lists = table_beside(file, "events"), table_beside(file, "lists")
    if events is None or lists is None:
        missing = "lists" if events is not None else "events"
        raise Unreadable("games-table-missing", path=str(file), table=missing)
    whole = pl.Int64
    of_event = events.filter(pl.col("kind") == str(on_list)).select(
        pl.col("event").cast(whole), "name", "federation", to_day("first_day", "last_day")
    )
    of_list = lists.select("list", list_day=to_day("day"))
    colour, has_part = pl.col("colour").fill_null(""), pl.col("part").fill_null("") != ""
    half_points = (pl.col("score").cast(pl.Float64) * 2).cast(pl.Int8)
    games = (
        rows.with_columns(pl.col("event", "player", "opponent").cast(whole, strict=False))
        .filter(
            pl.col("opponent").is_not_null(),
            ~pl.col("reason").fill_null("").is_in(["unplayed", "no-result"]),
        )
        .join(of_event, on="event")
        .join(of_list, on="list", how="left")
        .with_columns(is_white=(colour == "w") | ((colour != "b") & (pl.col("player") < pl.col("opponent"))))
        .sort(~pl.col("is_white"), maintain_order=True)
        .select(
            pl.concat_str("event", pl.when(has_part).then("/" + pl.col("part")).otherwise(pl.lit(""))),
            "name", "federation", "first_day", "round",
            last_day=pl.min_horizontal("last_day", pl.col("list_day").dt.offset_by("-1d")),
            white=_side("player", "opponent"), black=_side("opponent", "player"),
            white_rating=_side("own_rating", "opponent_rating"),
            black_rating=_side("opponent_rating", "own_rating"),
            score=pl.when("is_white").then(half_points).otherwise(2 - half_points),
        )
        .unique(["event", "round", "white", "black"], keep="first", maintain_order=True)
        .sort("last_day", maintain_order=True)
    )  # fmt: skip
    return collect(games, file)


def _side(of_white: str, of_black: str) -> pl.Expr:
    return pl.when("is_white").then(of_white).otherwise(of_black)


def _checked(frame: pl.DataFrame, file: Path, start: int) -> pl.DataFrame:
    """Return rows of games whose days, players and results are sound."""
    columns = {name: _numbers(frame, name, file, start, 1, HIGHEST_ID) for name in ("white", "black")}
    _refuse(columns["white"] == columns["black"], frame["black"], file, start)
    days: list[str] = [name for name in ("date", "first_day", "last_day") if name in frame.columns]
    for day in days:
        columns[day] = _days(frame, day, file, start, needed=day == days[0])
    columns["day"] = columns[days[0]]
    if days == ["first_day", "last_day"]:
        columns["day"] = columns["last_day"].fill_null(columns["first_day"])
    if "score" in frame.columns:
        columns["code"] = _numbers(frame, "score", file, start, 0, 2).cast(pl.Int8)
    else:
        texts = frame["result"].cast(pl.String).str.strip_chars()
        columns["code"] = texts.replace_strict(RESULTS, default=None, return_dtype=pl.Int8)
        _refuse(columns["code"].is_null(), frame["result"], file, start)
    for name, highest in (
        ("round", HIGHEST_ID),
        ("white_rating", HIGHEST_RATING),
        ("black_rating", HIGHEST_RATING),
    ):
        if name in frame.columns:
            columns[name] = _numbers(frame, name, file, start, 0, highest, needed=False)
    return frame.with_columns(**columns)


def _numbers(
    frame: pl.DataFrame, name: str, file: Path, start: int, lowest: int, highest: int, *, needed: bool = True
) -> pl.Series:
    """Return a column of integers within bounds; one that is not needed may be empty."""
    raw = frame[name]
    if raw.dtype.is_integer():
        values = raw.cast(pl.Int64, strict=False)
    elif raw.dtype == pl.String:
        values = raw.str.strip_chars().cast(pl.Int64, strict=False)
    elif raw.dtype.is_float():
        whole = raw.cast(pl.Int64, strict=False)
        values = pl.select(pl.when(whole == raw).then(whole)).to_series()
    else:
        values = pl.Series(name, [None] * len(raw), pl.Int64)
    _refuse_beyond(values, (lowest, highest), raw, file, start, needed=needed)
    return values


def _refuse_beyond(
    values: pl.Series, bounds: tuple[Any, Any], raw: pl.Series, file: Path, start: int, *, needed: bool
) -> None:
    """Refuse a column with values beyond its bounds; one that is not needed may be empty."""
    wrong = ~values.is_between(*bounds).fill_null(value=False)
    given = raw.is_not_null() & (raw.str.strip_chars() != "") if raw.dtype == pl.String else raw.is_not_null()
    _refuse(wrong if needed else wrong & given, raw, file, start)


def _days(frame: pl.DataFrame, name: str, file: Path, start: int, *, needed: bool = True) -> pl.Series:
    raw = frame[name]
    if raw.dtype == pl.String:
        days = raw.str.strip_chars().str.to_date("%Y-%m-%d", strict=False)
    elif raw.dtype.is_temporal() and raw.dtype != pl.Time:
        days = raw.cast(pl.Date, strict=False)
    else:
        days = pl.Series(name, [None] * len(raw), pl.Date)
    bounds = date(YEARS[0], 1, 1), date(YEARS[-1], 12, 31)
    _refuse_beyond(days, bounds, raw, file, start, needed=needed)
    return days


def _plain(rows: pl.DataFrame) -> pl.DataFrame:
    """Return games with the columns of every file; ``event`` is 0 if the file does not name the tournaments."""
    event = pl.lit(0)
    if "event" in rows.columns:
        event = pl.col("event")
        if not rows["event"].dtype.is_integer():  # a text becomes a number, the same one in every file
            event = event.cast(pl.String).hash() // 2
    return rows.select("day", "white", "black", score="code", event=event.cast(pl.Int64))


# --------------------------------------------------------------------------------------------------- refusals


def _refuse(wrong: pl.Series, raw: pl.Series, file: Path, start: int) -> None:
    if wrong.any():
        index = int(wrong.arg_true()[0])
        value = "" if raw[index] is None else str(raw[index])
        raise Unreadable("games-value", path=str(file), column=raw.name, row=start + index + 1, value=value)


def _missing(file: Path, column: str) -> Unreadable:
    return Unreadable("games-column-missing", path=str(file), column=column, accepted=ACCEPTED)


def _not_opened(file: Path, error: Exception) -> Unreadable:
    message = str(error).splitlines()[0] if str(error) else type(error).__name__
    return Unreadable("file-not-opened", path=str(file), reason=getattr(error, "strerror", None) or message)
