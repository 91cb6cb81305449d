"""Boards that the tests share."""

from collections.abc import Mapping, Sequence
from datetime import date

from arpad.reports.report import MIRROR, Entrant, Header, Report, Round

# The board that tables 14 and 16 speak of; the printed pictures are lost. Nos. 1, 2, 3, 5, 6 and 9 are as stated there
# (9 and, in table 15, 2 by inference), the others and all single results are made up so that every stated PA, PO and CF
# comes out. Rows: capital in dama italiana (1000 less in dama internazionale), then the points against each opponent.
BOARD: Mapping[int, tuple[int, str]] = {
    1: (3479, ".122212121"),
    2: (4000, "1.11201012"),
    3: (3482, "01.0022221"),
    4: (3826, "012.212211"),
    5: (3656, "0020.21211"),
    6: (2970, "12010.1022"),
    7: (3100, "010011.112"),
    8: (3399, "1200021.11"),
    9: (3161, "01011011.1"),
    10: (3072, "101110011."),
}
COLOURS = ("Bianco", "Rosso", "Verde", "Giallo", "Celeste", "Violetto", "Marrone", "Rosa", "Grigio", "Nero")
LETTERS = {"2": "1", "1": "=", "0": "0"}


def board_report(less: int = 0) -> Report:
    """The board as a round robin of ten."""
    entrants = tuple(
        Entrant(number, COLOURS[number - 1], capital - less) for number, (capital, _) in BOARD.items()
    )
    pairings = circle(len(entrants))
    rounds = []
    for pairs in pairings:
        games = [(a, b, LETTERS[BOARD[a][1][b - 1]]) for a, b in pairs]
        rounds.append(round_of(len(entrants), games))
    first, last = date(2008, 3, 8), date(2008, 3, 9)
    header = Header("Torneo dei colori", "Torino", first_day=first, last_day=last, rounds=len(rounds))
    return Report(header, entrants, tuple(rounds))


def circle(players: int) -> list[list[tuple[int, int]]]:
    """Rounds of a round robin of an even number of players."""
    others = list(range(2, players + 1))
    rounds = []
    for _ in range(players - 1):
        order = [1, *others]
        rounds.append([(order[i], order[-1 - i]) for i in range(players // 2)])
        others = others[-1:] + others[:-1]
    return rounds


def round_of(
    players: int, games: Sequence[tuple[int, int, str]], byes: Mapping[int, str] | None = None
) -> Round:
    """A round from its games (white, black, White's letter) and byes."""
    opponents, colours, results = [0] * players, ["-"] * players, [" "] * players
    for white, black, letter in games:
        opponents[white - 1], colours[white - 1], results[white - 1] = black, "w", letter
        opponents[black - 1], colours[black - 1], results[black - 1] = white, "b", MIRROR[letter]
    for number, letter in (byes or {}).items():
        results[number - 1] = letter
    return Round(tuple(opponents), "".join(colours), "".join(results))


def small_event(
    capitals: Sequence[int | None],
    *rounds: Round,
    day: date | None = date(2008, 5, 4),
    name: str = "Gara",
    names: Sequence[str] = (),
) -> Report:
    """An event of a few players."""
    called = [*names, *(f"Giocatore {number}" for number in range(len(names) + 1, len(capitals) + 1))]
    entrants = tuple(
        Entrant(number, player, capital)
        for number, (player, capital) in enumerate(zip(called, capitals, strict=True), start=1)
    )
    return Report(Header(name, first_day=day, last_day=day, rounds=len(rounds)), entrants, rounds)
