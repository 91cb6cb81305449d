"""Chess reports for tests: from a table that a person can read, or from a list of games."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from arpad.reports.report import MIRROR, Entrant, Header, Report, Round

Game = tuple[int, str, int]
"""A player, their result, their opponent."""


def report(
    text: str,
    *,
    first_day: date | None = date(2018, 4, 28),
    last_day: date | None = None,
    time_control: str = "90 min/40 moves + 30 min + 30 sec per move from move one",
    **header: object,
) -> Report:
    """Return a report from lines such as ``1 2000 | 2w1 3b= .H``; rating 0 is unrated, ``.`` is no opponent."""
    entrants, rows = [], []
    for line in text.strip().splitlines():
        left, _, right = line.partition("|")
        number, rating = left.split()
        entrants.append(
            Entrant(
                int(number),
                f"Player {number}",
                int(rating) or None,
                id=str(9000 + int(number)),
                federation="ITA",
            )
        )
        rows.append([_cell(cell) for cell in right.split()])
    rounds = [
        Round(
            tuple(row[index][0] for row in rows),
            "".join(row[index][1] for row in rows),
            "".join(row[index][2] for row in rows),
        )
        for index in range(max(map(len, rows), default=0))
    ]
    made_header = Header(
        name="Made",
        federation="ITA",
        first_day=first_day,
        last_day=last_day or first_day,
        time_control=time_control,
        **header,  # type: ignore[arg-type]
    )
    return Report(made_header, tuple(entrants), tuple(rounds))


def _cell(text: str) -> tuple[int, str, str]:
    if text.startswith("."):
        return 0, "-", text[1:]
    return int(text[:-2]), text[-2], text[-1]


def event(name: str, table: str, first: date, last: date | None = None, **header: object) -> Report:
    """Return the report of a tournament with a name, a city and an arbiter, from a table (see ``report``)."""
    made = report(table, first_day=first, last_day=last or first, **header)  # type: ignore[arg-type]
    return replace(made, header=replace(made.header, name=name, city="Bellariva", chief_arbiter="IA Rossi"))


def report_from_games(
    name: str, players: Sequence[int], games: Iterable[Game], days: tuple[date, date], time_control: str
) -> Report:
    """Return a report in which each game is in the first round that has room for both players."""
    rounds: list[dict[int, tuple[int, str]]] = []
    for player, result, opponent in games:
        free = next((cells for cells in rounds if player not in cells and opponent not in cells), None)
        if free is None:
            rounds.append(free := {})
        free[player], free[opponent] = (opponent, result), (player, MIRROR[result])
    numbers = {player: number for number, player in enumerate(players, start=1)}
    columns = tuple(
        Round(
            tuple(numbers[cells[player][0]] if player in cells else 0 for player in players),
            " " * len(players),
            "".join(cells[player][1] if player in cells else " " for player in players),
        )
        for cells in rounds
    )
    entrants = tuple(Entrant(numbers[player], f"Player {player}") for player in players)
    header = Header(name=name, first_day=days[0], last_day=days[1], time_control=time_control)
    return Report(header, entrants, columns)
