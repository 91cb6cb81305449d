"""The final standings of a report, its rounds as pairings, and its grid if all met all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations

from arpad.reports.report import Report, worth

MOST_IN_GRID = 24
"""Players of the largest grid: it has a column for each."""


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """One entrant at the end of a tournament."""

    index: int
    """The place among the entrants of the report, counted from 0."""

    rank: int
    """Shared by entrants whom nothing separates."""

    points: Fraction
    values: tuple[Fraction | int | None, ...] = ()
    """The values of the tie-breaks of the table; None if there is none."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round, or a player without an opponent."""

    white: int
    """Places among the entrants; without colours the first named."""

    black: int | None
    result: str
    """The letter of the first player's result."""

    other_result: str = ""


def half_points_of(report: Report) -> list[int | Fraction]:
    """Return the half-points of each entrant: as the report claims them, else counted from the results."""
    return [
        _counted(report, index) if entrant.half_points is None else entrant.half_points
        for index, entrant in enumerate(report.entrants)
    ]


def _counted(report: Report, index: int) -> Fraction:
    points = report.header.points
    worths = (worth(points, cells.results[index], cells.colours[index]) for cells in report.rounds)
    return 2 * sum(worths, Fraction(0))


def final_standings(report: Report, factor: int = 1) -> tuple[FinalPlace, ...]:
    """Return the entrants by final rank: that of the report if it ranks everybody, else by points, shared if equal.

    Ranks that contradict the points do not count. ``factor`` multiplies the points: a draughts game is worth two.
    """
    totals = [Fraction(halves, 2) for halves in half_points_of(report)]
    ranks = [entrant.rank for entrant in report.entrants]
    by_report = ranks_hold(report, totals)
    places = [
        FinalPlace(
            index, (ranks[index] or 0) if by_report else 1 + sum(other > total for other in totals), total * factor
        )
        for index, total in enumerate(totals)
    ]  # fmt: skip
    return tuple(sorted(places, key=lambda place: (place.rank, place.index)))


def winner(report: Report) -> int | None:
    """Return the place of the only first of the final standings among the entrants.

    None if several share it, or if teams played: one of them won.
    """
    if report.teams:
        return None
    ranks = report.column("rank")
    totals = half_points_of(report)
    most = max(totals, default=0)
    if totals.count(most) == 1:
        return totals.index(most)
    return ranks.index(1) if ranks_hold(report, totals) and ranks.count(1) == 1 else None


def ranks_hold(report: Report, totals: Sequence[int | Fraction]) -> bool:
    """Return whether a report ranks everybody, by the points; players of one rank have equal points."""
    ranks = report.column("rank")
    equal = len({*zip(ranks, totals, strict=True)}) == len({*ranks})
    return equal and _all_ranked(ranks) and against_points(ranks, totals) is None


def against_points(ranks: Sequence[int | None], totals: Sequence[int | Fraction]) -> tuple[int, int] | None:
    """Return the first two entrants whose ranks contradict their points, the better ranked one first; None if none do.

    A report that does not rank everybody has no ranks to contradict.
    """
    if not _all_ranked(ranks):
        return None
    order = sorted(range(len(ranks)), key=lambda index: ranks[index] or 0)
    return next(((a, b) for a, b in pairwise(order) if ranks[a] != ranks[b] and totals[a] < totals[b]), None)


def _all_ranked(ranks: Sequence[int | None]) -> bool:
    """Return whether a report ranks everybody; equal ranks leave out as many of the next ones."""
    order = [0, *sorted(filter(None, ranks))]
    return 0 < len(ranks) < len(order) and all(
        rank in (place, before) for place, (before, rank) in enumerate(pairwise(order), start=1)
    )


def pairings(report: Report, number: int) -> tuple[Pairing, ...]:
    """Return the games of a round, White first, then the players without an opponent."""
    cells = report.round(number)
    games, alone, paired = [], [], set[int]()
    for index, opponent in enumerate(cells.opponents):
        other = report.places.get(opponent)
        if other is None:
            if cells.results[index] not in (" ", "Z"):
                alone.append(Pairing(index, None, cells.results[index]))
        elif index not in paired:
            paired |= {index, other}
            first, second = (other, index) if cells.colours[index] == "b" else (index, other)
            games.append(Pairing(first, second, cells.results[first], cells.results[second]))
    return (*games, *alone)


def meets_all(report: Report) -> bool:
    """Return whether everybody met everybody equally often, in a field small enough for a grid."""
    size = len(report.entrants)
    if not 2 < size <= MOST_IN_GRID:  # noqa: PLR2004  a match needs no grid
        return False
    met = dict.fromkeys(permutations(range(size), 2), 0)
    for index, other, _ in _results(report):
        if other != index:
            met[index, other] += 1
    return len(set(met.values())) == 1 and min(met.values()) > 0


def grid(report: Report) -> dict[tuple[int, int], list[str]]:
    """Return the results of each player against each other one, in the order of the rounds."""
    results: dict[tuple[int, int], list[str]] = {}
    for index, other, result in _results(report):
        results.setdefault((index, other), []).append(result)
    return results


def _results(report: Report) -> Iterator[tuple[int, int, str]]:
    for cells in report.rounds:
        for index, opponent in enumerate(cells.opponents):
            other = report.places.get(opponent)
            if other is not None:
                yield index, other, cells.results[index]
