"""Unrated players from list to list, each number worked by hand."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from arpad.explain.words import load_words
from arpad.lists.period import ClosedPeriod, Event, InForce, RegisterFacts
from arpad.model.chess import EventKind, PlayerState
from arpad.model.rules import ListName, step
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Round
from tests.builders.periods import (
    DREW,
    LOST,
    WON,
    all_play_all,
    closed,
    event,
    lists,
    ratings_of,
    regular,
    tranche,
)

A, B, C, X, Y = 1, 2, 3, 8, 9
MAY, JUNE, JULY, AUGUST = (date(2018, month, 1) for month in (5, 6, 7, 8))


def field(*ratings: int) -> list[PlayerState]:
    """Regular players 100, 101 …"""
    return [regular(100 + place, rating) for place, rating in enumerate(ratings)]


def reason(period: ClosedPeriod) -> str:
    """What X lacks."""
    entry = period.players[X].entry
    return entry.reason if entry else ""


def test_a_pool_over_two_periods_is_published_when_five_games_are_there() -> None:
    players = field(1800, 1800, 1800, 1700, 1900)
    april = event("april", [(X, WON, 100), (X, DREW, 101), (X, LOST, 102)], date(2018, 4, 2))
    may = event("may", [(X, WON, 103), (X, LOST, 104)], date(2018, 5, 2))

    first = closed(MAY, players, [april])
    assert first.standings[X].rating is None
    assert reason(first) == "too-few-games"
    second = closed(JUNE, [first.standings[X], *players], [may])

    # 9000 / 5 = 1800 and half the points
    assert second.standings[X] == PlayerState(X, 1800, 5, 1800, entered=JUNE, entry=1800, last_list=JUNE)


def test_before_2014_nine_games() -> None:
    players = field(*[1500] * 9)
    nine = [(X, DREW, 100 + place) for place in range(9)]
    spring = event("spring", nine[:5], date(2013, 4, 2))
    summer = event("summer", nine[5:8], date(2013, 5, 2))
    autumn = event("autumn", nine[8:], date(2013, 6, 2))
    standing = PlayerState(X)
    for last, day in ((spring, date(2013, 5, 1)), (summer, date(2013, 6, 1))):
        standing = closed(day, [standing, *players], [last]).standings[X]
        assert standing.rating is None

    standing = closed(date(2013, 7, 1), [standing, *players], [autumn]).standings[X]

    assert (standing.rating, standing.games) == (1500, 9)


@pytest.mark.parametrize(("opponents", "rating"), [((100, 101), None), ((100, 101, 102), 1500)])
def test_a_first_event_of_2010_needs_three_different_rated_opponents(
    opponents: tuple[int, ...], rating: int | None
) -> None:
    """Nine draws with 1500 in a team event; 8.21: "incontra meno di tre avversari con rating ... è ignorato"."""
    games = [(X, DREW, opponents[place % len(opponents)]) for place in range(9)]
    spring = event("spring", games, date(2010, 4, 2), facts=EventFacts(kind=EventKind.TEAM))
    period = closed(date(2010, 5, 1), field(1500, 1500, 1500), [spring])
    assert period.standings[X].rating == rating
    assert reason(period) == ("published" if rating else "first-event-opponents")


@pytest.mark.parametrize(("affiliated", "rating"), [(frozenset({X}), 1500), (frozenset(), None)])
def test_members_of_some_associations_need_seven(affiliated: frozenset[int], rating: int | None) -> None:
    seven = event("seven", [(X, DREW, 100 + place) for place in range(7)], date(2010, 5, 2))

    period = closed(date(2010, 7, 1), field(*[1500] * 7), [seven], known=RegisterFacts(affiliated=affiliated))

    assert period.standings[X].rating == rating
    entry = period.players[X].entry
    assert entry is not None
    said = step("7.14g", "enough-games-affiliated", 7, needed=7, usual=9)
    assert (said in entry.steps) == bool(affiliated)
    assert load_words("en").step(said) == "7 games are enough: members of IBCA, ICSC and IPCA need 7, not 9"
    assert (
        load_words("it").step(said)
        == "7 partite bastano: agli affiliati a IBCA, ICSC e IPCA ne servono 7, non 9"
    )


def test_seven_games_of_a_team_championship() -> None:
    seven = [(X, DREW, 100 + place) for place in range(7)]
    facts = EventFacts(team_championship=True)

    period = closed(
        date(2010, 7, 1), field(*[1500] * 7), [event("team", seven, date(2010, 5, 2), facts=facts)]
    )

    assert period.standings[X].rating == 1500
    entry = period.players[X].entry
    assert entry is not None
    said = step("7.14f", "enough-games-team-championship", 7, needed=7, usual=9)
    assert entry.steps[-1] == said
    assert load_words("en").step(said) == (
        "7 games are enough: in Olympiads and continental or world team championships 7 are needed, not 9"
    )
    assert "campionati continentali e mondiali a squadre" in load_words("it").step(said)


def test_nine_games_need_no_word_about_seven() -> None:
    nine = [(X, DREW, 100 + place) for place in range(9)]
    facts = EventFacts(team_championship=True)

    period = closed(
        date(2010, 7, 1), field(*[1500] * 9), [event("team", nine, date(2010, 5, 2), facts=facts)]
    )

    entry = period.players[X].entry
    assert entry is not None
    assert not {told.quantity for told in entry.steps} & {
        "enough-games-team-championship",
        "enough-games-affiliated",
    }


def test_a_change_of_the_lists_minimum_publishes_without_new_games() -> None:
    pool = (tranche("old", [1500] * 6, 6, date(2014, 5, 2), "fide-2013"),)

    june = closed(date(2014, 6, 1), [PlayerState(X, tranches=pool)], [])
    july = closed(date(2014, 7, 1), [PlayerState(X, tranches=pool)], [])

    assert june.standings[X] == PlayerState(X, tranches=pool)
    assert july.standings[X].rating == 1500


def test_of_two_events_that_end_together_the_one_rated_before_is_the_first() -> None:
    players = field(*[1800] * 5)
    last = date(2018, 4, 20)
    lost = event("lost", [(X, LOST, 100 + place) for place in range(4)], date(2018, 4, 2), last)
    won = event("won", [(X, WON, 104)], date(2018, 4, 16), last)

    entry = closed(MAY, players, [won, lost]).players[X].entry
    # the one that began first, without a point, is ignored
    assert entry
    assert entry.games == 1

    before = closed(MAY, players, [won]).standings[X]
    late = closed(JUNE, [before, *players], [lost], ratings=lists({date.min: ratings_of(players)}))
    # one point of five, .20, -240
    assert (late.standings[X].rating, late.standings[X].games) == (1560, 5)


# ------------------------------------------------------------------------------------------------ the window


def test_when_the_first_event_leaves_the_window_the_next_is_tested() -> None:
    drawn = tranche("drawn", [1200] * 3, 3, date(2016, 3, 31), "fide-2014")
    lost = tranche("lost", [1200] * 4, 0, date(2017, 6, 1), "fide-2014")

    april = closed(date(2018, 4, 1), [PlayerState(X, tranches=(drawn, lost))], [])
    # 1.5 of 7, .21, -230: 970 is below the floor, and pooling goes on
    assert april.standings[X].tranches == (drawn, lost)
    last = event("last", [(X, DREW, 100 + place) for place in range(5)], date(2018, 4, 2))
    may = closed(MAY, [april.standings[X], *field(*[1200] * 5)], [last])

    # the zero is now the first event and is ignored; with it the rating would be 1200 - 166 = 1034
    assert may.standings[X].rating == 1200
    assert may.standings[X].games == 5


def test_what_is_left_of_a_pool_may_be_enough() -> None:
    weak = tranche("weak", [1100] * 7, 1, date(2017, 8, 31), "fide-2017")
    even = tranche("even", [1100] * 5, 5, date(2018, 6, 1), "fide-2017")

    september = closed(date(2019, 9, 1), [PlayerState(X, tranches=(weak, even))], [])
    october = closed(date(2019, 10, 1), [september.standings[X]], [])

    # together 3 of 12, .25, -193: 907; alone 1100
    assert september.standings[X].rating is None
    assert october.standings[X].rating == 1100


def test_an_event_out_of_the_window_is_forgotten() -> None:
    old = tranche("old", [1500] * 4, 4, date(2016, 3, 31), "fide-2014")

    period = closed(MAY, [PlayerState(X, tranches=(old,))], [])

    assert period.standings[X] == PlayerState(X)
    assert period.players[X].steps[0].quantity == "out-of-window"


def test_twelve_periods_of_two_months() -> None:
    old = tranche("old", [1500] * 8, 8, date(2009, 7, 1), "fide-2009")
    before = PlayerState(X, tranches=(old,))

    assert closed(date(2011, 7, 1), [before], []).standings[X] == before
    assert closed(date(2011, 9, 1), [before], []).standings[X] == PlayerState(X)


# ----------------------------------------------------------------------------------------- which edition decides


def test_the_first_event_is_tested_by_its_own_edition() -> None:
    half = [(X, DREW, 100), (X, LOST, 101), (X, LOST, 102), (X, LOST, 103), (X, LOST, 104)]
    players = field(*[1500] * 5)

    old = closed(date(2014, 8, 1), players, [event("old", half, date(2014, 6, 28))])
    new = closed(date(2014, 8, 1), players, [event("new", half, date(2014, 7, 2))])

    # one point was needed until June 2014, half a point since; .5 of 5, .10, -366: 1134
    assert old.standings[X].rating is None
    assert reason(old) == "first-event-score"
    assert new.standings[X].rating == 1134


def test_an_earlier_tranche_is_tested_by_its_own_edition_too() -> None:
    old = tranche("old", [1500] * 3, 1, date(2014, 6, 30), "fide-2013")
    even = event("even", [(X, DREW, 100 + place) for place in range(5)], date(2014, 8, 2))

    period = closed(date(2014, 9, 1), [PlayerState(X, tranches=(old,)), *field(*[1500] * 5)], [even])

    # half a point was not enough in June 2014; with those games it would be 3 of 8, .38, -87: 1413
    assert period.standings[X].rating == 1500
    assert period.standings[X].games == 5


def test_a_first_result_below_the_floor_is_ignored_before_2017() -> None:
    players = field(*[1100] * 14)
    weak = [(X, WON, 100), *((X, LOST, 101 + place) for place in range(4))]
    even = [(X, DREW, 105 + place) for place in range(9)]
    events = [event("weak", weak, date(2013, 4, 2)), event("even", even, date(2013, 4, 12))]

    period = closed(date(2013, 5, 1), players, events)

    # 1 of 5, .20, -240: 860 is below 1000; with those games it would be 5.5 of 14, .39, -80: 1020
    assert (period.standings[X].rating, period.standings[X].games) == (1100, 9)


def test_the_latest_event_decides_the_formula() -> None:
    old = event("old", [(X, WON, 100), (X, DREW, 101), (X, LOST, 102)], date(2024, 2, 20))
    new = event("new", [(X, WON, 103), (X, LOST, 104)], date(2024, 3, 5))

    period = closed(date(2024, 4, 1), field(*[2000] * 5), [old, new])

    # two draws with 1800 are added: 13600 / 7 = 1942.86
    assert period.standings[X].rating == 1943


def test_the_order_of_arrival_does_not_make_the_first_event() -> None:
    """A late report of an earlier event is the first one, although another is in the pool already."""
    later = tranche("later", [1500] * 4, 4, date(2018, 4, 20), "fide-2017")
    late = event("late", [(X, LOST, 100), (X, LOST, 101), (X, LOST, 102)], date(2018, 4, 1))
    last = event("last", [(X, DREW, 103)], date(2018, 5, 5))

    period = closed(JUNE, [PlayerState(X, tranches=(later,)), *field(*[1500] * 4)], [late, last])

    # the zero came first and is ignored: 2.5 of 5 against 1500
    assert (period.standings[X].rating, period.standings[X].games) == (1500, 5)


# ---------------------------------------------------------------------------------------------- round robins


LAST_WITHOUT_A_POINT = {(A, B): DREW, (A, C): DREW, (A, X): WON, (B, C): DREW, (B, X): WON, (C, X): WON}


def test_a_first_timer_on_zero_is_removed_with_his_games() -> None:
    four = event("four", all_play_all(LAST_WITHOUT_A_POINT), date(2018, 4, 2))

    period = closed(MAY, [regular(p, 2000) for p in (A, B, C)], [four])

    assert ratings_of(period.standings.values()) == {A: 2000, B: 2000, C: 2000}
    assert period.players[A].games == 2
    assert X not in period.standings


def test_who_has_an_event_that_counts_is_no_first_timer() -> None:
    four = event("four", all_play_all(LAST_WITHOUT_A_POINT), date(2018, 4, 2))
    earlier = tranche("earlier", [1500], 1, date(2018, 3, 2), "fide-2017")

    period = closed(
        MAY, [PlayerState(X, tranches=(earlier,)), *(regular(p, 2000) for p in (A, B, C))], [four]
    )

    # A, B and C have 2 of 3: .67, 125; Ra = 2000 - 125 x 3/4 = 1906.25, so 1906; X: 1906 - 800 x 3/4 = 1306;
    # A is above 1706 by 294, as are B and C: 1906 - 882/3 = 1612, and X stands at 1012; the gap counts as 400: .92
    assert period.players[A].games == 3
    assert ratings_of(period.standings.values()) == {A: 2002, B: 2002, C: 2002}
    assert [(it.games, it.score, int(it.average)) for it in period.standings[X].tranches] == [
        (1, 1, 1500),
        (3, 0, 1612),
    ]


def test_only_an_earlier_event_makes_him_no_first_timer() -> None:
    four = event("four", all_play_all(LAST_WITHOUT_A_POINT), date(2018, 4, 2))
    later = tranche("later", [1500], 1, date(2018, 4, 12), "fide-2017")

    period = closed(MAY, [PlayerState(X, tranches=(later,)), *(regular(p, 2000) for p in (A, B, C))], [four])

    assert period.players[A].games == 2
    assert period.standings[X].tranches == (later,)


# ------------------------------------------------------------------------------------------ rated meanwhile (8.4)

ENTERED = PlayerState(X, 1800, 5, 1800, entered=JUNE, entry=1800, last_list=JUNE)


def test_rated_meanwhile() -> None:
    published = lists({MAY: {A: 1900}, JUNE: {A: 1900, X: 1800}})
    pending = event("pending", [(X, WON, A), (X, DREW, Y)], date(2018, 5, 28), date(2018, 6, 3))

    period = closed(JULY, [ENTERED, regular(A, 1900)], [pending], ratings=published)

    # 100 below: .36 expected, .64 x 40 = 25.6; A gets nothing, the unrated Y is nothing to X
    assert ratings_of(period.standings.values()) == {A: 1900, X: 1826}
    assert (period.standings[X].games, period.standings[A].games) == (6, 100)


def test_the_change_starts_from_the_entry_rating() -> None:
    published = lists({MAY: {A: 1900}, JUNE: {A: 1900, X: 1800}, JULY: {A: 1900, X: 1850}})
    pending = event("pending", [(X, WON, A)], date(2018, 5, 28), date(2018, 6, 3))
    now = PlayerState(X, 1850, 40, 1850, entered=JUNE, entry=1800, last_list=JULY)

    period = closed(AUGUST, [now, regular(A, 1900)], [pending], ratings=published)

    # from 1800, with a new player's K: 25.6 again, added to 1850
    assert period.standings[X].rating == 1876
    assert period.players[X].contributions[0].k == 40


def test_on_the_same_list_the_event_is_pooled() -> None:
    players = field(*[1800] * 6)
    first = event("first", [(X, DREW, 100 + place) for place in range(5)], date(2018, 4, 2))
    second = event("second", [(X, DREW, 105)], date(2018, 4, 28))

    period = closed(MAY, players, [first, second])

    assert (period.standings[X].rating, period.standings[X].games) == (1800, 6)
    assert period.standings[105].games == 100


def test_rated_meanwhile_in_a_round_robin() -> None:
    published = lists({MAY: {A: 2000, B: 2000}, JUNE: {A: 2000, B: 2000, X: 1800}})
    table = {(A, B): DREW, (A, X): DREW, (A, Y): DREW, (B, X): DREW, (B, Y): DREW, (X, Y): DREW}
    pending = event("pending", all_play_all(table), date(2018, 5, 28), date(2018, 6, 3))

    period = closed(JULY, [ENTERED, regular(A, 2000), regular(B, 2000)], [pending], ratings=published)

    # X: two games 200 below, (.5 - .24) x 2 x 40 = 20.8, and none with the unrated Y;
    # A and B: each other and Y at 2000, not X; Y: all three games
    assert ratings_of(period.standings.values()) == {A: 2000, B: 2000, X: 1821}
    assert [period.players[player].games for player in (A, B, X)] == [2, 2, 2]
    assert [(it.games, it.score) for it in period.standings[Y].tranches] == [(3, 3)]


def test_rated_meanwhile_without_a_point_in_a_round_robin() -> None:
    """He has a rating, so he is no first-timer who would be removed."""
    published = lists({MAY: {A: 2000, B: 2000, C: 2000}, JUNE: {A: 2000, B: 2000, C: 2000, X: 1800}})
    pending = event("pending", all_play_all(LAST_WITHOUT_A_POINT), date(2018, 5, 28), date(2018, 6, 3))

    period = closed(JULY, [ENTERED, *(regular(p, 2000) for p in (A, B, C))], [pending], ratings=published)

    # three losses with .24 expected: -.72 x 40 = -28.8
    assert period.standings[X].rating == 1771
    assert period.players[A].games == 2


# --------------------------------------------------------------------------- rated meanwhile, from 2022 on (8.2.4)

CURRENT = PlayerState(X, 2234, 32, 2234, entered=date(2024, 5, 1), entry=1819, last_list=date(2024, 7, 1))


def april_event(year: int, *, on_list: ListName = ListName.STANDARD) -> Event:
    """The newcomer's games: a loss to 2050, a draw with 2000, a loss to 1950."""
    games = [(X, LOST, A), (X, DREW, B), (X, LOST, C)]
    return event("april", games, date(year, 4, 20), date(year, 4, 25), on_list=on_list)


def newcomer_lists(year: int) -> InForce:
    """The newcomer enters in May with 1819 and has 2234 in July."""
    field = {A: 2050, B: 2000, C: 1950}
    return lists(
        {date(year, 4, 1): field, date(year, 5, 1): {**field, X: 1819}, date(year, 7, 1): {**field, X: 2234}}
    )


def august(
    year: int, events: Sequence[Event], now: PlayerState, *, on_list: ListName = ListName.STANDARD
) -> ClosedPeriod:
    """Close the list of August, with the newcomer and the three opponents."""
    players = [now, regular(A, 2050), regular(B, 2000), regular(C, 1950)]
    return closed(date(year, 8, 1), players, events, ratings=newcomer_lists(year), on_list=on_list)


@pytest.mark.parametrize("year", [2022, 2024])
@pytest.mark.parametrize("on_list", [ListName.STANDARD, ListName.RAPID])
def test_from_2022_on_a_newcomer_is_rated_with_the_current_rating_and_k(year: int, on_list: ListName) -> None:
    """Case 11: 184, 234 and 284 above expect .74, .79 and .84; -.74 - .29 - .84 = -1.87, times 20 is -37.4."""
    period = august(year, [april_event(year, on_list=on_list)], CURRENT, on_list=on_list)

    (part,) = period.players[X].contributions
    assert [game.expected for game in part.games] == [74, 79, 84]
    assert (part.k, part.points) == (20, Fraction(-374, 10))
    assert ratings_of(period.standings.values()) == {A: 2050, B: 2000, C: 1950, X: 2197}
    # the games count for the thirty games and for activity; the opponents have played nothing that counts
    assert (period.standings[X].games, period.standings[X].last_list) == (35, date(year, 8, 1))
    assert period.standings[A].games == 100


@pytest.mark.parametrize("year", [2010, 2018])
def test_until_2021_a_newcomer_is_rated_with_the_entry_rating_and_a_new_players_k(year: int) -> None:
    """Case 12: 231, 181 and 131 below expect .21, .26 and .32; the sum is -.29; K 40 (2018) and 30 (2010)."""
    day = date(year, 8 if year > 2012 else 9, 1)
    players = [CURRENT, regular(A, 2050), regular(B, 2000), regular(C, 1950)]

    period = closed(day, players, [april_event(year)], ratings=newcomer_lists(year))

    # 2018: -11.6 leaves 2222.4; 2010: -8.7 leaves 2225.3
    assert period.standings[X].rating == (2222 if year == 2018 else 2225)


def test_the_tournaments_edition_decides_with_which_rating_a_newcomer_is_rated() -> None:
    """The list of February 2022 is made under the new text; what began in December 2021 follows 8.4."""
    field = {A: 1900}
    published = lists({date(2021, 12, 1): field, date(2022, 1, 1): {**field, X: 1850}})
    now = PlayerState(X, 1850, 40, 1850, entered=date(2022, 1, 1), entry=1800, last_list=date(2022, 1, 1))
    old = event("old", [(X, WON, A)], date(2021, 12, 28), date(2022, 1, 3))

    period = closed(date(2022, 2, 1), [now, regular(A, 1900)], [old], ratings=published)

    # from 1800 with K 40: .64 x 40 = 25.6
    assert period.standings[X].rating == 1876


def test_the_newcomers_games_count_for_the_limit_of_700() -> None:
    """33 games of July and the three of April: 36 x 20 is more than 700, hence K 19 for all of them."""
    others = range(100, 133)
    july = event("july", [(X, DREW, other) for other in others], date(2024, 7, 5))
    players = [CURRENT, regular(A, 2050), regular(B, 2000), regular(C, 1950)]
    players += [regular(other, 2234) for other in others]

    def ratings(player: int, day: date) -> int | None:
        return 2234 if player in others else newcomer_lists(2024)(player, day)

    period = closed(date(2024, 8, 1), players, [april_event(2024), july], ratings=ratings)

    assert [(part.k, part.k_applied) for part in period.players[X].contributions] == [(20, 19), (20, 19)]
    # -1.87 x 19 = -35.53
    assert period.standings[X].rating == 2198


@pytest.mark.parametrize(("on_list", "article"), [(ListName.STANDARD, "8.2.4"), (ListName.RAPID, "RB 7.2.5")])
def test_from_2022_on_the_derivation_says_why_the_current_rating_counts(
    on_list: ListName, article: str
) -> None:
    period = august(2024, [april_event(2024, on_list=on_list)], CURRENT, on_list=on_list)
    told = period.players[X].contributions[0].steps[0]

    assert told == step(article, "meanwhile-current", 2234, list=date(2024, 7, 1))
    assert load_words("en").step(told) == (
        "unrated when the event began and rated since: the player's own games count with the current rating, 2234, "
        "of the list of 1 July 2024, and its K; the opponents' games against them do not count"
    )
    assert "rating attuale, 2234" in load_words("it").step(told)


def test_until_2021_the_derivation_says_why_the_entry_rating_counts() -> None:
    told = august(2018, [april_event(2018)], CURRENT).players[X].contributions[0].steps[0]

    assert told == step("8.4", "meanwhile-entry", 1819, list=date(2018, 7, 1))
    assert load_words("en").step(told) == (
        "unrated when the event began and rated since: the player's own games count with the initial rating, 1819, "
        "and the K of a new player; the opponents' games against them do not count"
    )
    assert "rating iniziale, 1819" in load_words("it").step(told)


def test_a_round_robin_in_which_one_game_is_told_by_one_side_only() -> None:
    """There is no cross-table for the procedure; the games that both tell count as in a Swiss."""
    table = {(A, B): DREW, (A, C): DREW, (A, X): DREW, (B, C): DREW, (B, X): DREW, (C, X): DREW}
    four = event("four", all_play_all(table), date(2018, 4, 2))
    first, *others = four.report.rounds
    stranger = Round((2, 77, *first.opponents[2:]), first.colours, first.results)
    spoilt = replace(four, report=replace(four.report, rounds=(stranger, *others)))

    period = closed(MAY, [regular(p, 2000) for p in (A, B, C)], [spoilt])

    assert [period.players[player].games for player in (A, B, C)] == [1, 1, 2]
    assert [(it.games, it.score) for it in period.standings[X].tranches] == [(3, 3)]
