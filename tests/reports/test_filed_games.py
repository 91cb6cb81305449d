"""Sorting the games of many reports leads to the same reports as the dictionary of a few."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

import pytest

from arpad.reports.duplicates import GameIndex, Overlap, split_marks
from arpad.reports.filed_games import FiledGames

MAY = ("2018-05-01", "2018-05-03")
DAYS = (MAY, ("2018-05-03", "2018-05-09"), ("2018-06-01", "2018-06-02"), ("", ""))


def joined(marks: Sequence[int]) -> bytes:
    different = sorted(set(marks))
    return struct.pack(f">{len(different)}Q", *different)


def random_reports(rnd: random.Random, most: int) -> list[tuple[int, bytes, str, str]]:
    """Return reports of few and of many games, some with those of an earlier one."""
    reports: list[tuple[int, bytes, str, str]] = []
    for number in range(60):
        games = [rnd.randrange(most) for _ in range(rnd.choice((0, 1, 2, 3, 5, 20, 60)))]
        if reports and rnd.random() < 0.5:
            earlier = [*split_marks(rnd.choice(reports)[1])]
            games += rnd.sample(earlier, rnd.randint(0, len(earlier)))
        reports.append((number, joined(games), *rnd.choice(DAYS)))
    return reports


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("expected_at_once", [0, 10, 60])
def test_the_same_reports_overlap(seed: int, expected_at_once: int) -> None:
    index, few, many = GameIndex(), FiledGames(), FiledGames(many=True)
    overlaps = 0
    rnd = random.Random(seed)  # noqa: S311  made-up data
    reports = random_reports(rnd, (300, 2**64)[seed % 2])
    for place, (report, marks, *days) in enumerate(reports):
        if expected_at_once and not place % expected_at_once:
            many.expect(games for _, games, *_ in reports[place : place + expected_at_once])
        expected = index.overlapping(split_marks(marks), *days)
        assert few.overlapping(marks, *days) == many.overlapping(marks, *days) == expected
        overlaps += len(expected)
        index.add(report, split_marks(marks), *days)
        for games in (few, many):
            games.add(report, marks, *days)
    assert overlaps > 10


@pytest.mark.parametrize("seed", range(6))
def test_a_report_on_file_is_compared_with_the_others(seed: int) -> None:
    index, few, many = GameIndex(), FiledGames(), FiledGames(many=True)
    rnd = random.Random(seed)  # noqa: S311  made-up data
    reports = random_reports(rnd, (300, 2**64)[seed % 2])
    for report, marks, *days in reports:
        index.add(report, split_marks(marks), *days)
        for games in (few, many):
            games.add(report, marks, *days)
    overlaps = 0
    for report, filed, *days in reports:
        some_left_out = joined([*split_marks(filed)][:-1])
        for marks in (
            filed,
            some_left_out,
        ):  # its games may be other ones now, as another player has another mark
            expected = index.overlapping(split_marks(marks), *days)
            expected.pop(report, None)
            assert few.overlapping(marks, *days, own=report) == expected
            assert many.overlapping(marks, *days, own=report) == expected
            overlaps += len(expected)
    assert overlaps > 10


def test_a_long_report_contains_a_short_one() -> None:
    games = FiledGames(many=True)
    games.add(1, joined([7]), *MAY)
    games.add(2, joined(range(100, 300)), *MAY)
    assert games.overlapping(joined([7, *range(1000, 1200)]), *MAY) == {1: Overlap(1, 1)}
    assert games.overlapping(joined(range(150, 350)), *MAY) == {2: Overlap(150, 200)}
