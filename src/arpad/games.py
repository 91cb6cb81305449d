"""Which games of a report count, and why not; each reason with its article."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from arpad.exact import HalfPoints
from arpad.model import ALL_PLAY_ALL, EventKind, Rule
from arpad.report import BYES, HALF_POINTS, MIRROR, PLAYED, Report
from arpad.rules import ChessRules


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's side of one round: whom he met, what he scored, and whether it counts."""

    round: int
    place: int
    opponent: int | None
    """The opponent's place; None where there was none."""

    opponent_number: int
    result: str
    reason: str = ""
    """Why it does not count; empty where it does."""

    article: str = ""

    @property
    def score(self) -> HalfPoints:
        """Half-points, 1-½-0."""
        return HALF_POINTS.get(self.result, 0)


def cells(
    report: Report,
    ratings: tuple[int | None, ...],
    treated_as: EventKind,
    rules: ChessRules,
    *,
    match_games: int | None = None,
    minutes: Fraction | None = None,
    only: AbstractSet[int] | None = None,
) -> list[list[Cell]]:
    """Every player's cells, round by round, each with the reason why it does not count, if there is one.

    ``minutes`` is the time for sixty moves where the edition judges it game by game; with ``only``, the other places
    stay empty.
    """
    ends_early = treated_as == EventKind.MATCH and rules.match_decided.value
    decided = decided_in(report, match_games) if ends_early else None
    found: list[list[Cell]] = []
    for place in range(len(report.entrants)):
        mine: list[Cell] = []
        if only is not None and place not in only:
            found.append(mine)
            continue
        for cell in _cells_of(report, place):
            reason, article = _reason(cell, report, ratings, treated_as, rules)
            if not reason and decided is not None and cell.round > decided:
                reason, article = "match-decided", rules.match_decided.article
            if not reason and minutes is not None and rules.time_bands and cell.opponent is not None:
                stronger = max(ratings[place] or 0, ratings[cell.opponent] or 0)
                reason, article = _too_fast(stronger, minutes, rules.time_bands)
            mine.append(
                Cell(cell.round, place, cell.opponent, cell.opponent_number, cell.result, reason, article)
            )
        found.append(mine)
    return found


def _cells_of(report: Report, place: int) -> Iterator[Cell]:
    for index, column in enumerate(report.rounds, start=1):
        number, result = column.opponents[place], column.results[place]
        if number or result != " ":
            yield Cell(index, place, report.places.get(number) if number else None, number, result)


def _reason(
    cell: Cell, report: Report, ratings: tuple[int | None, ...], treated_as: EventKind, rules: ChessRules
) -> tuple[str, str]:
    """The articles about single games, in the order in which they exclude one."""
    if cell.result in BYES or not cell.opponent_number:
        return "bye", rules.moves_to_be_played.article
    if cell.opponent is None or cell.opponent == cell.place:
        return "unknown-opponent", ""
    if cell.result not in PLAYED:
        return "unplayed" if cell.result in MIRROR else "no-result", rules.moves_to_be_played.article
    if not _mirrored(cell, cell.opponent, report):
        return "contradiction", ""
    if None not in (ratings[cell.place], ratings[cell.opponent]) or treated_as in ALL_PLAY_ALL:
        return "", ""
    if treated_as == EventKind.MATCH and rules.match_unrated.value:
        return "match-unrated", rules.match_unrated.article
    if ratings[cell.opponent] is None:
        return "unrated-opponent", rules.articles["unrated-opponent"]
    return "", ""


def _mirrored(cell: Cell, opponent: int, report: Report) -> bool:
    """Whether the opponent's cell of the round tells the same game."""
    column = report.rounds[cell.round - 1]
    own_number = report.entrants[cell.place].number
    return column.opponents[opponent] == own_number and MIRROR[cell.result] == column.results[opponent]


def _too_fast(stronger: int, minutes: Fraction, bands: Rule[tuple[tuple[int, int], ...]]) -> tuple[str, str]:
    """Where the time is judged game by game: too little for the stronger of the two players."""
    needed = next(least for low, least in bands.value if stronger >= low)
    return ("too-fast", bands.article) if minutes < needed else ("", "")


def decided_in(report: Report, match_games: int | None) -> int | None:
    """The round after which a match of so many games was won; None where it never was, or is not known."""
    if match_games is None:
        return None
    totals: dict[int, HalfPoints] = {}
    for index, column in enumerate(report.rounds, start=1):
        for place, opponent in enumerate(column.opponents):
            if opponent:  # who was never paired took no part
                totals[place] = totals.get(place, 0) + HALF_POINTS.get(column.results[place], 0)
        if max(totals.values(), default=0) > match_games:
            return index
    return None


def scores(found: list[list[Cell]]) -> Mapping[tuple[int, int], HalfPoints]:
    """Half-points by pair of places over the games played, for a cross-table."""
    table: dict[tuple[int, int], HalfPoints] = {}
    for mine in found:
        for cell in mine:
            if cell.opponent is not None and cell.result in PLAYED:
                pair = (cell.place, cell.opponent)
                table[pair] = table.get(pair, 0) + cell.score
    return table
