"""Histories as files: the tables of open data, or a file of games with the list before them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from arpad.lists.rating_lookup import read_list_rows
from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput
from arpad.model.people import birth_year
from arpad.model.rules import ListName
from arpad.publishing.open_data import EVENTS, GAMES, LISTS, PLAYERS, RATINGS, OpenTable, TableFiles, frame_of
from arpad.reports.report import HALF_POINTS, MIRROR, PLAYED
from arpad.studies.game_table import collect, read_tables, table_beside, to_day
from arpad.studies.history import History, HistoryPlayer, PlayedGame, Tournament, on_first_list
from arpad.system.atomic_files import prepare_folder
from arpad.system.spreadsheet_cells import restore

LETTERS = "0=1+-"
"""Of the codes of results."""

PERSON = ("player", "name", "federation", "born", "sex", "title")
SEXES = {"M": "m", "F": "w"}


@dataclass(frozen=True, slots=True)
class Beginning:
    """The people of a history, and the list before its games."""

    people: Mapping[int, HistoryPlayer] = field(default_factory=dict)
    start: Mapping[int, PlayerState] = field(default_factory=dict)
    opened: date | None = None
    """The day of that list, if it is known."""


# -------------------------------------------------------------------------------------------------- reading


def read_history(path: Path, ratings: Path | None = None, on_list: ListName = ListName.STANDARD) -> History:
    """Return the history of a folder of open data, or of a file of games with or without the list before it.

    Without a list, each player begins with the rating that the games of their first tournament have.
    """
    tournaments = _tournaments(read_tables(path, on_list))
    if not tournaments:
        raise BadInput("no-games-in-file", path=str(path))
    first = min(tournament.first_day for tournament in tournaments).replace(day=1)
    beginning = read_beginning(path, ratings, on_list)
    opened = beginning.opened or first
    people = {player: HistoryPlayer(player) for tournament in tournaments for player in tournament.players}
    start = beginning.start or _first_seen(tournaments, opened)
    return History(opened, start, {**people, **beginning.people}, tuple(tournaments), on_list)


def read_beginning(path: Path, ratings: Path | None, on_list: ListName) -> Beginning:
    """Return the people and the list before the games: of a list file, or of the tables beside the games."""
    players = table_beside(path, "players")
    people = {} if players is None else _people(collect(players.select(PERSON), path))
    if ratings is not None:
        start = {}
        for row, combined in read_list_rows(ratings):
            rating, _, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
            sex = SEXES.get(row.known_sex, "")
            people[row.id] = HistoryPlayer(
                row.id, row.name, row.federation, birth_year(row.born), sex, row.title
            )
            if rating:
                start[row.id] = PlayerState(row.id, rating, peak=rating, k=k, inactive=row.inactive)
        return Beginning(people, start)
    return Beginning(people, *_first_list(path, on_list))


def _people(rows: pl.DataFrame) -> dict[int, HistoryPlayer]:
    people = {}
    for number, name, federation, born, sex, title in rows.iter_rows():
        texts = restore(name or ""), restore(federation or ""), int(born) if born else None
        people[int(number)] = HistoryPlayer(int(number), *texts, SEXES.get(sex, ""), restore(title or ""))
    return people


def _first_list(path: Path, on_list: ListName) -> tuple[dict[int, PlayerState], date | None]:
    """Return the earliest list of open data if no games are counted for it, and its day."""
    lists, ratings = table_beside(path, "lists"), table_beside(path, "ratings")
    games = table_beside(path, "games")
    if lists is None or ratings is None or games is None:
        return {}, None
    ours = collect(lists.filter(pl.col("kind") == str(on_list)), path).with_columns(to_day("day"))
    if not ours.height:
        return {}, None
    name, day = ours.sort("day").row(0, named=True)["list"], ours["day"].min()
    if not isinstance(day, date) or collect(games.filter(pl.col("list") == name).head(1), path).height:
        return {}, None
    whole = pl.col("player", "rating", "k").cast(pl.Int64, strict=False)
    rows = collect(ratings.filter(pl.col("list") == name).select(whole, "inactive"), path)
    start = {}
    for player, rating, k, flag in rows.iter_rows():
        if rating:
            inactive = flag in {True, "true"}
            state = on_first_list(player, rating, day)
            start[player] = replace(state, k=k, inactive=inactive, last_list=None if inactive else day)
    return start, day


def _tournaments(tables: Iterable[pl.DataFrame]) -> list[Tournament]:
    """Return the tournaments; games that name none are one tournament a day.

    Without a round, a game comes after the last round of either player.
    """
    rows_by_event: dict[str, list[dict[str, Any]]] = {}
    boards: dict[str, list[PlayedGame]] = {}
    last: dict[tuple[str, int], int] = {}  # the last round of each player in each event
    for table in tables:
        for row in table.iter_rows(named=True):
            event = str(row.get("event") or row["day"])
            sides = (event, row["white"]), (event, row["black"])
            number = row.get("round") or 1 + max(last.get(side, 0) for side in sides)
            for side in sides:
                last[side] = max(number, last.get(side, 0))
            result, ratings = LETTERS[row["code"]], (row.get("white_rating"), row.get("black_rating"))
            played = None if "last_day" in row or "first_day" in row else row["day"]
            boards.setdefault(event, []).append(
                PlayedGame(number, row["white"], row["black"], result, played, *ratings)
            )
            rows_by_event.setdefault(event, []).append(row)
    return [_tournament(event, rows, boards[event]) for event, rows in rows_by_event.items()]


def _tournament(event: str, rows: list[dict[str, Any]], boards: list[PlayedGame]) -> Tournament:
    text = {key: restore(rows[0].get(key) or "") for key in ("name", "city", "federation")}
    first = min(row.get("first_day") or row["day"] for row in rows)
    last = max(row["day"] for row in rows)
    return Tournament(event, first, last, tuple(boards), text["name"], text["city"], text["federation"])


def _first_seen(tournaments: Iterable[Tournament], opened: date) -> dict[int, PlayerState]:
    """Return the ratings that players have in their first tournament."""
    start: dict[int, PlayerState] = {}
    seen: set[int] = set()
    for tournament in sorted(tournaments, key=lambda tournament: (tournament.first_day, tournament.id)):
        for board in tournament.boards:
            for player, rating in ((board.white, board.white_rating), (board.black, board.black_rating)):
                if rating and player not in start and player not in seen:
                    start[player] = on_first_list(player, rating, opened)
        seen.update(tournament.players)
    return start


# -------------------------------------------------------------------------------------------------- writing


def write_history(history: History, folder: Path) -> None:
    """Write a history into a folder as the tables of open data; what no office has rated is empty."""
    name = f"{history.on_list}-{history.opened}"
    prepare_folder(folder)
    people = sorted(history.people.items())
    numbers = {tournament.id: number for number, tournament in enumerate(history.tournaments, 1)}
    sexes = {letter: sex for sex, letter in SEXES.items()}
    tables: list[tuple[OpenTable, Iterable[dict[str, Any]]]] = [
        (PLAYERS, (
            {"player": number, "name": it.name, "federation": it.federation, "sex": sexes.get(it.sex, ""),
             "title": it.title, "born": it.born}
            for number, it in people
        )),
        (LISTS, [{"list": name, "kind": str(history.on_list), "day": history.opened, "revision": 1}]),
        (RATINGS, (
            {"list": name, "player": player, "rating": state.rating}
            for player, state in sorted(history.start.items()) if state.rating is not None
        )),
        (EVENTS, (
            {"event": numbers[it.id], "name": it.name or it.id, "federation": it.federation,
             "kind": str(history.on_list), "first_day": it.first_day, "last_day": it.last_day,
             "players": len(it.players), "rounds": max((board.round for board in it.boards), default=0)}
            for it in history.tournaments
        )),
        (GAMES, (
            {"event": numbers[it.id], **side} for it in history.tournaments for board in it.boards
            for side in _sides(board)
        )),
    ]  # fmt: skip
    for table, rows in tables:
        with TableFiles(folder, table) as files:
            files.add(frame_of(table, (tuple(row.get(column) for column in table.columns) for row in rows)))


def _sides(board: PlayedGame) -> Iterator[dict[str, Any]]:
    """Return a game as each player has it."""
    for player, opponent, colour, result in (
        (board.white, board.black, "w", board.result),
        (board.black, board.white, "b", MIRROR[board.result]),
    ):
        yield {
            "player": player, "round": board.round, "opponent": opponent, "colour": colour,
            "score": Decimal(HALF_POINTS[result]) / 2 if result in PLAYED else None,
            "reason": "" if result in PLAYED else "unplayed",
        }  # fmt: skip
