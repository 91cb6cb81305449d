"""The final table of a tournament with its tie-breaks (C.07), every value with what contributed to it.

``ranked`` orders the players by points, then by one tie-break after the other within those still tied (4.2). Players
whom no tie-break separates share a rank. All values are exact: fractions for points, whole numbers for ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from arpad.model.chess import ALL_PLAY_ALL
from arpad.model.exact import fractional_score, half_up
from arpad.regulations.fide.event_kind import declared_kind
from arpad.regulations.tables import TABLE_8_1A, TABLE_8_1B
from arpad.regulations.tie_breaks import (
    FOR_ROUND_ROBIN,
    FOR_SWISS,
    TieBreak,
    TieBreakRules,
    Unplayed,
    read_tie_breaks,
    tie_break_rules,
)
from arpad.reports.report import HALF_POINTS, PLAYED, Report, Result, worth
from arpad.reports.standings import FinalPlace, half_points_of, meets_all, ranks_hold

Value = Fraction | int | None
"""A value of a tie-break; None if the player or the tournament has none."""

_GAMES = PLAYED | frozenset("WDL")
"""Results over the board; those of W, D and L are not rated, but games all the same."""

_FORFEITS = frozenset("+-")
_REQUESTED_BYES = frozenset("HZ ")
_ABSENCES = _REQUESTED_BYES | {Result.FORFEIT_LOSS}
"""Rounds in which the player was not available to play (16.1.2)."""


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """One round of a player."""

    number: int
    opponent: int | None
    """The index of the opponent of the pairing among the entrants."""

    colour: str
    result: str
    points: Fraction

    @property
    def is_game(self) -> bool:
        """Whether a game was played."""
        return self.result in _GAMES and self.opponent is not None

    @property
    def is_forfeit(self) -> bool:
        """Whether one of a pair did not play."""
        return self.result in _FORFEITS and self.opponent is not None

    @property
    def is_absence(self) -> bool:
        """Whether the player was not available to play."""
        return self.result in _ABSENCES and not self.is_to_come

    @property
    def is_to_come(self) -> bool:
        """Whether the game is paired and has no result yet."""
        return self.result == Result.NONE and self.opponent is not None


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one round adds to a tie-break."""

    round: int
    opponent: int | None
    """None for a dummy or a virtual opponent."""

    score: Fraction
    """The score of the opponent as it counts here."""

    value: Fraction
    """The score, or the score times the points against the opponent."""

    is_absence: bool
    counts: bool = True
    """Whether it is not cut."""


@dataclass(frozen=True, slots=True)
class FinalTable:
    """The final table of a tournament."""

    places: tuple[FinalPlace, ...]
    tie_breaks: tuple[TieBreak, ...]
    played: Tournament
    unknown: tuple[str, ...]
    """Codes of the report that are unknown, for teams, or of ratings although somebody has none (10)."""

    ranks_of_report: bool
    """Whether the ranks are those of the report; otherwise they follow from points and tie-breaks."""


class Tournament:
    """The rounds of all players, with unplayed rounds as they count (16.3, 16.4, 16.5)."""

    def __init__(self, report: Report, rules: TieBreakRules, *, all_play_all: bool) -> None:
        self.rules = rules
        self.all_play_all = all_play_all
        """Whether the pairings were fixed in advance: forfeits then count as games (15.2)."""

        self.rounds = [_rounds_of(report, index) for index in range(report.size)]
        self.points = [Fraction(halves, 2) for halves in half_points_of(report)]
        self.ratings = report.column("rating")
        self.numbers = report.column("number")
        self.length = len(report.rounds)
        self.win = worth(report.header.points, Result.WIN)
        self.draw = worth(report.header.points, Result.DRAW)

    @cached_property
    def adjusted(self) -> list[Fraction]:
        """The score of each player as opponents count it (16.3)."""
        return [self._adjusted(index) for index in range(len(self.rounds))]

    def _adjusted(self, index: int) -> Fraction:
        if self.all_play_all:
            return self.points[index]
        drawn = [self.draw - it.points for it in self.rounds[index] if self._is_drawn(index, it)]
        return self.points[index] + sum(drawn)

    def _is_drawn(self, index: int, played: PlayerRound) -> bool:
        """Return whether opponents count a round of a player as drawn (16.3)."""
        if self.rules.every_unplayed_is_drawn.value:
            return not (played.is_game or played.is_to_come)
        later = self.rounds[index][played.number :]
        is_requested_bye = played.result in _REQUESTED_BYES and played.is_absence
        return is_requested_bye and all(it.is_absence for it in later)

    def is_opponent(self, played: PlayerRound, tie_break: TieBreak) -> bool:
        """Return whether a round counts against the opponent of the pairing."""
        return played.is_game or (played.is_forfeit and (self.all_play_all or tie_break.forfeits_are_games))

    @cached_property
    def foreseen(self) -> Tournament:
        """The tournament as if all paired games of the last round had been drawn over the board (8.3)."""
        drawn = copy(self)
        vars(drawn).pop("adjusted", None)
        drawn.rounds = [
            [
                replace(it, result=Result.DRAW, points=self.draw)
                if it.number == self.length and it.opponent is not None
                else it
                for it in rounds
            ]
            for rounds in self.rounds
        ]
        drawn.points = [
            points + sum(it.points for it in after) - sum(it.points for it in before)
            for points, after, before in zip(self.points, drawn.rounds, self.rounds, strict=True)
        ]
        return drawn

    def contributions(self, index: int, tie_break: TieBreak) -> list[Contribution]:
        """Return what each round of a player adds to Buchholz or Sonneborn-Berger, cut as the tie-break says.

        The free round of a round robin adds nothing (15.2).
        """
        if tie_break.name == "FB":
            return self.foreseen.contributions(index, replace(tie_break, name="BH"))
        entries = []
        for played in self.rounds[index]:
            if played.is_to_come or (self.all_play_all and played.opponent is None):
                continue
            meets = self.is_opponent(played, tie_break)
            score = self._score(played.opponent) if meets else self._dummy(index, played)
            value = score * played.points if tie_break.name == "SB" else score
            absent = played.is_absence and not meets
            entries.append(
                Contribution(played.number, played.opponent if meets else None, score, value, absent)
            )
        return self._cut(entries, tie_break)

    def _score(self, index: int | None) -> Fraction:
        """Return the score of an opponent."""
        return Fraction(0) if index is None else self.adjusted[index]

    def _dummy(self, index: int, played: PlayerRound) -> Fraction:
        """Return the score of the opponent whom an unplayed round counts against (16.4)."""
        kind = self.rules.own_unplayed.value
        if kind == Unplayed.VIRTUAL:
            before = sum((it.points for it in self.rounds[index][: played.number - 1]), Fraction(0))
            return before + self.win - played.points + self.draw * (self.length - played.number)
        own = self.points[index]
        if kind == Unplayed.DUMMY:
            return own
        if played.is_forfeit:
            return min(own, self._score(played.opponent))  # 16.4.1
        return min(own, self.draw * self.length)  # 16.4.2

    def _cut(self, entries: list[Contribution], tie_break: TieBreak) -> list[Contribution]:
        """Return the contributions with those marked that do not count: first the least significant, then the most."""
        left = list(entries)
        for _ in range(min(tie_break.cut_lowest, len(left))):
            least = min(left, key=lambda it: (it.score, it.value))
            absences = [it for it in left if it.is_absence and self.rules.cuts_absences_first.value]
            lowest = min(absences, key=lambda it: (it.value, it.score), default=least)
            left.remove(lowest if lowest.value >= least.value else least)
        for _ in range(min(tie_break.cut_highest, len(left))):
            left.remove(max(left, key=lambda it: (it.score, it.value)))
        counted = {it.round for it in left}
        return [replace(it, counts=it.round in counted) for it in entries]


def _rounds_of(report: Report, index: int) -> list[PlayerRound]:
    rounds = []
    for number, cells in enumerate(report.rounds, start=1):
        opponent = report.places.get(cells.opponents[index])
        result, colour = cells.results[index], cells.colours[index]
        points = worth(report.header.points, result, colour)
        rounds.append(PlayerRound(number, opponent if opponent != index else None, colour, result, points))
    return rounds


# ------------------------------------------------------------------------------------------------- values


def _buchholz(played: Tournament, index: int, tie_break: TieBreak) -> Fraction:
    """Return the sum of the opponents' scores (8.1, 8.3), for Sonneborn-Berger times the points against them (9.1)."""
    entries = played.contributions(index, tie_break)
    return sum((it.value for it in entries if it.counts), Fraction(0))


def _opponents_buchholz(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return the average Buchholz, or Fore Buchholz, of the opponents over the board (8.2)."""
    of = TieBreak("FB" if tie_break.of_fore else "BH")
    sums = [_buchholz(played, other, of) for other in _met(played, index)]
    return sum(sums, Fraction(0)) / len(sums) if sums else None


def _koya(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return the points against players who scored at least half of what was possible (9.2, 14.5).

    Nobody can score in the free round of a round robin.
    """
    games = played.length
    if played.all_play_all:
        games = max(sum(it.opponent is not None for it in rounds) for rounds in played.rounds)
    limit = played.win * games / 2 + Fraction(tie_break.limit, 2)
    return sum(
        (
            it.points
            for it in played.rounds[index]
            if it.opponent is not None and played.points[it.opponent] >= limit
        ),
        Fraction(0),
    )


_COUNTED: Mapping[str, Callable[[PlayerRound, Fraction], bool]] = {
    "WIN": lambda it, win: it.points >= win,  # 7.1: played or not
    "WON": lambda it, win: it.is_game and it.points >= win,  # 7.2: no forfeit, in a round robin neither
    "BPG": lambda it, _: it.is_game and it.colour == "b",  # 7.3
    "BWG": lambda it, win: it.is_game and it.colour == "b" and it.points >= win,  # 7.4
    "REP": lambda it, _: not it.is_absence,  # 7.6
}
"""For each tie-break that counts rounds, whether a round counts, given the points of a win."""


def _count(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return how many rounds count (7.1 to 7.4, 7.6)."""
    return sum(_COUNTED[tie_break.name](it, played.win) for it in played.rounds[index])


def _progressive(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return the sum of the scores after each round, without those of the first rounds if cut (7.5, 14.1)."""
    after, scores = Fraction(0), []
    for it in played.rounds[index]:
        after += it.points
        scores.append(after)
    return sum(scores[tie_break.cut_lowest : len(scores) - tie_break.cut_highest], Fraction(0))


def _standard_points(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return one point for each round better than the opponent's, half a point for an equal one (7.7)."""
    total = Fraction(0)
    for it in played.rounds[index]:
        other = played.draw
        if it.opponent is not None:
            other = played.rounds[it.opponent][it.number - 1].points
        total += 1 if it.points > other else Fraction(1, 2) if it.points == other else 0
    return total


def _met(played: Tournament, index: int) -> list[int]:
    """Return the opponents over the board, each as often as met."""
    return [it.opponent for it in played.rounds[index] if it.is_game and it.opponent is not None]


def _average_rating(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return the average rating of the opponents over the board, half up (10.1)."""
    ratings = sorted(played.ratings[other] for other in _met(played, index))
    counted = ratings[tie_break.cut_lowest : len(ratings) - tie_break.cut_highest]
    return half_up(Fraction(sum(counted), len(counted))) if counted else None


def _performance(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return the average rating of the opponents plus the difference of the fraction of points (10.2)."""
    average = _average_rating(played, index, TieBreak("ARO"))
    if average is None:
        return None
    return int(average) + TABLE_8_1A.difference(fractional_score(*_score_over_the_board(played, index)))


def _perfect_performance(played: Tournament, index: int, tie_break: TieBreak) -> Value:
    """Return the lowest rating that expects at least the score, by the whole table (10.3)."""
    ratings = [played.ratings[other] for other in _met(played, index)]
    if not ratings:
        return None
    scored, _ = _score_over_the_board(played, index)
    if scored == 0:
        return int(min(ratings)) - 800
    wanted = 50 * scored
    low, high = min(ratings) - 800, max(ratings) + 800
    while low < high:
        middle = (low + high) // 2
        expects = sum(TABLE_8_1B.expected(middle - rating) for rating in ratings)
        low, high = (low, middle) if expects >= wanted else (middle + 1, high)
    return int(low)


def _score_over_the_board(played: Tournament, index: int) -> tuple[int, int]:
    """Return the half-points over the board, whatever the tournament gives for a win, and the games."""
    games = [HALF_POINTS[it.result] for it in played.rounds[index] if it.is_game]
    return sum(games), len(games)


def _average_of_opponents(value: Callable[[Tournament, int, TieBreak], Value]) -> Callable[..., Value]:
    """Return the average of another tie-break of the opponents over the board, half up (10.4, 10.5)."""

    def average(played: Tournament, index: int, tie_break: TieBreak) -> Value:
        values = [value(played, other, tie_break) for other in _met(played, index)]
        known = [it for it in values if it is not None]
        return half_up(Fraction(sum(known), len(known))) if known else None

    return average


_VALUES: Mapping[str, Callable[[Tournament, int, TieBreak], Value]] = {
    **dict.fromkeys(_COUNTED, _count),
    "PS": _progressive,
    "STD": _standard_points,
    "TPN": lambda played, index, _: int(played.numbers[index]),  # 7.8
    "BH": _buchholz,
    "AOB": _opponents_buchholz,
    "FB": _buchholz,
    "SB": _buchholz,
    "KS": _koya,
    "ARO": _average_rating,
    "TPR": _performance,
    "PTP": _perfect_performance,
    "APRO": _average_of_opponents(_performance),  # 10.4
    "APPO": _average_of_opponents(_perfect_performance),  # 10.5
    "RTNG": lambda played, index, _: played.ratings[index],  # 10.6
}


def values_of(played: Tournament, tie_break: TieBreak) -> list[Value]:
    """Return the value of each player; of a tie-break of ratings none if a player has no rating (10).

    Direct encounter has no value of its own: it depends on who is tied.
    """
    nobody: list[Value] = [None] * len(played.rounds)
    if tie_break.name == "DE" or (tie_break.needs_ratings and not all(played.ratings)):
        return nobody
    value = _VALUES[tie_break.name]
    return [value(played, index, tie_break) for index in range(len(played.rounds))]


# ------------------------------------------------------------------------------------------------ ranking


def final_table(report: Report, chosen: Sequence[TieBreak] = ()) -> FinalTable:
    """Return the final table with the tie-breaks that the report names, else with the usual ones.

    Ranks of the report stand, unless they contradict the points. Those of ``chosen`` tie-breaks follow from them. A
    tie-break of ratings is left out if somebody has no rating (10).
    """
    all_play_all = _all_play_all(report)
    named, unknown = read_tie_breaks(report.header.tie_breaks or report.header.standings_order)
    usual = FOR_ROUND_ROBIN if all_play_all else FOR_SWISS
    asked = tuple(chosen) or named or usual
    tie_breaks = tuple(it for it in asked if not it.needs_ratings or all(report.column("rating")))
    unknown += tuple(it.code for it in asked if it not in tie_breaks)
    played = Tournament(report, tie_break_rules(report.header.first_day), all_play_all=all_play_all)
    places = ranked(played, tie_breaks)
    by_report = not chosen and ranks_hold(report, played.points)
    if by_report:
        ranks = report.column("rank")
        places = tuple(sorted((replace(it, rank=ranks[it.index]) for it in places), key=lambda it: it.rank))
    return FinalTable(places, tie_breaks, played, unknown, by_report)


def _all_play_all(report: Report) -> bool:
    """Return whether the pairings were fixed in advance: all met all, or a round robin is declared that is not over."""
    rounds = report.header.rounds or len(report.rounds)
    declared = declared_kind(report.header) in ALL_PLAY_ALL and rounds >= report.size - 1
    return declared or meets_all(report)


def ranked(played: Tournament, tie_breaks: Sequence[TieBreak]) -> tuple[FinalPlace, ...]:
    """Return the players by points and tie-breaks (4.2), those whom nothing separates in start order."""
    columns = [values_of(played, tie_break) for tie_break in tie_breaks]
    groups = split(range(len(played.rounds)), played.points)
    for position, tie_break in enumerate(tie_breaks):
        if tie_break.name == "DE":
            for group in groups:
                for index, score in _encounters(played, group, tie_break).items():
                    columns[position][index] = score
            groups = [part for group in groups for part in direct_encounter(played, group, tie_break)]
        else:
            column, lower = columns[position], tie_break.lower_is_better
            groups = [part for group in groups for part in split(group, column, lower_first=lower)]
    return tuple(_table(groups, played, columns))


def _table(
    groups: Sequence[Sequence[int]], played: Tournament, columns: list[list[Value]]
) -> Iterator[FinalPlace]:
    rank = 1
    for group in groups:
        for index in group:
            values = tuple(column[index] for column in columns)
            yield FinalPlace(index, rank, played.points[index], values)
        rank += len(group)


def split(
    group: Sequence[int], column: Mapping[int, Value] | Sequence[Value], *, lower_first: bool = False
) -> list[list[int]]:
    """Return the players in groups of equal values, the best first, those without a value last, each in its order."""
    sign = 1 if lower_first else -1

    def key(index: int) -> tuple[bool, Fraction | int]:
        value = column[index]
        return (value is None, 0 if value is None else sign * value)

    return [list(part) for _, part in groupby(sorted(group, key=key), key=key)]


def direct_encounter(played: Tournament, group: Sequence[int], tie_break: TieBreak) -> list[list[int]]:
    """Return a group of tied players in parts, as their games with each other separate them (6).

    If all met, their points against each other rank them (6.2). If games are missing, only who is alone at the top
    whatever these games would give is ranked (6.3). Each part is then ranked again.
    """
    if len(group) < 2:  # noqa: PLR2004  one player is not tied
        return [list(group)]
    points = _encounters(played, group, tie_break)
    missing = {index: _missing(played, index, group, tie_break) for index in group}
    if any(missing.values()):
        most = {index: points[index] + played.win * missing[index] for index in group}
        parts = _certain(group, points, most)
    else:
        parts = split(group, points)
    if len(parts) == 1:
        return parts
    return [again for part in parts for again in direct_encounter(played, part, tie_break)]


def _certain(
    group: Sequence[int], points: Mapping[int, Fraction], most: Mapping[int, Fraction]
) -> list[list[int]]:
    """Return one after the other who is alone at the top of those left in any case, then the others (6.3)."""
    parts, left = [], list(group)
    while len(left) > 1:
        best = max(left, key=lambda index: points[index])
        if any(most[other] >= points[best] for other in left if other != best):
            break
        left.remove(best)
        parts.append([best])
    return [*parts, left]


def _encounters(played: Tournament, group: Sequence[int], tie_break: TieBreak) -> dict[int, Fraction]:
    """Return the points of each player of a group against the others, forfeits aside (6.1.1).

    Of several games against one player the average counts (6.1.2).
    """
    if len(group) < 2:  # noqa: PLR2004  one player is not tied
        return {}
    totals = {}
    for index in group:
        scores: dict[int, list[Fraction]] = {}
        for it in played.rounds[index]:
            if it.opponent in group and it.opponent is not None and played.is_opponent(it, tie_break):
                scores.setdefault(it.opponent, []).append(it.points)
        totals[index] = sum((sum(each, Fraction(0)) / len(each) for each in scores.values()), Fraction(0))
    return totals


def _missing(played: Tournament, index: int, group: Sequence[int], tie_break: TieBreak) -> int:
    """Return how many players of a group a player did not meet; none in a round robin."""
    if played.all_play_all:
        return 0
    met = {it.opponent for it in played.rounds[index] if played.is_opponent(it, tie_break)}
    return sum(other != index and other not in met for other in group)
