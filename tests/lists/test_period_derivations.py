"""What a period tells of each player, in full, and how it looks at events, lists and what is known beside them."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from arpad.lists.period import Contribution, Event, PlayerPeriod, RegisterFacts, close
from arpad.lists.period_inputs import Frame, Participation, counts_already, in_order, participation
from arpad.model.chess import EventKind, PlayerState
from arpad.model.rules import step
from arpad.regulations.editions import CHESS_EDITIONS, chess_edition
from arpad.regulations.fide.rules import Meanwhile
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Header, Report
from tests.builders.periods import DREW, LOST, RAPID, STANDARD, WON, closed, event, lists, regular, tranche

A, B, C = 1, 2, 3
MAY, APRIL = date(2018, 5, 1), date(2018, 4, 1)
R2017 = chess_edition("fide-2017").on(STANDARD)


# ------------------------------------------------------------------------------------------------ one player


def test_a_rated_players_period_in_full() -> None:
    """Two events: a win and a draw against equals, K 20: 10 and 0; the 700 rule has nothing to say."""
    first = event("first", [(A, WON, B)], date(2018, 4, 2))
    second = event("second", [(A, DREW, C)], date(2018, 4, 9))
    before = regular(A, 2000, last=date(2018, 1, 1))
    period = closed(MAY, [before, regular(B, 2000), regular(C, 2000)], [second, first])
    found = period.players[A]
    k = step("8.56", "k-usual", 20, limit=30, top=2400)
    assert found == PlayerPeriod(
        before,
        PlayerState(A, 2010, games=102, peak=2010, last_list=MAY),
        (
            Contribution("first", 0, 20, 20, found.contributions[0].games, (k,)),
            Contribution("second", 0, 20, 20, found.contributions[1].games, (k,)),
        ),
        None,
        2,
        (
            step("8.55c", "period-change", Fraction(10), games=2, events=2),
            step("8.57", "new-rating", 2010, rating=2000, change=Fraction(10), rounded=10),
        ),
    )
    assert [part.points for part in found.contributions] == [Fraction(10), Fraction(0)]
    assert [part.rated_games for part in found.contributions] == [1, 1]
    assert (period.on_list, period.day, period.edition) == (STANDARD, MAY, "fide-2017")
    assert {name: counted.kind for name, counted in period.tallies.items()} == {
        "first": EventKind.SWISS,
        "second": EventKind.SWISS,
    }


def test_a_player_with_a_rapid_rating_takes_no_standard_rating() -> None:
    """The edition lets newcomers to the rapid list take it; the steps of this player begin with K."""
    played = event("rapid", [(A, WON, B)], date(2018, 4, 2), on_list=RAPID)
    period = closed(MAY, [regular(A, 2000), regular(B, 2000)], [played], on_list=RAPID)
    (part,) = period.players[A].contributions
    assert [told.quantity for told in part.steps] == ["k-usual"]


def test_whom_nothing_happened_is_not_told_of() -> None:
    idle = regular(C, 1900)
    period = closed(MAY, [regular(A, 2000), regular(B, 2000), idle], [event("e", [(A, WON, B)], APRIL)])
    assert set(period.players) == {A, B}
    assert period.standings[C] is idle
    lowest, unrated = regular(A, 1000), PlayerState(B)
    left = closed(MAY, [lowest, unrated], []).standings
    assert left[A] is lowest
    assert left[B] is unrated


@pytest.mark.parametrize(
    ("standing", "known", "told"),
    [
        (regular(A, 2000), RegisterFacts(k={A: 30}), step("8.56", "k-decided", 30)),
        (
            PlayerState(A, 2000, k=15, last_list=APRIL),
            RegisterFacts(),
            step("8.56", "k-listed", 15, day=APRIL),
        ),
        (
            PlayerState(A, 2000, games=3, last_list=APRIL),
            RegisterFacts(),
            step("8.56", "k-new", 40, games=3, limit=30),
        ),
        (
            regular(A, 2000),
            RegisterFacts(born={A: 2005}),
            step("8.56", "k-junior-year", 40, born=2005, below=2300),
        ),
    ],
)
def test_why_a_player_has_his_k_in_a_period(
    standing: PlayerState, known: RegisterFacts, told: object
) -> None:
    won = event("won", [(A, WON, B)], date(2018, 4, 2))
    period = closed(MAY, [standing, regular(B, 2000)], [won], known=known)
    assert period.players[A].contributions[0].steps == (told,)


def test_what_an_imported_k_says_of_the_past() -> None:
    """10 where others have 20: 2400 was reached; 20 where newcomers have 40: the thirty games are over."""
    for k, peak, games in ((10, 2400, 0), (20, 2000, 30), (40, 2000, 0)):
        period = closed(MAY, [PlayerState(A, 2000, k=k, last_list=APRIL)], [])
        assert (period.standings[A].peak, period.standings[A].games, period.standings[A].k) == (
            peak,
            games,
            None,
        )
    known_better = closed(MAY, [PlayerState(A, 2000, 50, 2500, k=10, last_list=APRIL)], []).standings[A]
    assert (known_better.peak, known_better.games) == (2500, 50)
    many = closed(MAY, [PlayerState(A, 2000, 50, k=20, last_list=APRIL)], []).standings[A]
    assert many.games == 50
    # on the rapid list of 2018 everybody has 20, which therefore says nothing
    rapid = closed(MAY, [PlayerState(A, 2000, k=20, last_list=APRIL)], [], on_list=RAPID).standings[A]
    assert (rapid.peak, rapid.games) == (2000, 0)


def test_a_lift_and_a_floor_are_told() -> None:
    march = date(2024, 3, 1)
    found = closed(march, [regular(A, 1990), regular(B, 1399), regular(C, 2000)], [])
    lift = step("notice 2024", "lifted", 1994, rating=1990, below=2000, percent=Fraction(40))
    assert found.players[A].steps == (lift,)
    # 1399 + 0.4 x 601 = 1639.4
    assert found.standings[B].rating == 1639
    assert C not in found.players
    april = closed(date(2024, 4, 1), [regular(A, 1399), regular(B, 1400)], [])
    assert april.players[A].steps == (step("7.2.1", "delisted", 1399, floor=1400),)
    assert april.standings[A] == PlayerState(A, peak=1399, last_list=date(2030, 1, 1), delisted=True)
    assert april.standings[B] == regular(B, 1400)


def test_a_lift_to_the_standard_rating_is_told() -> None:
    """October 2022: a rapid rating rises to the standard rating less 100; 1950 is there already."""
    standard = RegisterFacts(standard={A: 2000, B: 2050})
    rapid = [regular(A, 1890), regular(B, 1950), regular(C, 1800)]
    period = closed(date(2022, 10, 1), rapid, [], on_list=RAPID, known=standard)
    lift = step("notice 2022", "lifted-to-standard", 1900, rating=1890, standard=2000, minus=100)
    assert period.players[A].steps == (lift,)
    assert [period.standings[player].rating for player in (A, B, C)] == [1900, 1950, 1800]


def test_a_peak_is_raised_by_the_list_itself() -> None:
    low = replace(regular(A, 2000), peak=1900)
    assert closed(MAY, [low], []).standings[A] == regular(A, 2000)


@pytest.mark.parametrize(
    ("last", "inactive"), [(None, True), (date(2017, 5, 1), True), (date(2017, 6, 1), False)]
)
def test_inactive_after_twelve_lists(last: date | None, inactive: bool) -> None:
    found = closed(MAY, [replace(regular(A, 2000), last_list=last)], []).standings[A]
    assert found.inactive is inactive


# ------------------------------------------------------------------------------------------------- newcomers


def test_a_newcomers_period_in_full() -> None:
    """Five games against 2000 with 2.5 points: 2000 by 50 %, on the first list after them."""
    games = [(A, DREW, player) for player in range(11, 16)]
    rated = [regular(player, 2000) for player in range(11, 16)]
    period = closed(MAY, rated, [event("open", games, date(2018, 4, 2))])
    found = period.players[A]
    assert found.before == PlayerState(A)
    assert found.after == PlayerState(A, 2000, games=5, peak=2000, entered=MAY, entry=2000, last_list=MAY)
    assert found.entry is not None
    assert (found.games, found.steps, found.contributions) == (5, found.entry.steps, ())
    (counted,) = found.entry.counted
    assert (counted.event, counted.edition, counted.kind, counted.last_day) == (
        "open",
        "fide-2017",
        EventKind.SWISS,
        date(2018, 4, 2),
    )


def test_a_newcomer_who_waits() -> None:
    period = closed(MAY, [regular(B, 2000)], [event("one", [(A, DREW, B)], date(2018, 4, 2))])
    found = period.players[A]
    assert (found.after.rating, len(found.after.tranches), found.games) == (None, 1, 0)
    assert found.entry is not None
    assert found.entry.reason == "too-few-games"
    assert found.steps == found.entry.steps
    # nothing new in the next period: he waits on, and nothing is told
    after = closed(date(2018, 6, 1), [found.after, regular(B, 2000)], [])
    assert after.players == {}
    assert after.standings[A] == found.after


def test_a_delisted_player_is_told_of_once() -> None:
    gone = PlayerState(A, peak=1300, last_list=APRIL, delisted=True)
    period = closed(MAY, [gone], [])
    assert period.standings[A] == replace(gone, delisted=False)
    assert period.players == {}


def test_whoever_is_not_on_the_list_and_gets_nothing_is_not_put_there() -> None:
    """Two unrated players who drew with each other: no tranche, no standing."""
    period = closed(MAY, [regular(C, 2000)], [event("e", [(A, DREW, B)], date(2018, 4, 2))])
    assert set(period.standings) == {C}
    assert period.players == {}


def test_a_zero_that_is_ignored_leaves_nothing_behind() -> None:
    period = closed(MAY, [regular(B, 2000)], [event("one", [(A, LOST, B)], date(2018, 4, 2))])
    entry = period.players[A].entry
    assert entry is not None
    assert entry.reason == "first-event-score"


def test_tranches_are_kept_in_order_of_their_day() -> None:
    """A late report of an earlier event goes before the tranche that was there already."""
    later = tranche("later", [2000] * 2, 2, date(2018, 4, 20), "fide-2017")
    before = PlayerState(A, tranches=(later,))
    period = closed(MAY, [before, regular(B, 2000)], [event("early", [(A, DREW, B)], date(2018, 4, 2))])
    assert [one.event for one in period.standings[A].tranches] == ["early", "later"]


def test_who_enters_again_keeps_his_peak() -> None:
    games = [(A, DREW, player) for player in range(11, 16)]
    rated = [regular(player, 2000) for player in range(11, 16)]
    period = closed(MAY, [PlayerState(A, peak=2450), *rated], [event("open", games, date(2018, 4, 2))])
    assert (period.standings[A].rating, period.standings[A].peak) == (2000, 2450)


def test_rated_meanwhile_has_the_k_of_a_new_player() -> None:
    """8.4: his thirty games do not help him there."""
    published = lists({date(2018, 3, 1): {B: 2000}, APRIL: {A: 2000, B: 2000}})
    late = event("late", [(A, DREW, B)], date(2018, 3, 28), date(2018, 4, 4))
    now = replace(regular(A, 2000), entry=2000)
    period = closed(MAY, [now, regular(B, 2000)], [late], ratings=published)
    assert period.players[A].contributions[0].steps == (
        step("8.4", "meanwhile-entry", 2000, list=APRIL),
        step("8.56", "k-new", 40, games=0, limit=30),
    )


def test_one_game_of_a_player_delisted_meanwhile() -> None:
    published = lists({APRIL: {A: 1005, B: 1105}, MAY: {B: 1105}})
    facts = EventFacts(team_championship=True)
    late = event("late", [(B, WON, A)], date(2018, 4, 28), date(2018, 5, 4), facts=facts)
    drawn = event("drawn", [(B, DREW, A)], date(2018, 4, 28), date(2018, 5, 5))
    gone = PlayerState(A, peak=1300, last_list=MAY, delisted=True)
    period = closed(date(2018, 6, 1), [gone, regular(B, 1105)], [late, drawn], ratings=published)
    entry = period.players[A].entry
    assert entry is not None
    (ignored,), (opened,) = entry.ignored, entry.counted
    assert (ignored.games, ignored.score, ignored.team_championship, ignored.edition) == (
        1,
        0,
        True,
        "fide-2017",
    )
    assert (opened.games, opened.score, opened.team_championship) == (1, 1, False)


def test_a_delisted_rapid_player_comes_back_with_the_standard_rating() -> None:
    """Rapid, May 2025: 2650 beats 2500, .70 expected, K 40: 2662. A later game too far apart decides nothing."""
    april, may = date(2025, 4, 1), date(2025, 5, 1)
    known = RegisterFacts(standard_then=lists({april: {A: 2650}, may: {A: 2700}}))
    counts = event("counts", [(A, WON, B)], date(2025, 4, 29), on_list=RAPID)
    far = event("far", [(A, WON, C)], date(2025, 5, 5), on_list=RAPID)
    gone = PlayerState(A, delisted=True)
    standings = [gone, regular(B, 2500), regular(C, 2000)]
    period = closed(date(2025, 6, 1), standings, [counts, far], on_list=RAPID, known=known)
    after = period.standings[A]
    assert (after.rating, after.entry, after.delisted, after.peak) == (2662, 2662, False, 2662)


# --------------------------------------------------------------------------------------------------- the frame


def bare(name: str, first: date | None, last: date | None) -> Event:
    report = Report(Header(name=name, first_day=first, last_day=last), (), ())
    return Event(name, report, (), chess_edition("fide-2017"))


def test_events_in_order() -> None:
    early, late = date(2018, 1, 1), date(2018, 2, 1)
    events = [bare("d", late, late), bare("c", early, late), bare("b", early, late), bare("a", None, None)]
    assert [one.id for one in in_order(events)] == ["a", "b", "c", "d"]
    assert (events[3].first_day, events[3].last_day) == (date.min, date.min)
    assert (events[1].first_day, events[1].last_day) == (early, late)
    assert events[1].facts == EventFacts()


def test_the_standard_rating_on_a_day() -> None:
    known = RegisterFacts(standard={A: 2000})
    assert (known.standard_on(A, MAY), known.standard_on(B, MAY)) == (2000, None)
    then = RegisterFacts(standard={A: 2000}, standard_then=lists({APRIL: {A: 1900}}))
    assert (then.standard_on(A, MAY), then.standard_on(A, date(2018, 3, 1))) == (1900, None)


def test_the_frame_of_a_period() -> None:
    edition = chess_edition("fide-2017")
    frame = Frame.of(STANDARD, MAY, APRIL, edition, CHESS_EDITIONS)
    assert (frame.on_list, frame.day, frame.opened) == (STANDARD, MAY, APRIL)
    assert frame.rules is frame.opening is edition.on(STANDARD)
    assert set(frame.by_edition) == {one.id for one in CHESS_EDITIONS}
    rapid = Frame.of(RAPID, MAY, APRIL, edition, CHESS_EDITIONS)
    assert set(rapid.by_edition) == {one.id for one in CHESS_EDITIONS} - {
        "fide-2009",
        "fide-2009-notice",
        "fide-2011",
    }
    first = Frame.of(STANDARD, date(2017, 7, 1), date(2017, 6, 1), edition, CHESS_EDITIONS)
    assert first.opening is chess_edition("fide-2014").on(STANDARD)
    earliest = Frame.of(
        STANDARD, date(2009, 7, 1), date(2009, 5, 1), chess_edition("fide-2009"), CHESS_EDITIONS
    )
    assert earliest.opening is earliest.rules
    alone = Frame.of(STANDARD, MAY, APRIL, edition, [])
    assert (alone.opening, set(alone.by_edition)) == (alone.rules, {"fide-2017"})
    of_2009 = tranche("t", [2000], 1, MAY, "fide-2009")
    assert frame.rules_of(of_2009) is chess_edition("fide-2009").on(STANDARD)
    assert frame.rules_of(replace(of_2009, edition="")) is frame.rules


RULES_RAPID = chess_edition("fide-2024").on(RAPID)


@pytest.mark.parametrize(
    ("listed", "now", "known", "part"),
    [
        (1900, PlayerState(A, 2000), RegisterFacts(), Participation(1900, 1900)),
        (1900, PlayerState(A), RegisterFacts(), Participation(1900, None)),
        (1900, None, RegisterFacts(), Participation(1900, None)),
        (None, None, RegisterFacts(), Participation(None, None)),
        (None, PlayerState(A), RegisterFacts(), Participation(None, None)),
        (
            None,
            PlayerState(A, 2000),
            RegisterFacts(),
            Participation(None, 2000, Meanwhile(2000, 0, "meanwhile-current")),
        ),
        (
            None,
            PlayerState(A, 2000, 7, entry=1950),
            RegisterFacts(),
            Participation(None, 2000, Meanwhile(2000, 7, "meanwhile-current")),
        ),
        (None, None, RegisterFacts(standard={A: 2100}), Participation(2100, 2100, uses_standard=True)),
        (1900, None, RegisterFacts(standard={A: 2100}), Participation(1900, None)),
    ],
)
def test_how_a_player_takes_part(
    listed: int | None, now: PlayerState | None, known: RegisterFacts, part: Participation
) -> None:
    one = bare("e", MAY, MAY)
    found = participation(A, now, one, RULES_RAPID, lambda player, day: listed, known)
    assert found == part
    if known.standard:
        assert participation(A, now, one, R2017, lambda player, day: listed, known).uses_standard is False


@pytest.mark.parametrize(("reference", "counted"), [(2100, 2100), (None, 2000)])
def test_a_guest_counts_for_the_opponents_only(reference: int | None, counted: int) -> None:
    """With the rating of the reference list, else with the one of this list."""
    known = RegisterFacts(guests={MAY: {A: reference}})
    found = participation(
        A, PlayerState(A, 2000, 50), bare("e", MAY, MAY), R2017, lambda player, day: 2000, known
    )
    assert found == Participation(counted, None, guest=True)


@pytest.mark.parametrize(("entry", "own"), [(None, 2000), (1950, 1950)])
def test_how_a_player_rated_since_takes_part_under_8_4(entry: int | None, own: int) -> None:
    """A player of an imported list has no rating of entry: the rating of the list stands in for it."""
    rules = chess_edition("fide-2017").on(STANDARD)
    now = PlayerState(A, 2000, 50, entry=entry)
    found = participation(A, now, bare("e", MAY, MAY), rules, lambda player, day: None, RegisterFacts())
    assert found == Participation(None, own, Meanwhile(own, 0, "meanwhile-entry"))


def test_whether_an_earlier_event_counts() -> None:
    frame = Frame.of(STANDARD, MAY, APRIL, chess_edition("fide-2017"), CHESS_EDITIONS)
    good = tranche("good", [2000] * 3, 3, date(2018, 3, 10), "fide-2017")
    zero = tranche("zero", [2000] * 3, 0, date(2018, 3, 10), "fide-2017")
    assert counts_already([good], date(2018, 3, 10), frame)
    assert not counts_already([good], date(2018, 3, 9), frame)
    assert counts_already([replace(good, last_day=None)], date(2018, 3, 9), frame)
    assert not counts_already([zero], date(2018, 4, 1), frame)
    # twenty-seven months before the list; half a point, which was too little in 2009
    assert not counts_already([replace(good, last_day=date(2016, 2, 28))], date(2018, 4, 1), frame)
    half = tranche("half", [2000] * 3, 1, date(2018, 3, 10), "fide-2017")
    assert counts_already([half], date(2018, 4, 1), frame)
    assert not counts_already([replace(half, edition="fide-2009")], date(2018, 4, 1), frame)
    assert not counts_already([], date(2018, 4, 1), frame)


# ------------------------------------------------------------------------------------------------ some alone


def test_the_period_of_one_player_alone() -> None:
    standings = {player: regular(player, 2000) for player in (A, B, C)}
    events = [event("ab", [(A, WON, B)], date(2018, 4, 2)), event("bc", [(B, WON, C)], date(2018, 4, 9))]
    ratings = lists({date.min: dict.fromkeys(standings, 2000)})
    edition = chess_edition("fide-2017")
    whole = close(STANDARD, MAY, APRIL, standings, events, ratings, edition)
    alone = close(STANDARD, MAY, APRIL, standings, events, ratings, edition, only={A})
    assert alone.players == {A: whole.players[A]}
    assert alone.standings == {A: whole.standings[A]}
