"""The points and ranks of a report against its results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from arpad.checks.context import some, warning
from arpad.checks.positions import of_player
from arpad.model.rules import Finding
from arpad.reports.report import HALF_POINTS, Report, Round, worth

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


def _totals(rounds: Sequence[Round], points: Mapping[str, Fraction], players: int) -> list[Halves]:
    """Each participant's half-points over some rounds."""
    if not rounds:
        return [0] * players
    if points:
        value = _Worth(points)
        columns = [
            list(map(value.__getitem__, zip(cells.results, cells.colours, strict=True))) for cells in rounds
        ]
        return list(map(sum, zip(*columns, strict=True)))
    usual = [cells.results.encode("latin-1", "replace").translate(_USUAL) for cells in rounds]
    return list(map(sum, zip(*usual, strict=True)))


_USUAL = bytes(HALF_POINTS.get(chr(letter), 0) for letter in range(256))
"""Half-points by letter; one that is no result counts nothing."""


def points(report: Report) -> Iterator[Finding]:
    """The points against the sum of the results."""
    claims = [entrant.half_points for entrant in report.entrants]
    totals = _totals(report.rounds, report.header.points, len(claims))
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
    allowed = tuple(_other_totals(report, totals)) if wrong else ()
    for place, total in wrong.items():
        claim = claims[place]
        if claim is None or any(claim == other[place] for other in allowed):
            continue
        where = of_player(report, place, "half_points")
        yield warning("points-not-the-sum", **where, claimed=Fraction(claim, 2), sum=Fraction(total) / 2)


def _other_totals(report: Report, totals: list[Halves]) -> Iterator[list[Halves]]:
    """Totals that are right as well, each with and without the byes asked for in rounds to come.

    A report in mid-event may hold the byes of the next round without counting them; the bye of a team is worth
    something to the team, not to its players.
    """
    header, players = report.header, len(totals)
    variants = [totals]
    played = max(
        (index for index, cells in enumerate(report.rounds, start=1) if any(cells.opponents)), default=0
    )
    if played < len(report.rounds):
        variants.append(_totals(report.rounds[:played], header.points, players))
    if report.teams:
        variants.append(_totals(report.rounds, {**header.points, "PAB": Fraction(0)}, players))
    given, asked = _given(report), _asked_for(report)
    numbers = [entrant.number for entrant in report.entrants]
    for variant in variants:
        with_given = [total + given.get(number, 0) for total, number in zip(variant, numbers, strict=True)]
        yield with_given
        yield [total + asked.get(number, 0) for total, number in zip(with_given, numbers, strict=True)]


def _asked_for(report: Report) -> dict[int, Halves]:
    """Half-points of byes in rounds that have no cells yet (record 240)."""
    found: dict[int, Halves] = {}
    for record in report.records:
        number, bye = record.fields.get("round", ""), record.fields.get("type", "")
        if record.tag == "240" and number.isdecimal() and int(number) > len(report.rounds):
            halves = 2 * worth(report.header.points, bye)
            found |= {player: found.get(player, 0) + halves for player in record.numbers}
    return found


def _given(report: Report) -> dict[int, Halves]:
    """Half-points given or taken out of the ordinary (record 299); in team events they are the team's."""
    found: dict[int, Halves] = {}
    for record in report.records if not report.teams else ():
        text = record.fields.get("game_points", "").replace(",", ".")
        if record.tag == "299" and _DECIMAL.fullmatch(text):
            found |= {player: found.get(player, 0) + 2 * Fraction(text) for player in record.numbers}
    return found


_DECIMAL = re.compile(r"-?\d{1,4}(\.\d{1,4})?", re.ASCII)


def ranks(report: Report) -> Iterator[Finding]:
    """Participants without a rank, where ranks are given or have to be, and ranks that more than one has."""
    given = [entrant.rank for entrant in report.entrants]
    without = [place for place, rank in enumerate(given) if not rank]
    if without and (any(given) or report.format.startswith("trf")):
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
