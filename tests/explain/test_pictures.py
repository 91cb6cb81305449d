"""Small pictures: squares of results, bars of gains, histograms; each with its text."""

import re
from fractions import Fraction

import pytest

from arpad.explain.pictures import (
    DRAW,
    LOSS,
    UNPLAYED,
    WIN,
    Box,
    Mark,
    PlayedGame,
    boxes,
    distribution,
    gain_bar,
    movements,
    outcome_of,
    result_strip,
    results_bar,
    trend,
)


@pytest.mark.parametrize(
    ("score", "most", "played", "outcome"),
    [
        (Fraction(1), 1, True, WIN),
        (Fraction(1, 2), 1, True, DRAW),
        (Fraction(0), 1, True, LOSS),
        (Fraction(1), 1, False, UNPLAYED),
        (2, 2, True, WIN),
        (1, 2, True, DRAW),
    ],
)
def test_an_outcome_is_the_share_of_what_a_game_can_give(
    score: Fraction, most: int, played: bool, outcome: str
) -> None:
    assert outcome_of(score, most, played=played) == outcome


def test_a_strip_shows_results_by_height_and_colours_by_the_frame() -> None:
    games = [
        PlayedGame(WIN, "w", "a <win>"),
        PlayedGame(DRAW, "b", "a draw"),
        PlayedGame(LOSS, "-", "a loss"),
    ]
    strip = result_strip("1 win & more", games)
    assert "aria-label='1 win &amp; more'" in strip
    assert re.findall(r"<title>(.*?)</title>", strip) == ["a &lt;win&gt;", "a draw", "a loss"]
    assert re.findall(r"class='(\w+)' x='(\d+)' y='\d+' width='18' height='(\d+)'", strip) == [
        ("white", "2", "18"),
        ("win", "2", "18"),
        ("black", "24", "18"),
        ("draw", "24", "9"),
        ("loss", "46", "18"),
    ]


@pytest.mark.parametrize(
    ("value", "kind", "x", "width"),
    [
        (20, "gain", 60, 59),
        (Fraction(-10), "fall", 30, 30),
        (0, "none", 60, 0),
        (Fraction(1, 9), "gain", 60, 1),
    ],
)
def test_a_gain_goes_right_and_a_loss_left(value: Fraction, kind: str, x: int, width: int) -> None:
    assert f"<rect class='{kind}' x='{x}' y='2' width='{width}'" in gain_bar("text", value, 20)


def bars(picture: str) -> list[tuple[str, str]]:
    """Return the class and the text of each bar."""
    return re.findall(r"<rect class='([^']*)'[^>]*><title>(.*?)</title>", picture)


def test_a_distribution_counts_every_value_once_and_points_at_one() -> None:
    picture = distribution("all", {1500: 2, 1509: 1, 1510: 4, 1549: 1}, Mark(1510, "Ada <1510>"), least=10)
    assert bars(picture) == [
        ("bin", "1500–1509: 3"),
        ("bin here", "1510–1519: 4"),
        ("bin", "1520–1529: 0"),
        ("bin", "1530–1539: 0"),
        ("bin", "1540–1549: 1"),
    ]
    assert ">Ada &lt;1510&gt;</text>" in picture
    assert distribution("none", {}) == ""


def test_a_few_players_have_wide_bars_and_no_bar_is_narrower_than_asked() -> None:
    capitals = dict.fromkeys(range(600, 4000, 121), 1)
    assert [label for _, label in bars(distribution("few", capitals))][:2] == ["500–749: 2", "750–999: 2"]
    many = dict.fromkeys(range(1400, 2400), 5)
    assert len(bars(distribution("many", many))) == 40
    assert len(bars(distribution("many", many, least=50))) == 20


def test_movements_are_mirrored_around_zero() -> None:
    """A change of 10 and one of −10 are in the two bars beside zero; who did not move is not counted."""
    picture = movements("moves", {0: 50, 10: 3, 1: 1, -10: 2, -11: 1})
    assert bars(picture)[3:7] == [
        ("fall", "−20 … −10: 1"),
        ("fall", "−10 … 0: 2"),
        ("gain", "0 … +10: 4"),
        ("gain", "+10 … +20: 0"),
    ]
    assert len(bars(picture)) == 10, "two bars would fill the picture"
    assert movements("nobody", {0: 5}) == ""


def test_wins_draws_and_losses_share_a_bar_and_differ_in_height() -> None:
    bar = results_bar("8 games", 4, 2, 2)
    assert re.findall(r"class='(\w+)' x='(\d+)' y='\d+' width='(\d+)' height='(\d+)'", bar) == [
        ("win", "1", "73", "12"),
        ("draw", "76", "36", "7"),
        ("loss", "114", "36", "12"),
    ]
    assert "rect" not in results_bar("no game", 0, 0, 0)


@pytest.mark.parametrize(
    ("ratings", "kind", "points"),
    [
        ((1500, 1500, 1500, 1530), "gain", "3,15 55,15 81,7"),
        ((None, None, 1600, 1500), "fall", "55,3 81,19"),
        ((1500, 1500, 1500), "none", "3,11 81,11"),
        ((1500,), "none", "3,11"),
    ],
)
def test_a_trend_has_its_ends_and_its_changes(
    ratings: tuple[int | None, ...], kind: str, points: str
) -> None:
    assert f"<polyline class='{kind}' points='{points}'/>" in trend("before → after", ratings)


def test_a_trend_of_a_player_without_a_rating_is_empty() -> None:
    assert trend("nothing", (None, None)) == ""


def test_boxes_show_five_values_of_each_group_and_point_at_one_player() -> None:
    groups = [
        Box("10–19", "10–19: 5 <players>", (1400, 1500, 1600, 1700, 1800)),
        Box("20+", "20+: 1", (1500,) * 5),
    ]
    picture = boxes("ages", groups, (1, 1500, "You & 1500"))
    assert re.findall(r"<title>(.*?)</title>", picture) == [
        "10–19: 5 &lt;players&gt;",
        "20+: 1",
        "You &amp; 1500",
    ]
    assert re.findall(r"<text x='52' y='[\d.]+' text-anchor='end'>(\d+)<", picture) == [
        "1400", "1500", "1600", "1700", "1800",
    ]  # fmt: skip
    low, quarter, median, upper, high = (204 - 194 * part / 4 for part in range(5))
    assert f"y1='{low}' y2='{high}'" in picture
    assert f"y='{upper}' width='26' height='{quarter - upper}'" in picture
    assert f"y1='{median}' y2='{median}'/></g>" in picture
    assert boxes("nobody", []) == ""
