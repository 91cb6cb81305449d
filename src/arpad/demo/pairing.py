"""Demo tournaments: pairings, absences, and results by true strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arpad.demo.dice import Dice
from arpad.monitor.simulate.pairing import preferred_opponents, rotation
from arpad.regulations.tables import TABLE_8_1B
from arpad.reports.report import HALF_POINTS

ABSENT, HALF_BYE, LEAVES = 12, 30, 25
"""Per thousand: a game lost by staying away; a half-point bye on request; a player who leaves for good."""


@dataclass(frozen=True, slots=True)
class PairingCell:
    """One player's round: the opponent's key (0 for none), colour and result as a TRF writes them."""

    opponent: int
    colour: str
    result: str


FREE, HALF, GONE = PairingCell(0, "-", "U"), PairingCell(0, "-", "H"), PairingCell(0, "-", "Z")


@dataclass(slots=True)
class TournamentTable:
    """A tournament while it is played; players are known by their keys."""

    strengths: Mapping[int, int]
    dice: Dice
    draws: int = 300
    """Draws in a thousand games between equals."""

    scale: int = 1
    """How many points of strength weigh as much as one of chess."""

    rounds: list[dict[int, PairingCell]] = field(default_factory=list)
    met: set[frozenset[int]] = field(default_factory=set)

    def half_points(self, player: int) -> int:
        """Return the half-points so far."""
        return sum(HALF_POINTS[cells[player].result] for cells in self.rounds)

    def game(self, white: int, black: int) -> dict[int, PairingCell]:
        """Return one game: played, or decided because a player stayed away."""
        self.met.add(frozenset((white, black)))
        if self.dice.chance(ABSENT):
            absent = self.dice.below(2)
            results = ("-", "+") if absent == 0 else ("+", "-")
        else:
            results = self.result(white, black)
        return {white: PairingCell(black, "w", results[0]), black: PairingCell(white, "b", results[1])}

    def result(self, white: int, black: int) -> tuple[str, str]:
        """Return a result by the expectation of the stronger player; draws are rarer if the gap is large."""
        gap = (self.strengths[white] - self.strengths[black]) // self.scale + 20
        expected = 10 * TABLE_8_1B.expected(gap)
        draw = self.draws * (1000 - abs(2 * expected - 1000)) // 1000
        roll = self.dice.below(1000)
        if roll < expected - draw // 2:
            return "1", "0"
        return ("=", "=") if roll < expected + draw - draw // 2 else ("0", "1")


# ------------------------------------------------------------------------------------------------------ Swiss


def swiss(table: TournamentTable, players: Sequence[int], rounds: int) -> None:
    """Play a Swiss tournament; the players in order of seeding."""
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        cells: dict[int, PairingCell] = dict.fromkeys(gone, GONE)
        here = [player for player in players if player not in gone]
        if 1 < number < rounds:
            for player in here:
                if table.dice.chance(HALF_BYE):
                    cells[player] = HALF
                elif number > 2 and table.dice.chance(LEAVES):  # noqa: PLR2004  nobody leaves after two rounds
                    gone.add(player)
                    cells[player] = GONE
        here = [player for player in here if player not in cells]
        if len(here) % 2:
            free = _for_the_bye(table, here)
            cells[free] = FREE
            here.remove(free)
        for one, other in _pairs(table, here):
            white, black = _colours(table, one, other)
            cells |= table.game(white, black)
        table.rounds.append(cells)


def _for_the_bye(table: TournamentTable, here: Sequence[int]) -> int:
    """Return the last player without a bye so far."""
    ordered = sorted(here, key=lambda player: (table.half_points(player), -here.index(player)))
    without = [
        player for player in ordered if all(cells[player].result not in "U+" for cells in table.rounds)
    ]
    return (without or ordered)[0]


def _pairs(table: TournamentTable, here: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs: equal scores meet, upper half against lower half, nobody twice if possible."""
    place = {player: index for index, player in enumerate(here)}
    waiting = sorted(here, key=lambda player: (-table.half_points(player), place[player]))
    return _paired(table, waiting, [2000]) or [
        (waiting[i], waiting[i + 1]) for i in range(0, len(waiting), 2)
    ]


def _paired(table: TournamentTable, waiting: Sequence[int], tries: list[int]) -> list[tuple[int, int]] | None:
    """Pair the first player with the best opponent that leaves the rest pairable; None if it takes too long."""
    if not waiting:
        return []
    tries[0] -= 1
    if tries[0] < 0:
        return None
    first, rest = waiting[0], waiting[1:]
    points = table.half_points(first)
    group = [player for player in rest if table.half_points(player) == points]
    preferred = preferred_opponents(group)
    for other in [*preferred, *(player for player in rest if player not in preferred)]:
        if frozenset((first, other)) in table.met:
            continue
        left = _paired(table, [player for player in rest if player != other], tries)
        if left is not None:
            return [(first, other), *left]
    return None


def _colours(table: TournamentTable, one: int, other: int) -> tuple[int, int]:
    """Return White and Black: White for the player who has had it less often."""

    def whites(player: int) -> int:
        colours = [cells[player].colour for cells in table.rounds]
        return colours.count("w") - colours.count("b")

    balance = whites(one) - whites(other)
    if balance:
        return (one, other) if balance < 0 else (other, one)
    return (one, other) if table.dice.chance(500) else (other, one)


# ---------------------------------------------------------------------------------------- all against all, teams


def round_robin(table: TournamentTable, players: Sequence[int]) -> None:
    """Play everybody against everybody once; with an odd number one player is free in each round."""
    circle = [*players, 0] if len(players) % 2 else list(players)
    for number, pairs in enumerate(rotation(circle)):
        cells: dict[int, PairingCell] = {}
        for board, (one, other) in enumerate(pairs):
            if not one or not other:
                cells[one or other] = FREE
                continue
            white, black = (one, other) if (number + board) % 2 else (other, one)
            cells |= _played(table, white, black)
        table.rounds.append(cells)


def _played(table: TournamentTable, white: int, black: int) -> dict[int, PairingCell]:
    """Return a game of an event without absences."""
    table.met.add(frozenset((white, black)))
    results = table.result(white, black)
    return {white: PairingCell(black, "w", results[0]), black: PairingCell(white, "b", results[1])}


def match(table: TournamentTable, one: int, other: int, games: int) -> None:
    """Play a match of two players, colours in turn."""
    for number in range(games):
        white, black = (one, other) if number % 2 == 0 else (other, one)
        table.rounds.append(_played(table, white, black))


def league(table: TournamentTable, teams: Sequence[Sequence[int]]) -> None:
    """Play every team against every team, board by board; usually the last player of a team is the reserve."""
    for number, matches in enumerate(rotation(teams)):
        cells: dict[int, PairingCell] = {player: GONE for team in teams for player in team}
        for home, guests in matches:
            for board, (one, other) in enumerate(
                zip(_lineup(table, home), _lineup(table, guests), strict=True)
            ):
                white, black = (one, other) if (board + number) % 2 == 0 else (other, one)
                cells |= table.game(white, black)
        table.rounds.append(cells)


def _lineup(table: TournamentTable, team: Sequence[int]) -> list[int]:
    """Return the players of the day: all except one."""
    absent = team[-1] if table.dice.chance(700) else table.dice.pick(team)
    return [player for player in team if player != absent]
