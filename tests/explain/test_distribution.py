"""The picture of the distribution of ratings."""

from __future__ import annotations

from arpad.explain.distribution import distribution


def test_bars_are_as_high_as_their_players_and_the_mark_is_at_its_rating() -> None:
    shown = distribution({1800: 1, 1850: 4, 1950: 2}, 50, here=1875)

    assert shown is not None
    assert [(bar.low, bar.high, bar.players) for bar in shown.bars] == [
        (1800, 1849, 1),
        (1850, 1899, 4),
        (1950, 1999, 2),
    ]
    assert [round(4 * bar.height / shown.bars[1].height) for bar in shown.bars] == [1, 4, 2]
    assert shown.mark is not None
    assert shown.bars[1].x < shown.mark < shown.bars[1].x + shown.bars[1].width
    assert [rating for _, rating in shown.labels] == [1800, 1900]


def test_a_wide_distribution_has_wider_bands_that_lose_nobody() -> None:
    bands = dict.fromkeys(range(150, 4200, 50), 1)
    shown = distribution(bands, 50)

    assert shown is not None
    assert len(shown.bars) <= 48
    assert sum(bar.players for bar in shown.bars) == len(bands)
    assert shown.mark is None


def test_a_single_band_needs_no_picture_and_a_mark_outside_is_left_out() -> None:
    assert distribution({1800: 5}, 50) is None
    shown = distribution({1800: 5, 1850: 1}, 50, here=2500)
    assert shown is not None
    assert shown.mark is None
