"""Compare the points and ranks of a report with its results."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain

from arpad.checks.context import first_start_numbers, of_player, warning
from arpad.model.rules import Finding
from arpad.reports.report import HALF_POINTS, Report, Round, worth
from arpad.reports.standings import against_points, half_points_of

Halves = int | Fraction


def _totals(rounds: Sequence[Round], points: Mapping[str, Fraction], players: int) -> list[Halves]:
    """Return the half-points of each participant over the given rounds."""
    if not rounds:
        return [0] * players
    if points:
        columns = [list(zip(cells.results, cells.colours, strict=True)) for cells in rounds]
        value = {cell: 2 * worth(points, *cell) for cell in {*chain.from_iterable(columns)}}
        totals = [sum(value[cell] for cell in own) for own in zip(*columns, strict=True)]
        return [int(total) if total.denominator == 1 else total for total in totals]
    usual = [cells.results.encode("latin-1", "replace").translate(_USUAL) for cells in rounds]
    return list(map(sum, zip(*usual, strict=True)))


_USUAL = bytes(HALF_POINTS.get(chr(letter), 0) for letter in range(256))
"""Half-points by letter; a letter that is no result counts 0."""


def points(report: Report) -> Iterator[Finding]:
    """Compare the points with the sum of the results; a report without rounds has no sum."""
    if not report.rounds:
        return
    claims = [entrant.half_points for entrant in report.entrants]
    totals = totals_of(report)
    if claims == totals:
        return
    wrong = {
        index: total
        for index, (claim, total) in enumerate(zip(claims, totals, strict=True))
        if claim is not None and claim != total
    }
    if len(wrong) > 1 and not any(claims):
        first = next(iter(wrong))
        yield warning("points-all-zero", **of_player(report, first, "half_points"), count=len(wrong))
        return
    allowed = other_totals(report, totals) if wrong else ()
    for index, total in wrong.items():
        claim = claims[index]
        if claim is None or any(claim == possible[index] for possible in allowed):
            continue
        where = of_player(report, index, "half_points")
        yield warning("points-not-the-sum", **where, claimed=Fraction(claim, 2), sum=Fraction(total) / 2)


def totals_of(report: Report) -> list[Halves]:
    """Return the half-points of each participant, as the results make them."""
    return _totals(report.rounds, report.header.points, len(report.entrants))


def other_totals(report: Report, totals: list[Halves]) -> tuple[list[Halves], ...]:
    """Return other totals that are also right, each with and without requested byes of later rounds.

    A report in mid-event may contain the byes of the next round without counting them; the bye of a team gives points
    to the team, not to its players.
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
    awarded, requested = _awarded_points(report), _requested_byes(report)
    numbers = [entrant.number for entrant in report.entrants]
    allowed = []
    for variant in variants:
        with_awarded = [
            total + awarded.get(number, 0) for total, number in zip(variant, numbers, strict=True)
        ]
        with_byes = zip(with_awarded, numbers, strict=True)
        allowed += [with_awarded, [total + requested.get(number, 0) for total, number in with_byes]]
    return tuple(allowed)


def _requested_byes(report: Report) -> dict[int, Halves]:
    """Return the half-points of byes in rounds without cells (record 240)."""
    halves_of: dict[int, Halves] = {}
    for record in report.records:
        number, bye = record.fields.get("round", ""), record.fields.get("type", "")
        if record.tag == "240" and number.isdecimal() and int(number) > len(report.rounds):
            halves = 2 * worth(report.header.points, bye)
            halves_of |= {player: halves_of.get(player, 0) + halves for player in record.numbers}
    return halves_of


def _awarded_points(report: Report) -> dict[int, Halves]:
    """Return the half-points awarded or deducted by decision (record 299); in team events they are the team's."""
    halves_of: dict[int, Halves] = {}
    for record in report.records if not report.teams else ():
        text = record.fields.get("game_points", "").replace(",", ".")
        if record.tag == "299" and _DECIMAL.fullmatch(text):
            halves_of |= {player: halves_of.get(player, 0) + 2 * Fraction(text) for player in record.numbers}
    return halves_of


_DECIMAL = re.compile(r"-?\d{1,4}(\.\d{1,4})?", re.ASCII)


def ranks(report: Report) -> Iterator[Finding]:
    """Report missing ranks, ranks that two participants share, and ranks against the points."""
    in_report = [entrant.rank for entrant in report.entrants]
    without = [index for index, rank in enumerate(in_report) if not rank]
    if without and (any(in_report) or report.format.startswith("trf")):
        players = first_start_numbers(report.entrants[index] for index in without)
        where = of_player(report, without[0], "rank")
        yield warning("rank-missing", **where, count=len(without), players=players)
    if len(set(in_report)) < len(in_report):
        counted = Counter(rank for rank in in_report if rank)
        twice = [index for index, rank in enumerate(in_report) if rank and counted[rank] > 1]
        if twice:
            where = of_player(report, twice[0], "rank")
            players = first_start_numbers(report.entrants[index] for index in twice)
            yield warning("rank-twice", **where, count=len(twice), players=players)
    yield from _against_points(report, in_report)


def _against_points(report: Report, in_report: Sequence[int | None]) -> Iterator[Finding]:
    """Report ranks that contradict the points, as the report claims them and as its results make them.

    The players of teams are often ranked by boards.
    """
    claims = half_points_of(report)
    pair = None if report.teams else against_points(in_report, claims)
    if pair is None or (report.rounds and against_points(in_report, totals_of(report)) is None):
        return
    above, below = pair
    yield warning(
        "rank-against-points", **of_player(report, above, "rank"), name=report.entrants[above].name,
        rank=in_report[above] or 0, points=Fraction(claims[above], 2), other=report.entrants[below].name,
        more=Fraction(claims[below], 2),
    )  # fmt: skip


CHECKS = (points, ranks)
