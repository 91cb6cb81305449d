"""Histories as files: games in CSV or Parquet, one row each, and the players with their first ratings.

A folder has ``games.csv`` (or ``games.parquet``) and ``players.csv``. A file of games alone is enough if it names the
ratings: each player then begins with the first rating in it.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput, Unreadable
from arpad.model.people import YEARS
from arpad.model.rules import ListName
from arpad.model.typed_values import HIGHEST_RATING
from arpad.monitor.history import SETTLED_GAMES, History, HistoryPlayer, PlayedGame, Tournament, on_first_list
from arpad.system.atomic_files import prepare_folder, write_file
from arpad.system.spreadsheet_cells import escape, restore

GAMES = (
    "event",
    "name",
    "city",
    "federation",
    "first_day",
    "last_day",
    "round",
    "day",
    "white",
    "black",
    "result",
)
NEEDED = ("event", "first_day", "white", "black", "result")
DAY = "2018-01-31"
"""How a day is written."""

PLAYERS = ("id", "name", "federation", "born", "sex", "title", "rating", "games", "peak")
_RATINGS = range(HIGHEST_RATING + 1)
BOUNDS: Mapping[str, range] = {
    "white_rating": _RATINGS, "black_rating": _RATINGS, "rating": _RATINGS, "peak": _RATINGS,
    "games": range(1_000_000), "born": YEARS,
}  # fmt: skip
RESULTS: Mapping[str, str] = {
    "1": "1", "1-0": "1", "1.0": "1", "=": "=", "0.5": "=", "½": "=", "1/2-1/2": "=", "½-½": "=",
    "0": "0", "0-1": "0", "0.0": "0", "+": "+", "-": "-",
}  # fmt: skip

# -------------------------------------------------------------------------------------------------- writing


def write_history(history: History, folder: Path) -> None:
    """Write a history into a folder."""
    games = (
        (
            *map(escape, (tournament.id, tournament.name, tournament.city, tournament.federation)),
            tournament.first_day,
            tournament.last_day,
            *_board(board),
        )
        for tournament in history.tournaments
        for board in tournament.boards
    )
    players = (
        _player(person, history.start.get(number)) for number, person in sorted(history.people.items())
    )
    texts = {
        "players.csv": _csv((*PLAYERS, "opened"), [(*row, history.opened) for row in players]),
        "games.csv": _csv(GAMES, games),
    }
    prepare_folder(folder)
    for name, text in texts.items():
        write_file(folder / name, text.encode("utf-8"))


def _board(board: PlayedGame) -> tuple[Any, ...]:
    return board.round, board.day or "", board.white, board.black, board.result


def _player(person: HistoryPlayer, standing: PlayerState | None) -> tuple[Any, ...]:
    rated = standing if standing is not None and standing.rating is not None else None
    stands = (rated.rating, rated.games, rated.peak) if rated else ("", "", "")
    name, federation, sex, title = map(escape, (person.name, person.federation, person.sex, person.title))
    return (person.id, name, federation, person.born or "", sex, title, *stands)


def _csv(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


# -------------------------------------------------------------------------------------------------- reading


def read_history(path: Path, players: Path | None = None, on_list: ListName = ListName.STANDARD) -> History:
    """Return the history of a folder, or of a file of games with or without one of players."""
    games = path
    if os.path.isdir(path):  # noqa: PTH112  unlike Path.is_dir it bears a name of any length
        files = [path / name for name in ("games.csv", "games.parquet") if (path / name).is_file()]
        if not files:
            raise BadInput("no-games-file", path=str(path))
        games = files[0]
        if players is None and (path / "players.csv").is_file():
            players = path / "players.csv"
    tournaments = _tournaments(_rows(games), games)
    if not tournaments:
        raise BadInput("no-games-in-file", path=str(games))
    first = min(tournament.first_day for tournament in tournaments).replace(day=1)
    if players is not None:
        rows: list[dict[str, str]] = []
        people: dict[int, HistoryPlayer] = {}
        for line, row in enumerate(_rows(players), 2):
            person = _person(row, players, line)
            people[person.id] = person
            rows.append(row)
        opened = _day(rows[0], "opened", players, 2) if rows else None
        start = _standings(rows, opened or first, players)
    else:
        opened = None
        people = {
            player: HistoryPlayer(player) for tournament in tournaments for player in tournament.players
        }
        start = _first_seen(tournaments, first)
    return History(opened or first, start, people, tuple(tournaments), on_list)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if path.suffix == ".parquet":
        yield from _parquet(path)
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("cannot-read", path=str(path), reason=reason) from error
    heading = text.partition("\n")[0]
    delimiter = "," if heading.count(",") >= heading.count(";") else ";"
    reader = csv.DictReader(StringIO(text), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield {str(key): restore(value or "") for key, value in row.items() if key is not None}
    except csv.Error as error:
        raise Unreadable("history-csv", line=reader.line_num, path=str(path), reason=str(error)) from error


def _parquet(path: Path) -> Iterator[dict[str, str]]:
    from pyarrow import ArrowException, parquet

    try:
        rows = parquet.read_table(path).to_pylist()
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        raise BadInput("cannot-read", path=str(path), reason=str(error).partition("\n")[0]) from error
    for row in rows:
        yield {key: "" if value is None else str(value) for key, value in row.items()}


def _tournaments(rows: Iterable[dict[str, str]], path: Path) -> list[Tournament]:
    events: dict[str, list[tuple[int, dict[str, str], PlayedGame]]] = {}
    last: dict[tuple[str, int], int] = {}  # the last round of each player in each event
    for line, row in enumerate(rows, start=2):
        if missing := [column for column in NEEDED if column not in row]:
            raise Unreadable(
                "history-column", line=1, path=str(path), column_name=missing[0], accepted=", ".join(NEEDED)
            )
        board = _read_board(row, last, path, line)
        for player in (board.white, board.black):
            last[row["event"], player] = max(board.round, last.get((row["event"], player), 0))
        events.setdefault(row["event"], []).append((line, row, board))
    return [_tournament(event, event_rows, path) for event, event_rows in events.items()]


def _read_board(
    row: dict[str, str], last: Mapping[tuple[str, int], int], path: Path, line: int
) -> PlayedGame:
    """Return a game; without a round, it comes after the last round of either player."""
    result = RESULTS.get(row["result"].strip())
    if result is None:
        raise _refused("result", row["result"], "1, =, 0, +, -", path, line)
    white, black = (_needed(row, field, path, line) for field in ("white", "black"))
    if white == black:
        raise Unreadable("history-same-player", line=line, path=str(path), player=white)
    following = 1 + max(last.get((row["event"], player), 0) for player in (white, black))
    return PlayedGame(
        _whole(row, "round", path, line) or following,
        white,
        black,
        result,
        _day(row, "day", path, line),
        _whole(row, "white_rating", path, line),
        _whole(row, "black_rating", path, line),
    )


def _refused(field: str, value: str, accepted: str, path: Path, line: int) -> Unreadable:
    return Unreadable("history-value", line=line, path=str(path), field=field, value=value, accepted=accepted)


def _tournament(event: str, rows: list[tuple[int, dict[str, str], PlayedGame]], path: Path) -> Tournament:
    line, row, _ = rows[0]
    first = _day(row, "first_day", path, line)
    if first is None:
        raise _refused("first_day", "", DAY, path, line)
    last = max(
        (day for number, cells, _ in rows if (day := _day(cells, "last_day", path, number))), default=first
    )
    boards = tuple(board for _, _, board in rows)
    return Tournament(
        event, first, last, boards, row.get("name", ""), row.get("city", ""), row.get("federation", "")
    )


def _person(row: dict[str, str], path: Path, line: int) -> HistoryPlayer:
    if "id" not in row:
        raise Unreadable(
            "history-column", line=1, path=str(path), column_name="id", accepted=", ".join(PLAYERS)
        )
    number = _needed(row, "id", path, line)
    text = {key: row.get(key, "") for key in ("name", "federation", "sex", "title")}
    return HistoryPlayer(
        number, text["name"], text["federation"], _whole(row, "born", path, line), text["sex"], text["title"]
    )


def _standings(rows: Iterable[dict[str, str]], opened: date, path: Path) -> dict[int, PlayerState]:
    start = {}
    for line, row in enumerate(rows, start=2):
        rating = _whole(row, "rating", path, line)
        if rating is not None:
            number = _needed(row, "id", path, line)
            games, peak = (_whole(row, field, path, line) for field in ("games", "peak"))
            games = SETTLED_GAMES if games is None else games
            start[number] = on_first_list(number, rating, opened, games, peak or 0)
    return start


def _first_seen(tournaments: Iterable[Tournament], opened: date) -> dict[int, PlayerState]:
    start: dict[int, PlayerState] = {}
    for tournament in sorted(tournaments, key=lambda tournament: (tournament.first_day, tournament.id)):
        for board in tournament.boards:
            for player, rating in ((board.white, board.white_rating), (board.black, board.black_rating)):
                if rating and player not in start:
                    start[player] = on_first_list(player, rating, opened)
    return start


def _whole(row: Mapping[str, str], field: str, path: Path, line: int) -> int | None:
    text = row.get(field, "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 12:  # noqa: PLR2004  longer is no number of a player
        raise _refused(field, text, "12", path, line)
    bounds = BOUNDS.get(field)
    if bounds and int(text) not in bounds:
        raise _refused(field, text, f"{bounds[0]}-{bounds[-1]}", path, line)
    return int(text)


def _needed(row: Mapping[str, str], field: str, path: Path, line: int) -> int:
    value = _whole(row, field, path, line)
    if value is None:
        raise _refused(field, "", "12", path, line)
    return value


def _day(row: Mapping[str, str], field: str, path: Path, line: int) -> date | None:
    text = row.get(field)
    if not text:
        return None
    try:
        day = date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise _refused(field, text, DAY, path, line) from None
    if day.year not in YEARS:
        raise _refused(field, text, DAY, path, line)
    return day
