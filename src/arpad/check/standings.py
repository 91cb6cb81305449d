"""The points and ranks of a report against its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from arpad.check.case import some, warning
from arpad.check.place import of_player
from arpad.model import Finding
from arpad.report import HALF_POINTS, Report, Round, worth

Halves = int | Fraction


class _Worth(dict[tuple[str, str], Halves]):
    """Half-points by result and colour under a report's own point system, each worked out once."""

    def __init__(self, points: Mapping[str, Fraction]) -> None:
        super().__init__()
        self._points = points

    def __missing__(self, key: tuple[str, str]) -> Halves:
        halves = 2 * worth(self._points, *key)
        self[key] = int(halves) if halves.denominator == 1 else halves
        return self[key]


def _totals(report: Report, rounds: Sequence[Round]) -> list[Halves]:
    """Each participant's half-points over some rounds."""
    if report.header.points:
        value = _Worth(report.header.points)
        columns = [
            list(map(value.__getitem__, zip(cells.results, cells.colours, strict=True))) for cells in rounds
        ]
    else:
        usual = Counter(HALF_POINTS)  # a letter that is no result counts nothing
        columns = [list(map(usual.__getitem__, cells.results)) for cells in rounds]
    return list(map(sum, zip(*columns, strict=True))) if columns else [0] * len(report.entrants)


def points(report: Report) -> Iterator[Finding]:
    """The points against the sum of the results."""
    claims = [entrant.half_points for entrant in report.entrants]
    totals = _totals(report, report.rounds)
    if claims == totals:
        return
    wrong = {
        place: total
        for place, (claim, total) in enumerate(zip(claims, totals, strict=True))
        if claim is not None and claim != total
    }
    if len(wrong) > 1 and not any(claims):
        first = next(iter(wrong))
        yield warning("points-all-zero", **of_player(report, first, "half_points"), count=len(wrong))
        return
    allowed = _other_totals(report, totals) if wrong else []
    for place, total in wrong.items():
        claim = claims[place]
        if claim is None or any(claim == other[place] for other in allowed):
            continue
        where = of_player(report, place, "half_points")
        yield warning("points-not-the-sum", **where, claimed=Fraction(claim, 2), sum=Fraction(total) / 2)


def _other_totals(report: Report, totals: Sequence[Halves]) -> list[list[Halves]]:
    """Totals that are right as well: of a report in mid-event, with or without the byes of the round to come."""
    extra = _extra(report)
    asked = _asked(report)
    found = [
        [total + extra.get(entrant.number, 0) for total, entrant in zip(totals, report.entrants, strict=True)]
    ]
    found.append(
        [
            total + asked.get(entrant.number, 0)
            for total, entrant in zip(found[0], report.entrants, strict=True)
        ]
    )
    unplayed = next(
        (index for index, cells in enumerate(report.rounds) if not any(cells.opponents)), len(report.rounds)
    )
    if unplayed < len(report.rounds) and not any(any(cells.opponents) for cells in report.rounds[unplayed:]):
        found.append(
            [
                total + extra.get(entrant.number, 0)
                for total, entrant in zip(
                    _totals(report, report.rounds[:unplayed]), report.entrants, strict=True
                )
            ]
        )
    return found


_BYE_CASES = {"F": "F", "H": "H", "Z": "Z"}


def _asked(report: Report) -> dict[int, Halves]:
    """Half-points of byes asked for in rounds that have no cells yet (record 240)."""
    found: dict[int, Halves] = {}
    for record in report.records:
        if record.tag == "240" and int(record.fields.get("round", "0")) > len(report.rounds):
            halves = 2 * worth(report.header.points, _BYE_CASES.get(record.fields.get("type", ""), "Z"))
            for number in record.numbers:
                found[number] = found.get(number, 0) + halves
    return found


def _extra(report: Report) -> dict[int, Halves]:
    """Half-points given or taken out of the ordinary (record 299)."""
    found: dict[int, Halves] = {}
    for record in report.records:
        if record.tag == "299" and not report.teams:
            halves = 2 * Fraction(record.fields.get("game_points", "0").replace(",", "."))
            for number in record.numbers:
                found[number] = found.get(number, 0) + halves
    return found


def ranks(report: Report) -> Iterator[Finding]:
    """Ranks that nobody, or more than one, has."""
    given = [entrant.rank for entrant in report.entrants]
    without = [place for place, rank in enumerate(given) if not rank]
    if without:
        players = some(report.entrants[place] for place in without)
        where = of_player(report, without[0], "rank")
        yield warning("rank-missing", **where, count=len(without), players=players)
    if len(set(given)) < len(given):
        counted = Counter(rank for rank in given if rank)
        twice = [place for place, rank in enumerate(given) if rank and counted[rank] > 1]
        if twice:
            where = of_player(report, twice[0], "rank")
            players = some(report.entrants[place] for place in twice)
            yield warning("rank-twice", **where, count=len(twice), players=players)


CHECKS = (points, ranks)
