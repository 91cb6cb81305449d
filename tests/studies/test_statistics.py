"""The statistics against figures worked elsewhere: papers, the regulations, and arithmetic by hand."""

from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from arpad.explain.words import LANGUAGES, load_words
from arpad.studies.calibration import calibration, calibration_by_list, scored
from arpad.studies.conclusions import of_drift, of_lists, sentence
from arpad.studies.drift import age_group, cohort, drift, settling
from arpad.studies.history import HistoryGame, HistoryList, HistoryPlayer
from arpad.studies.points import PeriodPoints
from arpad.studies.pools import federation_pools
from arpad.studies.statistics import (
    difference_p,
    excess_p,
    holm,
    mean_p,
    outcome_chances,
    score_distribution,
    two_sided,
    wilson,
)


def game(white: int, black: int, score: int, **more: object) -> HistoryGame:
    usual = {"event": "a", "day": date(2018, 1, 5), "round": 1, "white_rating": 1500, "black_rating": 1500}
    expected = {"white_expected": 50, "black_expected": 50}
    return HistoryGame(white=white, black=black, score=score, **{**usual, **expected, **more})  # type: ignore[arg-type]


def test_wilson_is_that_of_scipy() -> None:
    from scipy import stats  # takes a second to load

    for hits, tries in ((0, 10), (3, 10), (37, 80), (80, 80)):
        theirs = stats.binomtest(hits, tries).proportion_ci(method="wilson")
        ours = wilson(hits / tries, tries)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_chances_are_those_of_scipy() -> None:
    from scipy import stats  # takes a second to load

    few, many = np.array([3.0, -1.0, 4.0, 1.0]), np.array([5.0, 9.0, -2.0, 6.0, 5.0, 3.5, 5.0])
    assert mean_p(few) == pytest.approx(stats.ttest_1samp(few, 0.0).pvalue, rel=1e-12)
    assert mean_p(many) == pytest.approx(stats.ttest_1samp(many, 0.0).pvalue, rel=1e-12)
    assert mean_p(np.array([2.0, 2.0])) == 1.0
    welch = stats.ttest_ind(few, many, equal_var=False).pvalue
    assert difference_p(few, many) == pytest.approx(welch, rel=1e-12)
    assert difference_p(np.zeros(3), np.ones(3)) == 1.0
    for hits, tries in ((0, 10), (3, 10), (61, 80), (80, 80)):
        theirs = stats.binomtest(hits, tries, 0.5, alternative="greater").pvalue
        assert excess_p(hits, tries) == pytest.approx(theirs, rel=1e-12)
    assert two_sided(-1.7) == pytest.approx(2 * stats.norm.sf(1.7), rel=1e-12)


def test_holm_by_hand() -> None:
    # Sorted .01 .02 .03 .2: times 4, 3, 2, 1, and never below the one before.
    assert holm([0.03, 0.01, 0.2, 0.02]) == pytest.approx([0.06, 0.04, 0.2, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_chances_keep_the_expectation() -> None:
    for expected in (0.02, 0.3, 0.5, 0.92):
        loss, draw, win = outcome_chances(expected, 0.4)
        assert loss + draw + win == pytest.approx(1)
        assert win + draw / 2 == pytest.approx(expected)
        assert min(loss, draw, win) >= 0


def test_the_sum_of_games_by_hand() -> None:
    # Two games of 1/4, 1/2, 1/4: both lost 1/16, one half-point 4/16, and so on.
    found = score_distribution([(0.25, 0.5, 0.25)] * 2)
    assert found == pytest.approx(np.array([1, 4, 6, 4, 1]) / 16)


@pytest.mark.parametrize(("k", "games"), [(10, 70), (20, 35), (40, 18)])
def test_settling_is_that_of_article_12_3(k: int, games: int) -> None:
    assert settling(k).games == games


@pytest.mark.parametrize(("k", "games"), [(10, 75), (15, 50), (30, 25)])
def test_settling_is_near_article_12_3_of_2009(k: int, games: int) -> None:
    # The older text rounds 695 / K to 750 / K.
    assert abs(settling(k).games - games) <= 0.1 * games


def test_a_bin_by_hand() -> None:
    # Forty games of the higher rated at .75: 20 wins, 10 draws, 10 losses are 25 points where 30 were expected.
    results = [2] * 20 + [1] * 10 + [0] * 10
    games = [
        game(1, 2, score, white_rating=1690, black_rating=1500, white_expected=75, black_expected=25)
        for score in results
    ]
    found = next(one for one in calibration(games, {}).bins if one.cut == "difference")
    assert (found.low, found.high, found.games) == (150, 199, 40)
    assert found.expected == pytest.approx(0.75)
    assert found.achieved.value == pytest.approx(0.625)
    # The variance is 40 x .75 x .25 less a quarter of ten draws: 5; five points below are 2.236 deviations.
    assert found.p == pytest.approx(2 * special.ndtr(-5 / np.sqrt(5)))
    assert found.achieved.low < 0.625 < found.achieved.high


def test_proper_scores_by_hand() -> None:
    games = [game(1, 2, 2, white_expected=75, black_expected=25, white_rating=1690)]
    table = scored(games, {})[0]
    assert table.name == "table"
    assert table.log_loss == pytest.approx(-np.log(0.75))
    assert table.brier == pytest.approx(0.0625)


def test_drift_follows_the_same_people() -> None:
    people = {
        number: HistoryPlayer(number, federation="AAA" if number % 2 else "BBB", born=1988)
        for number in range(60)
    }
    first = HistoryList(
        date(2018, 1, 1), {number: 1500 + number for number in range(50)}, frozenset(range(60))
    )
    moved = {number: 1500 + number + 8 + number % 5 for number in range(10, 60)}
    found = drift([first, HistoryList(date(2020, 1, 1), moved, frozenset(range(60)))], people)
    assert found.cohort is not None
    assert found.cohort.players == 40
    assert found.cohort.change.value == pytest.approx(10)
    assert found.cohort.a_year.value == pytest.approx(5, abs=0.01)
    assert found.cohort.drifts
    last = found.lists[-1]
    assert (last.entered, last.left) == (10, 10)
    assert (last.entered_points, last.left_points) == (
        sum(moved[n] for n in range(50, 60)),
        sum(1500 + n for n in range(10)),
    )


def test_nobody_to_follow_is_said() -> None:
    people = {number: HistoryPlayer(number) for number in range(50)}
    lists = [
        HistoryList(date(year, 1, 1), dict.fromkeys(range(50), 1500), frozenset(range(50)))
        for year in (2018, 2019)
    ]
    assert drift(lists, people).cohort is None


def test_a_group_that_moves_otherwise_than_the_others_is_told() -> None:
    """Thirty of AAA gain 9, 10 or 11 points, thirty of BBB lose or gain one; everybody is of one age and sex."""
    people = {
        number: HistoryPlayer(number, federation="AAA" if number < 30 else "BBB", born=1988, sex="m")
        for number in range(60)
    }
    first = HistoryList(date(2018, 1, 1), {number: 1500 + number for number in range(60)})
    gain = {number: number % 3 - 1 + (10 if number < 30 else 0) for number in range(60)}
    last = HistoryList(date(2019, 1, 1), {number: 1500 + number + gain[number] for number in range(60)})
    found = drift([first, last], people).groups
    assert [(one.by, one.group, one.players) for one in found] == [
        ("federation", "AAA", 30),
        ("federation", "BBB", 30),
    ]
    high, _ = found
    assert (high.first, high.last, high.change.value) == pytest.approx((1514.5, 1524.5, 10))
    # both have a variance of 20/29, so that the difference of 10 has an error of sqrt(2 x 20/29 / 30)
    assert high.p == pytest.approx(2 * special.stdtr(58, -10 / np.sqrt(2 * 20 / 29 / 30)), rel=1e-6)
    assert high.adjusted == pytest.approx(2 * high.p)


def test_one_list_alone_has_no_drift() -> None:
    people = {number: HistoryPlayer(number, born=1988) for number in range(50)}
    only = HistoryList(date(2018, 1, 1), dict.fromkeys(range(50), 1500), frozenset(range(50)))
    assert drift([only], people).cohort is None


def test_a_list_that_everybody_left_tells_the_points_that_went() -> None:
    first = HistoryList(date(2018, 1, 1), {1: 1500, 2: 1600})
    *_, last = drift([first, HistoryList(date(2018, 2, 1), {})], {}).lists
    assert (last.players, last.left, last.left_points) == (0, 2, 3100)


@pytest.mark.parametrize(
    ("born", "group"),
    [(2008, "0-11"), (2007, "0-11"), (2006, "12-17"), (2000, "18-44"), (1953, "65+"), (None, "")],
)
def test_age_groups(born: int | None, group: str) -> None:
    assert age_group(born, 2018) == group


def test_the_shift_of_two_pools_by_hand() -> None:
    # Three wins in four for BBB at equal ratings: 191 points by the logistic curve. Colours are even.
    people = {
        number: HistoryPlayer(number, federation="AAA" if number <= 40 else "BBB") for number in range(1, 81)
    }
    games = []
    for number in range(1, 41):
        won = number % 4 != 0
        if number % 8 < 4:
            games.append(game(number, number + 40, 0 if won else 2, event=str(number)))
        else:
            games.append(game(number + 40, number, 2 if won else 0, event=str(number)))
    pools = {pool.federation: pool for pool in federation_pools(games, people).pools}
    shift = pools["AAA"].shift
    assert shift is not None
    assert shift.value == pytest.approx(400 * np.log10(3), abs=5)
    assert pools["BBB"].shift is not None
    assert pools["BBB"].shift.value == pytest.approx(-shift.value)


def test_pools_that_never_meet_have_no_shift() -> None:
    people = {
        number: HistoryPlayer(number, federation="AAA" if number <= 20 else "BBB") for number in range(1, 41)
    }
    found = federation_pools([game(number, number + 1, 1) for number in range(1, 40) if number != 20], people)
    assert [(pool.shift, pool.isolated) for pool in found.pools] == [(None, True), (None, True)]


def test_one_guest_is_no_pool() -> None:
    people = {
        number: HistoryPlayer(number, federation="AAA" if number <= 20 else "BBB") for number in range(1, 22)
    }
    found = federation_pools(
        [game(21, number % 20 + 1, 2, event=str(number)) for number in range(60)], people
    )
    assert [(pool.shift, pool.isolated) for pool in found.pools] == [(None, False), (None, False)]


def test_a_lift_is_told_apart_from_drift() -> None:
    # Sixty adults gain 30 points, all of them by an adjustment; then ten of them another 10 by play.
    people = {number: HistoryPlayer(number, born=1988) for number in range(60)}
    everybody = frozenset(range(60))
    first = HistoryList(date(2018, 1, 1), dict.fromkeys(range(60), 1500), everybody)
    last = HistoryList(date(2020, 1, 1), {n: 1540 if n < 10 else 1530 for n in range(60)}, everybody)
    found = cohort(first, last, people, dict.fromkeys(range(60), 30.0))
    assert found is not None
    assert found.lifted == 30
    assert found.change.value == pytest.approx(30 + 100 / 60)
    assert found.a_year.value == pytest.approx(50 / 60, abs=0.001)
    assert not found.drifts  # certain, but below three points a year
    plain = cohort(first, last, people)
    assert plain is not None
    assert plain.drifts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lift_is_shared_out_among_those_who_had_it_where_nobody_can_be_followed(language: str) -> None:
    nobody = drift([HistoryList(date(2024, 2, 1), {}), HistoryList(date(2024, 3, 1), {1: 1600, 2: 1700})], {})
    lift = PeriodPoints(
        date(2024, 3, 1), "fide-2024", 2, 2, 2700, 3300, 0, {"lift": Fraction(600)}, {"lift": 2}
    )
    small, lifted = of_drift(nobody, [lift])
    assert (small.key, lifted.key) == ("cohort-too-small", "lifted-alone")
    assert lifted.facts == {"points": 600, "players": 2, "each": 300}
    assert "300" in sentence(lifted, load_words(language))


# ------------------------------------------------------------------------------------------------ list by list


def of_scores(wins: int, losses: int) -> list[HistoryGame]:
    """Games of a favourite at .75: so many wins and losses, no draw."""
    return [
        game(1, 2, score, white_rating=1690, black_rating=1500, white_expected=75, black_expected=25)
        for score in [2] * wins + [0] * losses
    ]


def test_lists_calibration_by_list_by_hand() -> None:
    # 300 of 400 and 240 of 400 where 300 are expected: 0 and -.15 a game beyond; the error of each is
    # the root of .75 x .25 / 400 = .02165, of the difference .03062: 4.9 deviations.
    found = {
        one.list: one
        for one in calibration_by_list({"standard": of_scores(300, 100), "rapid": of_scores(240, 160)})
    }
    rapid = found["rapid"]
    assert rapid.against_others is not None
    assert rapid.against_others.value == pytest.approx(-0.15)
    assert rapid.p == pytest.approx(2 * special.ndtr(-0.15 / np.sqrt(2 * 0.75 * 0.25 / 400)))
    assert rapid.adjusted == pytest.approx(2 * rapid.p)  # two lists are two tests
    assert rapid.differs
    assert [one.key for one in of_lists(tuple(found.values()))] == ["list-differs", "list-differs"]


def test_lists_that_are_alike_and_lists_with_few_games() -> None:
    games = {"standard": of_scores(300, 100), "rapid": of_scores(298, 102), "blitz": of_scores(3, 1)}
    found = calibration_by_list(games)
    assert [one.list for one in found] == ["standard", "rapid"]
    assert [one.key for one in of_lists(found)] == ["lists-alike"]
    (alone,) = calibration_by_list({"standard": of_scores(300, 100)})
    assert alone.against_others is None
    assert of_lists((alone,)) == []
