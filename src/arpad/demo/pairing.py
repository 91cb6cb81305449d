"""Demo tournaments: pairings, absences, and results by true strength."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arpad.demo.dice import Dice
from arpad.regulations.tables import TABLE_8_1B
from arpad.reports.formats.crosstable import ParsedCell
from arpad.reports.report import HALF_POINTS
from arpad.studies.simulate.season import preferred_opponents, rotation

ABSENT, HALF_BYE, LEAVES = 12, 30, 25
"""Per thousand: a game lost by staying away; a half-point bye on request; a player who leaves for good."""


FREE, HALF, GONE = ParsedCell(0, "-", "U"), ParsedCell(0, "-", "H"), ParsedCell(0, "-", "Z")


@dataclass(slots=True)
class TournamentTable:
    """A tournament while it is played; players are known by their keys."""

    strengths: Mapping[int, int]
    dice: Dice
    draws: int = 300
    """Draws in a thousand games between equals."""

    scale: int = 1
    """How many points of strength weigh as much as one of chess."""

    rounds: list[dict[int, ParsedCell]] = field(default_factory=list)
    met: set[frozenset[int]] = field(default_factory=set)

    def half_points(self, player: int) -> int:
        """Return the half-points so far."""
        return sum(HALF_POINTS[cells[player].result] for cells in self.rounds)

    def game(self, white: int, black: int, *, all_come: bool = False) -> dict[int, ParsedCell]:
        """Return one game: played, or decided because a player stayed away; a cell names the opponent by key."""
        self.met.add(frozenset((white, black)))
        if not all_come and self.dice.chance(ABSENT):
            absent = self.dice.below(2)
            results = ("-", "+") if absent == 0 else ("+", "-")
        else:
            results = self.result(white, black)
        return {white: ParsedCell(black, "w", results[0]), black: ParsedCell(white, "b", results[1])}

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
    withdrawn: set[int] = set()
    for number in range(1, rounds + 1):
        cells: dict[int, ParsedCell] = dict.fromkeys(withdrawn, GONE)
        present = [player for player in players if player not in withdrawn]
        if 1 < number < rounds:
            for player in present:
                if table.dice.chance(HALF_BYE):
                    cells[player] = HALF
                elif number > 2 and table.dice.chance(LEAVES):  # noqa: PLR2004  no player leaves before the third round
                    withdrawn.add(player)
                    cells[player] = GONE
        present = [player for player in present if player not in cells]
        if len(present) % 2:
            free = _for_the_bye(table, present)
            cells[free] = FREE
            present.remove(free)
        for player, other in _pairs(table, present):
            white, black = _colours(table, player, other)
            cells |= table.game(white, black)
        table.rounds.append(cells)


def _for_the_bye(table: TournamentTable, present: Sequence[int]) -> int:
    """Return the last player without a bye so far."""
    ordered = sorted(present, key=lambda player: (table.half_points(player), -present.index(player)))
    without = [
        player for player in ordered if all(cells[player].result not in "U+" for cells in table.rounds)
    ]
    return (without or ordered)[0]


def _pairs(table: TournamentTable, present: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs: equal scores meet, upper half against lower half, nobody twice if possible."""
    seed = {player: index for index, player in enumerate(present)}
    waiting = sorted(present, key=lambda player: (-table.half_points(player), seed[player]))
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


def _colours(table: TournamentTable, first: int, second: int) -> tuple[int, int]:
    """Return White and Black: White for the player who has had it less often."""

    def whites(player: int) -> int:
        colours = [cells[player].colour for cells in table.rounds]
        return colours.count("w") - colours.count("b")

    balance = whites(first) - whites(second)
    if balance:
        return (first, second) if balance < 0 else (second, first)
    return (first, second) if table.dice.chance(500) else (second, first)


# ---------------------------------------------------------------------------------------- all against all, teams


def round_robin(table: TournamentTable, players: Sequence[int]) -> None:
    """Play everybody against everybody once; with an odd number one player is free in each round."""
    circle = [*players, 0] if len(players) % 2 else list(players)
    for number, pairs in enumerate(rotation(circle)):
        cells: dict[int, ParsedCell] = {}
        for board, (first, second) in enumerate(pairs):
            if not first or not second:
                cells[first or second] = FREE
                continue
            white, black = (first, second) if (number + board) % 2 else (second, first)
            cells |= table.game(white, black, all_come=True)
        table.rounds.append(cells)


def match(table: TournamentTable, first: int, second: int, games: int) -> None:
    """Play a match of two players, colours in turn."""
    for number in range(games):
        white, black = (first, second) if number % 2 == 0 else (second, first)
        table.rounds.append(table.game(white, black, all_come=True))


def league(table: TournamentTable, teams: Sequence[Sequence[int]]) -> None:
    """Play every team against every team, board by board; usually the last player of a team is the reserve."""
    for number, matches in enumerate(rotation(teams)):
        cells: dict[int, ParsedCell] = {player: GONE for team in teams for player in team}
        for home, guests in matches:
            for board, (first, second) in enumerate(
                zip(_lineup(table, home), _lineup(table, guests), strict=True)
            ):
                white, black = (first, second) if (board + number) % 2 == 0 else (second, first)
                cells |= table.game(white, black)
        table.rounds.append(cells)


def _lineup(table: TournamentTable, team: Sequence[int]) -> list[int]:
    """Return the players of the day: all except one."""
    absent = team[-1] if table.dice.chance(700) else table.dice.pick(team)
    return [player for player in team if player != absent]
