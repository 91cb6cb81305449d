"""What is told along the way, in full: every step of a change and of an entry rating, with its article and facts."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from arpad.model.chess import EventKind, Performance, PlayerFacts, RatedGame, RoundRobin, RoundRobinEntry
from arpad.model.rules import ListName, Step, step
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.change import (
    adjust_once,
    applied_k,
    coefficient,
    game_changes,
    rating_change,
    until_eighteenth_birthday,
    until_end_of_eighteenth_year,
)
from arpad.regulations.fide.entry_rating import (
    all_games,
    all_games_or_rated_ones,
    as_one_tournament,
    entry_rating,
    ignored_as_first,
    minimum_games,
    months_after_first_tranche,
    months_before_list,
    months_with_the_lists_own,
    performance_value,
    swiss_performance,
    within_window,
)
from arpad.regulations.fide.rules import ChessRules, OneOffAdjustment


def rules_of(edition: str, on_list: ListName = ListName.STANDARD) -> ChessRules:
    return chess_edition(edition).on(on_list)


R2009, R2017, GUIDE = rules_of("fide-2009"), rules_of("fide-2017"), rules_of("fsi-2012")
R2022, R2024, R2025 = rules_of("fide-2022"), rules_of("fide-2024"), rules_of("fide-2025")
HALF = Fraction(1, 2)

# ----------------------------------------------------------------------------------------------- one game (8.5)


def delta(article: str, score: Fraction | int, expected: str) -> Step:
    score, pd = Fraction(score), Fraction(expected)
    return step(article, "delta", score - pd, score=score, expected=pd)


def test_a_game_is_told_from_the_difference_to_the_delta() -> None:
    """2100 draws with 2000: 100 points, .64, hence -.14."""
    (found,) = game_changes([RatedGame(2100, 2000, 1)], R2017)
    assert found.steps == (
        step("8.51", "difference", 100, own=2100, opponent=2000),
        step("8.1b", "expected", Fraction(64, 100)),
        delta("8.55b", HALF, ".64"),
    )
    assert (found.difference, found.capped, found.rated, found.change) == (100, False, True, -14)


@pytest.mark.parametrize(("opponent", "counted", "pd"), [(1599, 400, ".92"), (2401, -400, ".08")])
def test_a_gap_beyond_the_cap(opponent: int, counted: int, pd: str) -> None:
    (found,) = game_changes([RatedGame(2000, opponent, 2)], R2017)
    assert found.steps == (
        step("8.51", "difference", 2000 - opponent, own=2000, opponent=opponent),
        step("8.54", "capped", counted),
        step("8.1b", "expected", Fraction(pd)),
        delta("8.55b", 1, pd),
    )
    assert (found.difference, found.capped) == (counted, True)


@pytest.mark.parametrize("opponent", [1600, 2400])
def test_a_gap_just_at_the_cap(opponent: int) -> None:
    for rules in (R2017, R2022, R2025):
        (found,) = game_changes([RatedGame(2000, opponent, 2)], rules)
        assert (found.difference, found.capped) == (2000 - opponent, False)
        assert [told.quantity for told in found.steps] == ["difference", "expected", "delta"]


def test_one_gap_of_a_tournament() -> None:
    """2022: the largest gap above counts as 400, once; the second as it is; gaps below always as 400."""
    games = [RatedGame(2000, 1500, 2, "a"), RatedGame(2000, 1400, 2, "a"), RatedGame(2000, 2500, 0, "a")]
    games += [RatedGame(2000, 1400, 2, "a"), RatedGame(2000, 1590, 2, "b")]
    found = game_changes(games, R2022)
    assert [game.capped for game in found] == [False, True, True, False, True]
    assert found[0].steps[1] == step("8.3.1", "not-capped-again", 500)
    assert [game.difference for game in found] == [500, 400, -400, 600, 400]


def test_a_player_of_2650_has_no_cap() -> None:
    """2025: 2650 against 2200 is 450, .94; the player of 2200 is capped all the same."""
    (above,) = game_changes([RatedGame(2650, 2200, 2)], R2025)
    assert above.steps[1] == step("8.3.1", "exempt", 2650)
    assert (above.difference, above.expected) == (450, 94)
    (just_below,) = game_changes([RatedGame(2649, 2200, 2)], R2025)
    assert (just_below.difference, just_below.capped) == (400, True)
    (other,) = game_changes([RatedGame(2200, 2650, 0)], R2025)
    assert (other.difference, other.capped) == (-400, True)


@pytest.mark.parametrize(
    ("own", "opponent", "rated"),
    [(2601, 2001, False), (2001, 2601, False), (2601, 2002, True), (2600, 2000, True), (2600, 1900, True)],
)
def test_rapid_games_too_far_apart(own: int, opponent: int, rated: bool) -> None:
    """December 2024: not rated from 600 points on, where one of the two is above 2600."""
    rapid = rules_of("fide-2024-12", ListName.RAPID)
    (found,) = game_changes([RatedGame(own, opponent, 2)], rapid)
    assert found.rated is rated
    if not rated:
        gap = own - opponent
        assert found.steps == (
            step("RB 7.3.1", "difference", gap, own=own, opponent=opponent),
            step("RB 7.3.1", "too-far", 600, above=2600),
        )
        assert (found.difference, found.capped, found.expected, found.change) == (gap, False, 0, 0)


def test_a_change_is_told_from_the_sum_to_the_new_rating() -> None:
    """36 games, K 20 reduced to 19; 36 draws at 2000 against 2004, .49 each: .36 x 19 = 6.84."""
    found = rating_change(2000, 20, [RatedGame(2000, 2004, 1)] * 36, R2017)
    total, change = Fraction(36, 100), Fraction("6.84")
    assert found.steps == (
        step("8.55c", "sum", total, games=36),
        step("8.56", "k-reduced", 19, k=20, games=36, limit=700),
        step("8.55c", "change", change, k=19, sum=total),
        step("8.57", "new-rating", 2007, rating=2000, change=change, rounded=7),
    )
    assert (found.k, found.k_applied, found.sum, found.change_rounded) == (20, 19, 36, 7)


def test_below_the_floor_is_told() -> None:
    """1003 loses to 1003 with K 8: 999 is below 1000; with K 6, 1000 is not."""
    found = rating_change(1003, 8, [RatedGame(1003, 1003, 0)], R2017)
    assert found.steps[-1] == step("7.21", "delisted", 999, floor=1000)
    kept = rating_change(1003, 6, [RatedGame(1003, 1003, 0)], R2017)
    assert (kept.new_rating, kept.steps[-1].quantity) == (1000, "new-rating")


@pytest.mark.parametrize(("k", "games", "applied"), [(20, 35, 20), (20, 36, 19), (40, 17, 40), (40, 18, 38)])
def test_k_times_games_up_to_700(k: int, games: int, applied: int) -> None:
    found, steps = applied_k(k, games, R2017)
    assert (found, len(steps)) == (applied, int(applied != k))
    assert applied_k(k, games, R2009) == (k, ())


# --------------------------------------------------------------------------------------------------- K (8.56)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (PlayerFacts(2400, 5), step("8.56", "k-top", 10, highest=2400, reached=2400)),
        (PlayerFacts(2100, 5, 2450, 2010), step("8.56", "k-top", 10, highest=2450, reached=2400)),
        (PlayerFacts(2299, 99, 0, 2005), step("8.56", "k-junior-year", 40, born=2005, below=2300)),
        (
            PlayerFacts(2299, 99, 0, date(2005, 1, 2)),
            step("8.56", "k-junior", 40, born=date(2005, 1, 2), below=2300),
        ),
        (PlayerFacts(2300, 99, 0, 2005), step("8.56", "k-usual", 20, limit=30, top=2400)),
        (PlayerFacts(2200, 99, 2300, 2005), step("8.56", "k-usual", 20, limit=30, top=2400)),
        (PlayerFacts(2000, 29), step("8.56", "k-new", 40, games=29, limit=30)),
        (PlayerFacts(2000, 30), step("8.56", "k-usual", 20, limit=30, top=2400)),
    ],
)
def test_why_a_player_has_his_k(facts: PlayerFacts, told: Step) -> None:
    assert coefficient(facts, date(2018, 1, 1), R2017) == (told.value, (told,))


def test_until_when_one_is_a_junior() -> None:
    """Born on 2 January 2000: eighteen on 2 January 2018; by the year alone, through the whole of 2018."""
    born = date(2000, 1, 2)
    assert until_eighteenth_birthday(born, date(2018, 1, 1))
    assert not until_eighteenth_birthday(born, date(2018, 1, 2))
    assert until_eighteenth_birthday(2000, date(2018, 12, 31))
    for known in (born, 2000):
        assert until_end_of_eighteenth_year(known, date(2018, 12, 31))
        assert not until_end_of_eighteenth_year(known, date(2019, 1, 1))
    assert not until_end_of_eighteenth_year(None, date(2018, 1, 1))
    assert not until_eighteenth_birthday(None, date(2018, 1, 1))


def test_both_lifts_look_at_what_they_are_about() -> None:
    share = OneOffAdjustment(on=date(2024, 3, 1), below=2000, share=Fraction(2, 5))
    assert [adjust_once(rating, share) for rating in (1999, 2000, 2001)] == [1999, 2000, 2001]
    assert adjust_once(1990, share, standard=2500) == 1994
    least = OneOffAdjustment(on=date(2022, 10, 1), standard_minus=100)
    assert [adjust_once(rating, least, 2000) for rating in (1899, 1900, 1901)] == [1900, 1900, 1901]
    assert adjust_once(1000, least) == 1000


# ------------------------------------------------------------------------------------- the value of an event (8.2)


def test_values_at_above_and_below_one_half() -> None:
    at = Fraction(2000)
    assert performance_value(at, 9, 9, R2017) == (at, (step("8.22", "entry-half", at),))
    assert performance_value(at, 11, 9, R2017) == (
        Fraction(2040),
        (step("8.23", "entry-above", Fraction(2040), average=at, halves=2, bonus=Fraction(20)),),
    )
    # 3 half-points of 9 games are .17 (16.67 %), hence -273; in a round robin of ten only nine tenths of it
    dp = step("8.1a", "dp", -273, p=Fraction(17, 100))
    assert performance_value(at, 3, 9, R2017) == (
        Fraction(1727),
        (dp, step("8.24", "entry-dp", Fraction(1727), average=at, dp=-273)),
    )
    value = 2000 - Fraction(2457, 10)
    assert performance_value(at, 3, 9, R2017, opponents=9) == (
        value,
        (dp, step("8.25", "entry-dp-round-robin", value, average=at, dp=-273, n=9, n1=10)),
    )


def swiss(name: str, ratings: list[int], score: int, day: date | None = None, **more: Any) -> Performance:
    return swiss_performance(name, ratings, score, last_day=day, **more)


def test_a_swiss_is_what_was_done_against_the_rated() -> None:
    day = date(2018, 5, 1)
    assert swiss("open", [1900, 2000], 3, day, team_championship=True, kind=EventKind.TEAM) == Performance(
        "open",
        EventKind.TEAM,
        games=2,
        score=3,
        opponents_total=Fraction(3900),
        opponents=2,
        rated_games=2,
        rated_score=3,
        last_day=day,
        team_championship=True,
    )
    plain = swiss("open", [1900], 1)
    assert (plain.kind, plain.last_day, plain.team_championship) == (EventKind.SWISS, None, False)


def test_several_events_as_one() -> None:
    """8.34: 12 games, 6.5 points, average 2184.17, one half-point above: 2199."""
    events = [swiss("a", [2220] * 3, 2), swiss("b", [2150] * 5, 6), swiss("c", [2200] * 4, 5)]
    found = entry_rating(events, R2009)
    average = Fraction(13105, 6)
    above = average + 15
    assert found.steps == (
        step("8.3", "average", average, games=12, score=Fraction(13, 2), events=3),
        step("8.23", "entry-above", above, average=average, halves=1, bonus=Fraction(15)),
        step("8.32", "entry", 2199),
    )
    assert (found.rating, found.computed, found.reason) == (2199, 2199, "published")
    assert (found.games, found.score, found.average) == (12, 13, average)
    assert found.counted == tuple(events)
    assert found.ignored == ()


def test_the_guides_mean_of_tranches() -> None:
    """The same data by the guide: 2220 - 125 = 2095, 2150 + 15 = 2165, 2200 + 15 = 2215; (6285 + 10825 + 8860) / 12."""
    found = entry_rating(
        [swiss("a", [2220] * 3, 2), swiss("b", [2150] * 5, 6), swiss("c", [2200] * 4, 5)], GUIDE
    )
    mean = Fraction(25970, 12)
    tranches = [told for told in found.steps if told.quantity.startswith("tranche")]
    assert tranches == [
        step("guide", "tranche", Fraction(2095), number=1, games=3, score=Fraction(1)),
        step("guide", "tranche", Fraction(2165), number=2, games=5, score=Fraction(3)),
        step("guide", "tranche", Fraction(2215), number=3, games=4, score=Fraction(5, 2)),
        step("guide", "tranche-mean", mean, games=12, tranches=3),
    ]
    assert [told.quantity for told in found.steps] == [
        *("dp", "entry-dp", "tranche"),
        *("entry-above", "tranche"),
        *("entry-above", "tranche"),
        *("tranche-mean", "entry"),
    ]
    assert (found.rating, found.average) == (2164, Fraction(13105, 6))


def test_two_opponents_who_are_not_there() -> None:
    """2024: five games at 2400 with 3 points and two draws at 1800: 4 of 7 (.57, +50) at 2228.57, above 2200."""
    found = entry_rating([swiss("a", [2400] * 5, 6)], R2024)
    average = Fraction(15600, 7)
    assert found.steps == (
        step("8.2.2", "hypothetical", 2, rating=1800, games=7, score=Fraction(4)),
        step("8.2.2", "average", average, games=7, score=Fraction(4), events=1),
        step("8.1.1", "dp", 50, p=Fraction(57, 100)),
        step("8.2.3", "entry-dp", average + 50, average=average, dp=50),
        step("8.2.3", "entry-cap", 2200),
        step("8.2.3", "entry", 2200),
    )
    assert (found.rating, found.games, found.score) == (2200, 5, 6)


def test_the_cap_of_entry_ratings_itself_is_not_told() -> None:
    """Five games at 2360 with 2.5 points: 3.5 of 7 at (11800 + 3600) / 7 = 2200, just the cap."""
    found = entry_rating([swiss("a", [2360] * 5, 5)], R2024)
    assert (found.rating, "entry-cap" in {told.quantity for told in found.steps}) == (2200, False)


# ------------------------------------------------------------------------------------- what does not count (6, 7.14)


def test_first_events_that_are_ignored() -> None:
    first = swiss("open", [2000] * 4, 1)
    assert ignored_as_first(first, R2009) == step(
        "6.41", "first-event-score", HALF, event="open", needed=Fraction(1)
    )
    assert ignored_as_first(first, R2017) is None
    two = swiss("open", [2000] * 2, 2)
    assert ignored_as_first(two, R2009) == step("6.41", "first-event-opponents", 2, event="open", needed=3)
    # 1 of 3 is .33, -125: 1324 - 125 = 1199 is below the floor of 1200, 1325 just reaches it
    low = swiss("open", [1324] * 3, 2)
    assert ignored_as_first(low, R2009) == step("8.31", "first-event-floor", 1199, event="open", floor=1200)
    assert ignored_as_first(swiss("open", [1325] * 3, 2), R2009) is None


def test_reasons_of_an_entry_that_is_not_published() -> None:
    day = date(2018, 1, 28)
    none = entry_rating([], R2017)
    assert (none.rating, none.computed, none.reason, none.games, none.score) == (None, None, "no-games", 0, 0)
    assert (none.average, none.counted, none.ignored, none.steps) == (None, (), (), ())
    zero = swiss("zero", [2000] * 3, 0)
    failed = entry_rating([zero], R2017)
    assert (failed.rating, failed.reason, failed.ignored, failed.counted) == (
        None,
        "first-event-score",
        (zero,),
        (),
    )
    assert failed.steps == (step("6.31", "first-event-score", Fraction(0), event="zero", needed=HALF),)
    later = entry_rating([zero], R2017, first=False)
    assert (later.reason, later.counted) == ("too-few-games", (zero,))
    few = entry_rating([swiss("few", [2000] * 4, 4, day)], R2017)
    assert (few.rating, few.computed, few.reason) == (None, 2000, "too-few-games")
    assert few.steps[-1] == step("7.14b", "too-few-games", 4, needed=5)
    low = entry_rating([swiss("low", [1000] * 5, 4, day)], R2017)
    # 2 of 5 is .40, hence -72
    assert (low.rating, low.computed, low.reason) == (None, 928, "below-floor")
    assert low.steps[-1] == step("7.14d", "below-floor", 928, floor=1000)
    assert entry_rating([swiss("at", [1072] * 5, 4)], R2017).rating == 1000


def test_a_tranche_of_the_guide_has_three_games() -> None:
    short, full = swiss("short", [2000] * 2, 2), swiss("full", [2000] * 3, 3)
    found = entry_rating([short, full], GUIDE)
    assert found.steps[0] == step("guide", "small-tranche", 2, event="short", needed=3)
    assert (found.ignored, found.counted) == ((short,), (full,))
    assert entry_rating([short], GUIDE).reason == "small-tranche"
    assert entry_rating([short], R2017).reason == "too-few-games"
    assert entry_rating([], GUIDE).reason == "no-games"


def test_events_are_pooled_in_order_of_their_last_day() -> None:
    """The zero is the earlier one, hence the first, hence ignored, however they are given."""
    zero = swiss("zero", [2000] * 3, 0, date(2018, 1, 5))
    good = swiss("good", [2000] * 5, 5, date(2018, 2, 5))
    found = entry_rating([good, zero], R2017)
    assert (found.counted, found.ignored) == ((good,), (zero,))
    undated = swiss("undated", [2000] * 3, 0)
    assert entry_rating([good, undated], R2017).ignored == (undated,)


def test_the_latest_event_decides_the_formula_and_the_list_the_rest() -> None:
    """One event by 2017, the next by 2024: two draws at 1800 are added to all; the minimum stays that of 2009."""
    by = {"a": R2017, "b": R2024}
    events = [swiss("a", [2000] * 3, 3), swiss("b", [2000] * 2, 2)]
    found = entry_rating(events, R2009, rules_of=lambda event: by[event.event])
    # 3.5 of 7 at 13600 / 7
    assert (found.computed, found.reason) == (1943, "too-few-games")
    assert found.steps[-2] == step("8.32", "entry", 1943)
    assert found.steps[-1] == step("7.14b", "too-few-games", 5, needed=9)


def test_how_many_games_a_rating_needs() -> None:
    team = [swiss("t", [2000] * 7, 7, team_championship=True), swiss("s", [2000], 1)]
    assert minimum_games(team, R2009, affiliated=False).article == "7.14f"
    less = [swiss("t", [2000] * 6, 6, team_championship=True), swiss("s", [2000], 1)]
    assert (minimum_games(less, R2009, affiliated=False).value) == 9
    assert minimum_games(less, R2009, affiliated=True).article == "7.14g"
    assert minimum_games(less, R2017, affiliated=True).article == "7.14b"
    round_robin = Performance("r", EventKind.DOUBLE_ROUND_ROBIN, 9, 9, Fraction(18000), 9, 9, 9)
    found = minimum_games([round_robin], R2009, affiliated=False)
    assert (found.value, found.article) == (9, "7.14a")
    assert minimum_games([round_robin, *less], R2009, affiliated=False).article == "7.14b"


# ------------------------------------------------------------------------------------------------- the window (7.14c)


def test_a_step_without_an_article_in_the_edition_cites_none() -> None:
    """The text of 2024 has no article for a score of one half, nor for round robins of newcomers."""
    assert performance_value(Fraction(2000), 4, 4, R2024)[1][-1].article == ""
    assert performance_value(Fraction(2000), 2, 4, R2024, opponents=4)[1][-1].article == ""
    alone = swiss("closed", [1900, 2000], 1, kind=EventKind.ROUND_ROBIN)
    assert as_one_tournament([alone], R2024).steps[0].article == ""


def test_a_round_robin_with_fewer_games_than_opponents_counts_its_rated_games() -> None:
    short = replace(swiss("closed", [1900, 2000], 3, kind=EventKind.ROUND_ROBIN), opponents=5)
    failed = ignored_as_first(short, R2009)
    assert failed is not None
    assert (failed.quantity, failed.value) == ("first-event-opponents", 2)


def test_the_reason_is_that_of_the_last_event_that_failed() -> None:
    without_points = swiss("first", [1900, 2000, 2100], 0, date(2010, 1, 5))
    few_opponents = swiss("second", [1900, 2000], 3, date(2010, 1, 20))
    entry = entry_rating([without_points, few_opponents], R2009, list_day=date(2010, 3, 1))
    assert entry.reason == "first-event-opponents"


def test_where_the_window_begins() -> None:
    list_day = date(2018, 3, 1)
    assert months_before_list(24, list_day, []) == date(2016, 3, 1)
    assert months_with_the_lists_own(26, list_day, []) == date(2016, 2, 1)
    assert months_with_the_lists_own(26, date(2018, 3, 15), []) == date(2016, 2, 1)
    days = [date(2016, 1, 31), date(2016, 3, 1), date(2018, 3, 1)]
    assert months_after_first_tranche(25, list_day, days) == date(2016, 3, 1)
    assert months_after_first_tranche(26, list_day, days) == date(2016, 1, 31)


def test_what_has_left_the_window() -> None:
    old = swiss("old", [2000], 1, date(2016, 1, 31))
    just = swiss("just", [2000], 1, date(2016, 2, 1))
    undated = swiss("undated", [2000], 1)
    kept, gone, steps = within_window([old, just, undated], date(2018, 3, 1), R2017)
    assert (kept, gone) == ([just, undated], [old])
    assert steps == [
        step("7.14c", "out-of-window", date(2016, 2, 1), event="old", day=date(2016, 1, 31), months=26)
    ]
    assert within_window([undated], date(2018, 3, 1), R2017) == ([undated], [], [])
    # without a list's day: the list that takes the last of them, here March 2018
    last = swiss("last", [2000], 1, date(2018, 2, 26))
    assert within_window([old, just, last], None, R2017)[1] == [old]
    april = swiss("april", [2000], 1, date(2018, 2, 27))
    assert within_window([old, just, april], None, R2017)[1] == [old, just]


# ------------------------------------------------------------------------------------------------- round robins


def table(games: int, players: int, rated_games: int = 4) -> RoundRobin:
    entry = RoundRobinEntry(
        number=1,
        score=7,
        games=games,
        rated_opponents=rated_games * (players - 1) // games,
        rated_games=rated_games,
        rated_score=3,
        rated_total=7600,
        rc=1900,
        ru=1850,
        rc_new=1890,
        ru_new=1840,
        steps=(step("8.58", "ru", 1850),),
    )
    steps = (step("8.21b", "ra", 1900),)
    return RoundRobin(players, games, Fraction(1900), Fraction(0), 1900, {1: entry}, (), steps)


def test_a_round_robin_counts_whole() -> None:
    whole = all_games(table(9, 10), 1, R2009)
    assert whole == Performance(
        "", EventKind.ROUND_ROBIN, 9, 7, Fraction(9 * 1890), opponents=9, rated_games=4, rated_score=3
    )
    assert whole.steps == (step("8.21b", "ra", 1900), step("8.58", "ru", 1850))
    assert all_games_or_rated_ones(table(9, 10), 1, GUIDE) == whole


def test_the_guide_takes_the_rated_games_of_a_short_one() -> None:
    """Eight games, once or twice around: against the rated four games, of four opponents or of two."""
    for players, opponents in ((9, 4), (5, 2)):
        part = all_games_or_rated_ones(table(8, players), 1, GUIDE)
        assert (part.games, part.score, part.opponents_total) == (4, 3, Fraction(7600))
        assert (part.opponents, part.rated_games, part.steps) == (opponents, 4, ())
    assert all_games_or_rated_ones(table(8, 9, rated_games=8), 1, GUIDE).opponents == 8


def test_a_round_robin_alone_keeps_its_fraction_of_dp() -> None:
    """Nine games at 2000 with 1.5 points, -273: nine tenths of it alone, all of it in a pool."""
    alone = Performance("r", EventKind.ROUND_ROBIN, 9, 3, Fraction(18000), 9, 9, 3)
    found = entry_rating([alone], R2009)
    assert found.rating == 1754
    assert found.steps[0] == step("8.21b", "average", Fraction(2000), games=9, score=Fraction(3, 2), events=1)
    pooled = entry_rating([alone, Performance("s", EventKind.SWISS, 9, 3, Fraction(18000), 9, 9, 3)], R2009)
    assert pooled.rating == 1727
    guide = entry_rating([alone], GUIDE)
    assert guide.rating == 1754
