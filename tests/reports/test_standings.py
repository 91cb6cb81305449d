"""Final standings, pairings and grids of reports."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

from arpad.reports.report import Report
from arpad.reports.standings import Pairing, final_standings, grid, meets_all, pairings, winner
from tests.builders.chess import event

DAY = date(2024, 1, 10)
THREE = "1 2000 | 2w1 3b= .U\n2 1900 | 1b0 .H 3w1\n3 1800 | .Z 1w= 2b0"


def without_ranks(report: Report) -> Report:
    entrants = tuple(replace(entrant, rank=None, half_points=None) for entrant in report.entrants)
    return replace(report, entrants=entrants)


def test_points_decide_where_the_report_ranks_nobody_and_equal_points_share_a_rank() -> None:
    report = without_ranks(event("Open", "1 2000 | 2w= 3b1\n2 1900 | 1b= .U\n3 1800 | .Z 1w0", DAY))

    assert [(place.index, place.rank, place.points) for place in final_standings(report)] == [
        (0, 1, Fraction(3, 2)), (1, 1, Fraction(3, 2)), (2, 3, Fraction(0)),
    ]  # fmt: skip
    assert final_standings(report, 2)[0].points == 3
    assert winner(report) is None


def ranked(report: Report, *ranks: int) -> Report:
    entrants = zip(report.entrants, ranks, strict=True)
    return replace(report, entrants=tuple(replace(entrant, rank=rank) for entrant, rank in entrants))


def test_the_ranks_of_the_report_are_kept_if_it_ranks_everybody() -> None:
    """Two of three have a point and a half: the report says who is first of them."""
    report = without_ranks(event("Open", "1 2000 | 2w= 3b1\n2 1900 | 1b= .U\n3 1800 | .Z 1w0", DAY))
    tied, twice = ranked(report, 2, 1, 3), ranked(report, 1, 1, 1)

    assert [place.index for place in final_standings(tied)] == [1, 0, 2]
    assert [place.rank for place in final_standings(twice)] == [1, 1, 3]
    assert [winner(tied), winner(twice), winner(replace(report, entrants=(), rounds=()))] == [1, None, None]


def test_points_decide_where_the_ranks_contradict_them() -> None:
    """2.5, 1.5 and 0.5 points: who is first has no more than the second."""
    report = ranked(without_ranks(event("Open", THREE, DAY)), 2, 1, 3)

    assert [(place.index, place.rank) for place in final_standings(report)] == [(0, 1), (1, 2), (2, 3)]
    assert winner(report) == 0


def test_a_round_shows_white_first_and_then_those_without_an_opponent() -> None:
    report = event("Open", THREE, DAY)

    assert pairings(report, 1) == (Pairing(0, 1, "1", "0"),)
    assert pairings(report, 2) == (Pairing(2, 0, "=", "="), Pairing(1, None, "H"))


def test_a_grid_is_made_only_where_all_met_all() -> None:
    report = event("Open", THREE, DAY)

    assert meets_all(report)
    assert grid(report)[0, 1] == ["1"]
    assert grid(report)[2, 1] == ["0"]
    assert not meets_all(event("Open", "1 2000 | 2w1 3b=\n2 1900 | 1b0 .H\n3 1800 | .Z 1w=", DAY))
