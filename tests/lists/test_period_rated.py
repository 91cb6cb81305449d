"""A period of rated players, each number worked by hand."""

import itertools
from datetime import date

import pytest

from arpad.explain.words import load_words
from arpad.lists.period import Event, RegisterFacts
from arpad.model.chess import PlayerState
from arpad.model.rules import ListName
from tests.builders.periods import (
    DREW,
    LOST,
    RAPID,
    WON,
    all_play_all,
    closed,
    event,
    lists,
    ratings_of,
    regular,
)

A, B, C, X, Y = 1, 2, 3, 8, 9
MAY = date(2018, 5, 1)


def test_a_late_report_takes_the_old_ratings_and_adds_to_the_present_one() -> None:
    published = lists({date(2018, 3, 1): {A: 1800, B: 1900}, MAY: {A: 1850, B: 1900}})
    late = event("late", [(A, WON, B)], date(2018, 3, 10))

    period = closed(date(2018, 6, 1), [regular(A, 1850), regular(B, 1900)], [late], ratings=published)

    # 1800 against 1900: .36 expected, .64 x 20 = 12.8; 1850 against 1900 would have given 11.4
    assert ratings_of(period.standings.values()) == {A: 1863, B: 1887}


def test_each_event_has_the_k_of_its_own_edition() -> None:
    old = event("old", [(A, LOST, B)], date(2014, 6, 28))
    new = event("new", [(A, LOST, C)], date(2014, 7, 5))

    period = closed(date(2014, 8, 1), [regular(A, 2000), regular(B, 2000), regular(C, 2000)], [old, new])

    # K 15 and K 20: -7.5 and -10 make -17.5; the list of 2014 rounds the new rating, a half up: 1982.5 is 1983
    assert [part.k for part in period.players[A].contributions] == [15, 20]
    assert ratings_of(period.standings.values()) == {A: 1983, B: 2008, C: 2010}


def test_each_event_has_the_cap_of_its_own_edition() -> None:
    old = event("old", [(A, WON, B)], date(2017, 6, 25), on_list=RAPID)
    new = event("new", [(A, WON, B)], date(2017, 7, 5), on_list=RAPID)

    period = closed(date(2017, 8, 1), [regular(A, 2500), regular(B, 2000)], [old, new], on_list=RAPID)

    # rapid: 500 counts as 400 (.92) before July 2017 and as it is (.96) after: 20 x (.08 + .04) = 2.4
    games = [game.expected for part in period.players[A].contributions for game in part.games]
    assert games == [92, 96]
    assert ratings_of(period.standings.values()) == {A: 2502, B: 1998}


def test_each_event_has_the_games_of_its_own_edition() -> None:
    """Two equal round robins with an unrated player, one before 2022 and one after."""
    table = {(A, B): DREW, (A, C): DREW, (B, C): DREW, (A, X): WON, (B, X): DREW, (C, X): DREW}
    old = event("old", all_play_all(table), date(2021, 12, 28))
    new = event("new", all_play_all(table), date(2022, 1, 3))

    period = closed(date(2022, 2, 1), [regular(p, 2000) for p in (A, B, C)], [old, new])

    # before: Ra = 2000 - 125/3 x 3/4 = 1968.75, so 1969; X: 1969 - 125 x 3/4 = 1875.25, so 1875;
    # A against X: 125 above, .67, hence .33 x 20 = 6.6; B and C: (.5 - .67) x 20 = -3.4; after: not rated
    assert ratings_of(period.standings.values()) == {A: 2007, B: 1997, C: 1997, X: 1860}
    assert period.players[A].games == 3 + 2
    # X: three games at 1969 and three at 2000 make 1984.5; 2 of 6, .33: -125 gives 1859.5, a half up
    assert period.standings[X].games == 6


@pytest.mark.parametrize(
    ("day", "first_day", "loss"),
    [(date(2017, 6, 1), date(2017, 5, 5), 2), (date(2017, 8, 1), date(2017, 7, 5), 3)],
)
def test_the_list_decides_the_rounding(day: date, first_day: date, loss: int) -> None:
    # 2400 once reached: K 10; a loss at 191 below, .25 expected: -2.5
    lost = event("lost", [(A, LOST, B)], first_day)

    period = closed(day, [regular(A, 2409), regular(B, 2600)], [lost])

    assert period.standings[A].rating == 2409 - loss


def test_the_thirtieth_game_counts_from_the_next_period() -> None:
    first = event("first", [(A, WON, B), (A, WON, C)], date(2018, 4, 10))
    others = [regular(B, 2000), regular(C, 2000)]
    period = closed(MAY, [PlayerState(A, 2000, 29, 2000, last_list=MAY), *others], [first])
    assert period.standings[A].rating == 2040
    assert period.standings[A].games == 31

    second = event("second", [(A, DREW, B)], date(2018, 5, 10))
    after = closed(date(2018, 6, 1), [period.standings[A], regular(B, 2240)], [second])

    # 200 below: .24 expected, .26 x 20 = 5.2
    assert after.standings[A].rating == 2045


def test_a_juniors_birthday_inside_the_period_counts_from_the_next_one() -> None:
    known = RegisterFacts(born={A: date(2000, 4, 15)})
    april = event("april", [(A, WON, B)], date(2018, 4, 20))
    may = event("may", [(A, WON, B)], date(2018, 5, 20))
    players = [regular(A, 2000), regular(B, 2000)]

    assert closed(MAY, players, [april], known=known).standings[A].rating == 2020
    assert closed(date(2018, 6, 1), players, [may], known=known).standings[A].rating == 2010


def test_700_is_shared_by_all_the_events_of_the_period() -> None:
    opponents = range(100, 118)
    one = event("one", [(A, WON, other) for other in opponents[:9]], date(2018, 4, 2))
    two = event("two", [(A, WON, other) for other in opponents[9:]], date(2018, 4, 12))
    newcomer = PlayerState(A, 2000, 5, 2000, last_list=MAY)

    period = closed(MAY, [newcomer, *(regular(other, 2000) for other in opponents)], [one, two])

    # 18 games with K 40 are 720: K 38; 18 x .5 x 38 = 342
    assert [(part.k, part.k_applied) for part in period.players[A].contributions] == [(40, 38), (40, 38)]
    assert period.standings[A].rating == 2342


def test_one_rounding_for_the_period() -> None:
    # 278 above: .83 expected, .17 x 20 = 3.4 each; two of them 6.8, not 3 and 3
    events = [event(name, [(A, WON, B)], date(2018, 4, 2)) for name in ("one", "two")]

    period = closed(MAY, [regular(A, 2278), regular(B, 2000)], events)

    assert ratings_of(period.standings.values()) == {A: 2285, B: 1993}


def test_the_order_of_events_does_not_matter() -> None:
    events = [
        event("one", [(A, WON, B), (X, DREW, A), (X, WON, B), (X, LOST, C)], date(2018, 4, 2)),
        event("two", [(A, LOST, C), (X, DREW, A), (X, LOST, B)], date(2018, 4, 12)),
        event("three", all_play_all({(A, B): WON, (A, C): WON, (A, X): WON, (B, C): DREW, (B, X): DREW, (C, X): WON}),
              date(2018, 3, 12)),
    ]  # fmt: skip
    players = [regular(A, 2100), regular(B, 1900), regular(C, 1800)]

    found = {str(closed(MAY, players, order).standings) for order in itertools.permutations(events)}

    assert len(found) == 1


def test_an_officers_k_decides() -> None:
    won = event("won", [(A, WON, B)], date(2018, 4, 2))

    period = closed(MAY, [regular(A, 2000), regular(B, 2000)], [won], known=RegisterFacts(k={A: 30}))

    assert period.standings[A].rating == 2015
    assert period.standings[B].rating == 1990


@pytest.mark.parametrize(
    ("k", "born", "first", "second"),
    [
        (10, None, 2005, 2010),  # 2400 was reached: 10 for ever
        (20, None, 2010, 2020),  # past the first thirty games
        (40, None, 2020, 2040),  # still among them
        (20, date(2010, 1, 1), 2010, 2030),  # a junior by the facts, from the second period on
    ],
)
def test_the_k_of_an_imported_list_decides_one_period(
    k: int, born: date | None, first: int, second: int
) -> None:
    known = RegisterFacts(born={A: born})
    imported = PlayerState(A, 2000, k=k, last_list=date(2018, 4, 1))
    april = event("april", [(A, WON, B)], date(2018, 4, 2))
    may = event("may", [(A, WON, B)], date(2018, 5, 2))

    period = closed(MAY, [imported, regular(B, 2000)], [april], known=known)
    after = closed(
        date(2018, 6, 1),
        [period.standings[A], regular(B, period.standings[A].rating or 0)],
        [may],
        known=known,
    )

    assert period.standings[A].k is None
    assert period.standings[A].rating == first
    assert after.standings[A].rating == second


def test_an_imported_k_is_used_up_by_a_period_without_games() -> None:
    period = closed(MAY, [PlayerState(A, 2000, k=20, last_list=date(2018, 4, 1))], [])

    assert period.standings[A] == PlayerState(A, 2000, games=30, peak=2000, last_list=date(2018, 4, 1))


def test_2400_reached_before_the_import_is_remembered() -> None:
    lost = event("lost", [(A, LOST, B)], date(2018, 4, 2))

    period = closed(MAY, [PlayerState(A, 2400, 50, last_list=MAY), regular(B, 2400)], [lost])

    assert (period.standings[A].rating, period.standings[A].peak) == (2395, 2400)


# ------------------------------------------------------------------------------------ the floor and activity


def test_below_the_floor_a_player_is_delisted_and_starts_again() -> None:
    lost = event("lost", [(A, LOST, B)], date(2018, 4, 2))
    before = PlayerState(A, 1005, 40, 1300, entered=date(2015, 1, 1), last_list=date(2018, 4, 1))

    period = closed(MAY, [before, regular(B, 1005)], [lost])

    assert period.standings[A] == PlayerState(A, peak=1300, last_list=MAY, delisted=True)
    assert period.players[A].steps[-1].quantity == "delisted"

    after = closed(date(2018, 6, 1), [period.standings[A]], [])
    assert after.standings[A] == PlayerState(A, peak=1300, last_list=MAY)


def test_who_loses_more_than_he_has_is_delisted_like_anybody() -> None:
    """Sixty losses at .5 with K 40, before K times games had a limit: 1000 - 1200."""
    games = [(A, LOST, 100 + number) for number in range(60)]
    before = PlayerState(A, 1000, 5, 1000, last_list=date(2015, 4, 1))
    players = [before, *(regular(100 + number, 1000) for number in range(60))]

    period = closed(date(2015, 5, 1), players, [event("lost", games, date(2015, 4, 2))])

    assert period.standings[A] == PlayerState(A, peak=1000, last_list=date(2015, 5, 1), delisted=True)


def test_a_delisted_player_in_an_event_that_he_began_rated() -> None:
    published = lists({date(2018, 4, 1): {A: 1005, B: 1105, C: 1000}, MAY: {B: 1105, C: 1000}})
    late = event("late", [(B, WON, A), (C, DREW, A)], date(2018, 4, 28), date(2018, 5, 4))
    gone = PlayerState(A, peak=1300, last_list=MAY, delisted=True)

    period = closed(date(2018, 6, 1), [gone, regular(B, 1105), regular(C, 1000)], [late], ratings=published)

    # B expected .64 against 1005 and gains .36 x 20 = 7.2; C expected .49 and gains .2; A's two games are his new pool
    assert ratings_of(period.standings.values()) == {B: 1112, C: 1000}
    (opened,) = period.standings[A].tranches
    assert (opened.games, opened.score, int(opened.opponents_total)) == (2, 1, 1105 + 1000)
    assert period.standings[A].peak == 1300


def test_a_game_that_the_gap_takes_out_does_not_enter_the_pool_of_a_delisted_player() -> None:
    """RB 7.3.1: 1404 against 2601 is a gap of 600 or more with a player above 2600, so the game is not rated."""
    august, november = date(2025, 8, 1), date(2025, 11, 1)
    published = lists({august: {A: 1404, B: 2601, C: 1500}, date(2025, 10, 1): {B: 2601, C: 1500}})
    late = event("late", [(A, WON, B), (A, DREW, C)], date(2025, 8, 9), on_list=RAPID)
    gone = PlayerState(A, peak=1500, last_list=date(2025, 10, 1), delisted=True)

    period = closed(
        november, [gone, regular(B, 2601), regular(C, 1500)], [late], ratings=published, on_list=RAPID
    )

    (opened,) = period.standings[A].tranches
    assert (opened.games, opened.score, int(opened.opponents_total)) == (1, 1, 1500)
    # 1500 against 1404: .63 expected, -.13 x 20 = -2.6
    assert ratings_of(period.standings.values()) == {B: 2601, C: 1497}


def test_who_enters_again_keeps_the_k_of_2400() -> None:
    won = event("won", [(A, WON, B)], date(2018, 4, 2))

    period = closed(MAY, [PlayerState(A, 1200, 5, 2400, last_list=MAY), regular(B, 1200)], [won])

    assert period.standings[A].rating == 1205


@pytest.mark.parametrize(
    ("last", "day", "inactive"),
    [
        (date(2017, 5, 1), date(2018, 4, 1), False),
        (date(2017, 5, 1), date(2018, 5, 1), True),
        (date(2010, 1, 1), date(2010, 11, 1), False),
        (date(2010, 1, 1), date(2011, 1, 1), True),
        (date(2024, 5, 1), date(2025, 4, 1), False),  # case 38 of the text of 2024
        (date(2024, 5, 1), date(2025, 5, 1), True),
        (date(2019, 10, 1), date(2020, 10, 1), True),  # the notice of November 2020
        (date(2019, 10, 1), date(2020, 11, 1), False),
        (date(2020, 3, 1), date(2022, 2, 1), False),  # case 39
        (date(2020, 3, 1), date(2022, 3, 1), True),
        (date(2021, 10, 1), date(2022, 10, 1), False),  # one year again from November 2022
        (date(2021, 11, 1), date(2022, 11, 1), True),
    ],
)
def test_a_year_without_games(last: date, day: date, inactive: bool) -> None:
    """Twelve monthly lists, or six of two months, without a rated game; twenty-four from 2020-11 to 2022-10."""
    period = closed(day, [regular(A, 2000, last=last)], [])

    assert period.standings[A].inactive is inactive
    assert period.standings[A].rating == 2000


def test_below_1400_a_player_is_unrated_on_the_next_list_and_the_pool_is_empty() -> None:
    """Case 45: 1405 and a change of -8: a loss to 1475 (.40 expected) with K 20."""
    lost = event("lost", [(A, LOST, B)], date(2025, 4, 2))

    period = closed(date(2025, 5, 1), [regular(A, 1405), regular(B, 1475)], [lost])

    assert period.standings[A] == PlayerState(A, peak=1405, last_list=date(2025, 5, 1), delisted=True)
    (delisted,) = [step for step in period.players[A].steps if step.quantity == "delisted"]
    assert (delisted.value, delisted.article) == (1397, "7.2.1")


def test_one_game_brings_an_inactive_player_back_with_his_last_rating() -> None:
    away = PlayerState(A, 2000, 100, 2000, last_list=date(2012, 1, 1), inactive=True)
    draw = event("draw", [(A, DREW, B)], date(2018, 4, 2))

    period = closed(MAY, [away, regular(B, 2000)], [draw])

    assert period.standings[A] == PlayerState(A, 2000, 101, 2000, last_list=MAY)


def test_a_game_that_is_not_rated_brings_nobody_back() -> None:
    away = PlayerState(A, 2650, 100, 2650, last_list=date(2012, 1, 1), inactive=True)
    far = event("far", [(A, WON, B)], date(2025, 4, 2), on_list=RAPID)

    period = closed(date(2025, 5, 1), [away, regular(B, 1900)], [far], on_list=RAPID)

    assert period.standings[A] == away
    assert period.players[A].games == 0


# ----------------------------------------------------------------------------------------- one-off adjustments


@pytest.mark.parametrize(
    ("before", "after"), [(1000, 1400), (1500, 1700), (1700, 1820), (1999, 1999), (2000, 2000), (2100, 2100)]
)
def test_the_lift_of_march_2024(before: int, after: int) -> None:
    march = closed(date(2024, 3, 1), [regular(A, before)], [])

    assert march.standings[A].rating == after
    assert closed(date(2024, 4, 1), [march.standings[A]], []).standings[A].rating == after


def test_the_games_of_the_period_come_before_the_lift() -> None:
    won = event("won", [(A, WON, B)], date(2024, 2, 10))

    period = closed(date(2024, 3, 1), [regular(A, 1500), regular(B, 1500)], [won])

    # 1510 lacks 490, of which two fifths are 196; 1490 lacks 510: 204
    assert ratings_of(period.standings.values()) == {A: 1706, B: 1694}


@pytest.mark.parametrize(("field", "entry"), [(1399, None), (1400, 1640)])
def test_a_newcomer_of_march_2024_reaches_the_floor_and_is_lifted(field: int, entry: int | None) -> None:
    players = [regular(100 + place, field) for place in range(5)]
    drawn = event("drawn", [(A, DREW, 100 + place) for place in range(5)], date(2024, 2, 10))

    assert closed(date(2024, 3, 1), players, [drawn]).standings[A].rating == entry


@pytest.mark.parametrize(
    ("day", "rating"), [(date(2022, 9, 1), 2283), (date(2022, 10, 1), 2632), (date(2022, 11, 1), 2283)]
)
def test_the_lift_of_october_2022_to_standard_less_100(day: date, rating: int) -> None:
    known = RegisterFacts(standard={A: 2732, B: 2350})

    period = closed(
        day, [regular(A, 2283), regular(B, 2283), regular(C, 1500)], [], on_list=RAPID, known=known
    )

    assert ratings_of(period.standings.values()) == {A: rating, B: 2283, C: 1500}


# ------------------------------------------------------------------------- rapid, without a rapid rating


def test_a_rapid_event_with_the_standard_rating() -> None:
    won = event("won", [(X, WON, A)], date(2018, 4, 2), on_list=RAPID)

    period = closed(MAY, [regular(A, 2000)], [won], on_list=RAPID, known=RegisterFacts(standard={X: 2100}))

    # X takes part with 2100, .64 expected: .36 x 20 = 7.2; A loses as much
    assert ratings_of(period.standings.values()) == {A: 1993, X: 2107}
    assert period.standings[X] == PlayerState(X, 2107, 1, 2107, entered=MAY, entry=2107, last_list=MAY)


def test_the_standard_rating_is_that_of_the_first_day() -> None:
    won = event("won", [(X, WON, A)], date(2018, 4, 2), on_list=RAPID)
    then = lists({date(2018, 4, 1): {X: 2100}, MAY: {X: 2200}})
    known = RegisterFacts(standard={X: 2200}, standard_then=then)

    period = closed(MAY, [regular(A, 2000)], [won], on_list=RAPID, known=known)

    assert period.standings[X].rating == 2107


def test_of_two_standard_ratings_the_later_one_is_built_on() -> None:
    old = event("old", [(X, WON, A)], date(2018, 3, 2), date(2018, 4, 20), on_list=RAPID)
    new = event("new", [(X, WON, A)], date(2018, 4, 2), date(2018, 4, 10), on_list=RAPID)
    then = lists({date(2018, 3, 1): {X: 2100}, date(2018, 4, 1): {X: 2200}})

    period = closed(
        MAY,
        [regular(A, 2000)],
        [old, new],
        on_list=RAPID,
        known=RegisterFacts(standard={X: 2200}, standard_then=then),
    )

    # .36 with 2100 and .24 with 2200: .60 x 20 = 12 on top of 2200
    assert period.standings[X].rating == 2212


def test_a_player_who_brings_the_standard_rating_leaves_his_pool_behind() -> None:
    unrated = event("unrated", [(X, WON, A)], date(2018, 3, 2), on_list=RAPID)
    first = closed(date(2018, 4, 1), [regular(A, 2000)], [unrated], on_list=RAPID)
    assert len(first.standings[X].tranches) == 1
    won = event("won", [(X, WON, A)], date(2018, 4, 2), on_list=RAPID)

    period = closed(
        MAY,
        [first.standings[X], regular(A, 2000)],
        [won],
        on_list=RAPID,
        known=RegisterFacts(standard={X: 2100}),
    )

    assert period.standings[X] == PlayerState(X, 2107, 1, 2107, entered=MAY, entry=2107, last_list=MAY)


JUNE_2024, MAY_2024 = date(2024, 6, 1), date(2024, 5, 1)


def rapid_event(*games: tuple[int, str, int]) -> Event:
    return event("rapid", games, date(2024, 5, 10), on_list=RAPID)


def test_two_games_with_the_standard_rating_are_enough_for_a_rapid_one() -> None:
    """Case 26: 1850 beats 1900 and draws with 1800: .57 - .07 = .50, times 40 is 20; the opponents are rated too."""
    games = rapid_event((X, WON, A), (X, DREW, B))
    players = [regular(A, 1900), regular(B, 1800)]

    period = closed(JUNE_2024, players, [games], on_list=RAPID, known=RegisterFacts(standard={X: 1850}))

    # A: -.57 x 20 = -11.4; B: (.50 - .43) x 20 = 1.4
    assert ratings_of(period.standings.values()) == {A: 1889, B: 1801, X: 1870}
    (part,) = period.players[X].contributions
    assert part.k == 40
    assert part.steps[0].quantity == "from-standard"
    assert load_words("en").step(part.steps[0]) == (
        "no rating on this list when the event began: the player counts as rated with the standard rating, 1850"
    )
    assert "rating standard, 1850" in load_words("it").step(part.steps[0])
    assert [period.standings[player].games for player in (A, B, X)] == [101, 101, 2]


@pytest.mark.parametrize("standard", [2399, 2400, 2500])
def test_a_standard_rating_brings_no_k_of_10(standard: int) -> None:
    """No rating published on the rapid list has reached 2400: K 40, for a new player of that list."""
    games = rapid_event((X, DREW, A))

    period = closed(
        JUNE_2024, [regular(A, standard)], [games], on_list=RAPID, known=RegisterFacts(standard={X: standard})
    )

    assert period.players[X].contributions[0].k == 40


def test_the_k_of_10_comes_with_a_rapid_rating_of_2400() -> None:
    """On the list of June 2500 is published as a rapid rating: from then on K is 10."""
    first = closed(
        JUNE_2024,
        [regular(A, 2500)],
        [rapid_event((X, DREW, A))],
        on_list=RAPID,
        known=RegisterFacts(standard={X: 2500}),
    )
    assert (first.standings[X].rating, first.standings[X].peak) == (2500, 2500)
    june = event("june", [(X, WON, A)], date(2024, 6, 10), on_list=RAPID)

    after = closed(date(2024, 7, 1), [first.standings[X], regular(A, 2500)], [june], on_list=RAPID)

    assert after.players[X].contributions[0].k == 10


def test_a_peak_on_the_rapid_list_is_remembered() -> None:
    """Who once had 2400 on this list and fell out of it keeps K 10, with the standard rating too."""
    gone = PlayerState(X, peak=2410, last_list=MAY_2024)

    period = closed(
        JUNE_2024,
        [gone, regular(A, 2000)],
        [rapid_event((X, DREW, A))],
        on_list=RAPID,
        known=RegisterFacts(standard={X: 2000}),
    )

    assert period.players[X].contributions[0].k == 10


def test_after_a_fall_below_1400_the_standard_rating_is_used() -> None:
    """Delisted from rapid in May, standard 1450: a win against 1450 is .5 x 40 = 20, and the list has 1470."""
    fallen = PlayerState(X, peak=1420, last_list=MAY_2024, delisted=True)
    ratings = lists({date(2024, 4, 1): {A: 1450, X: 1410}, MAY_2024: {A: 1450}})

    period = closed(
        JUNE_2024,
        [fallen, regular(A, 1450)],
        [rapid_event((X, WON, A))],
        ratings=ratings,
        on_list=RAPID,
        known=RegisterFacts(standard={X: 1450}),
    )

    assert ratings_of(period.standings.values()) == {A: 1440, X: 1470}
    assert period.standings[X].games == 1


def test_the_standard_rating_plus_the_change_must_reach_the_floor() -> None:
    """1405 loses to 1405 with K 40: 1385 is below 1400, so there is no rapid rating."""
    period = closed(
        JUNE_2024,
        [regular(A, 1405)],
        [rapid_event((X, LOST, A))],
        on_list=RAPID,
        known=RegisterFacts(standard={X: 1405}),
    )

    assert ratings_of(period.standings.values()) == {A: 1415}


def test_a_standard_rating_of_the_first_day_comes_before_the_rules_for_newcomers() -> None:
    """RB 7.2.1: on the rapid list since, but with the standard rating when it began: not rated meanwhile (RB 7.2.5)."""
    published = lists({date(2024, 4, 1): {A: 2000}, MAY_2024: {A: 2000, X: 2100}})
    now = PlayerState(X, 2100, 40, 2100, entered=MAY_2024, entry=2100, last_list=MAY_2024)
    late = event("late", [(X, WON, A)], date(2024, 4, 20), date(2024, 5, 3), on_list=RAPID)
    known = RegisterFacts(standard_then=lists({date(2024, 4, 1): {X: 2000}}))

    period = closed(JUNE_2024, [now, regular(A, 2000)], [late], ratings=published, on_list=RAPID, known=known)

    # 2000 against 2000: .5 x 20 = 10 for both
    assert ratings_of(period.standings.values()) == {A: 1990, X: 2110}


def test_a_standard_rating_is_no_use_on_the_standard_list() -> None:
    won = event("won", [(X, WON, A)], date(2018, 4, 2))

    period = closed(MAY, [regular(A, 2000)], [won], known=RegisterFacts(standard={X: 2100}))

    assert period.on_list is ListName.STANDARD
    assert ratings_of(period.standings.values()) == {A: 2000}
