"""The ledger of points: by cause, and of the made world of the benchmarks, to the last point."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import combinations
from runpy import run_path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.lists.period import RegisterFacts, close
from arpad.model.chess import PlayerState
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import CHESS_EDITIONS, always, by_date, chess_edition, in_force
from arpad.regulations.fide.rules import ChessRules
from arpad.studies.history import HistoryPlayer, PlayedGame, Tournament, event_of
from arpad.studies.points import CAUSES, PeriodPoints, account, accounts
from arpad.studies.replay import Replay, ReplayedPeriod
from arpad.studies.simulate import Plan, play
from tests.paths import BENCHMARKS
from tests.thinning import examples, one_in

OPENED, LIST = date(2018, 5, 1), date(2018, 6, 1)


def rated(player: int, rating: int, games: int = 60, peak: int = 0) -> PlayerState:
    return PlayerState(player, rating, games, peak or rating, entered=date(2017, 1, 1), last_list=OPENED)


def one_event(
    edition: str, standings: Mapping[int, PlayerState], *games: tuple[int, int, str]
) -> PeriodPoints:
    """An event whose games are (white, black, White's result), one a round."""
    boards = tuple(PlayedGame(number, *game) for number, game in enumerate(games, start=1))
    course = Replay(ListName.STANDARD, always(chess_edition(edition)), OPENED, standings, {})
    return account(course.close(LIST, [Tournament("a", date(2018, 5, 5), date(2018, 5, 9), boards)]))


def causes(points: PeriodPoints) -> dict[str, Fraction]:
    return {cause: value for cause, value in points.causes.items() if value}


def test_equal_k_makes_no_points() -> None:
    found = one_event("fide-2017", {1: rated(1, 1500), 2: rated(2, 1600)}, (1, 2, "1"))
    assert (found.change, causes(found)) == (0, {})


def test_unequal_k_makes_points() -> None:
    # K 40 (a newcomer's) wins half a point above expectation: +20; K 20 loses as much: -10.
    found = one_event("fide-2017", {1: rated(1, 1500, games=5), 2: rated(2, 1500)}, (1, 2, "1"))
    assert found.change == 10
    assert causes(found) == {"unequal-k": Fraction(10)}


def test_a_gap_that_counts_in_full_for_one_side_destroys_points() -> None:
    # 2700 expects .96 with the gap of 500 in full, his opponent .08 with 400: together .04 too much, K 10 and 10.
    standings = {1: rated(1, 2700), 2: rated(2, 2200, peak=2400)}
    found = one_event("fide-2025", standings, (1, 2, "="))
    # -4.6 and +4.2 are rounded to -5 and +4.
    assert causes(found) == {"large-gaps": Fraction(-2, 5), "rounding": Fraction(-3, 5)}
    assert found.change == -1


def test_the_limit_of_k_gives_back() -> None:
    # Forty draws of 1500 against 1600 (.36): 40 x .14 x 20 = 112; 700 // 40 = 17 leaves 95.2. The other mirrors it.
    standings = {1: rated(1, 1500), 2: rated(2, 1600, games=5)}
    found = one_event("fide-2017", standings, *[(1, 2, "=")] * 40)
    # K 40 would be unequal by 20 x -5.6; the limit makes both 17: 3 x -5.6 for one, 23 x +5.6 for the other.
    assert causes(found) == {"unequal-k": -112, "limit-of-k": 112}


def test_a_delisted_player_takes_his_points_along() -> None:
    found = one_event("fide-2017", {1: rated(1, 1003), 2: rated(2, 1003)}, (1, 2, "1"))
    assert causes(found) == {"fell-below-floor": -993}
    assert (found.before, found.after, found.players_after) == (2006, 1013, 1)


def test_a_raised_floor_and_a_lift_are_told_apart() -> None:
    day = date(2024, 3, 1)
    standings = {1: rated(1, 1000), 2: rated(2, 2100)}
    course = Replay(ListName.STANDARD, by_date(ListName.STANDARD), date(2024, 2, 1), standings, {})
    assert causes(account(course.close(day, []))) == {"lift": 400}
    later = Replay(ListName.STANDARD, by_date(ListName.STANDARD), day, {1: rated(1, 1399)}, {})
    assert causes(account(later.close(date(2024, 4, 1), []))) == {"floor-raised": -1399}


def test_a_newcomer_of_a_round_robin_costs_or_gives_one_side() -> None:
    standings = {number: rated(number, 1500) for number in range(1, 6)}
    pairs = list(combinations(range(1, 7), 2))
    results = ["0" if 6 in pair else "=" for pair in pairs]  # the newcomer wins them all
    games = [(*pair, result) for pair, result in zip(pairs, results, strict=True)]
    found = one_event("fide-2017", standings, *games)
    # Each of the five loses what he expected against a newcomer who is rated above them by this very event.
    assert found.causes["newcomers-in-round-robins"] < 0
    assert found.counts["newcomers-in-round-robins"] == 5
    assert found.counts["newcomers"] == 1
    assert found.unexplained == 0


def test_a_newcomer_and_a_delisted_player_of_one_round_robin_are_told_apart() -> None:
    """Player 4 was listed when it began and is not any more, player 5 is new: one game of 1, 2 and 3 against each."""
    listed = {**dict.fromkeys((1, 2, 3), 1500), 4: 1010}
    standings = {number: rated(number, 1500) for number in (1, 2, 3)}
    edition = chess_edition("fide-2017")
    boards = tuple(
        PlayedGame(number, *pair, "=") for number, pair in enumerate(combinations(range(1, 6), 2), start=1)
    )
    event = event_of(Tournament("a", date(2018, 4, 28), date(2018, 5, 9), boards), edition, {})
    period = close(
        ListName.STANDARD, LIST, OPENED, standings, [event], lambda player, _: listed.get(player), edition
    )
    found = account(ReplayedPeriod(standings, period, {"a": event}))
    assert found.counts["delisted-meanwhile"] == 3
    # 1010 beside 1500 brings the newcomer below the three, so that each of his games has its price too
    assert found.counts["newcomers-in-round-robins"] == 3
    assert found.unexplained == 0


def test_games_of_a_player_rated_meanwhile_count_for_him_alone() -> None:
    standings = {number: rated(number, 1500) for number in range(1, 7)}
    course = Replay(ListName.STANDARD, always(chess_edition("fide-2017")), OPENED, standings, {})
    entry = tuple(PlayedGame(number, 9, number, "1" if number < 4 else "0") for number in range(1, 6))
    first = course.close(LIST, [Tournament("a", date(2018, 5, 5), date(2018, 5, 9), entry)])
    assert account(first).counts["newcomers"] == 1
    # Three of five against 1500: 1500 and twenty for the half-point above the half.
    assert first.period.standings[9].rating == 1520
    late = Tournament(
        "b", date(2018, 5, 20), date(2018, 6, 10), (PlayedGame(1, 9, 6, "1"), PlayedGame(1, 1, 2, "="))
    )
    found = account(course.close(date(2018, 7, 1), [late]))
    # .53 expected at twenty points above, K 40 for a newcomer: .47 x 40 = 18.8, rounded to 19; 6 gets nothing.
    assert causes(found) == {"rated-meanwhile": Fraction(94, 5), "rounding": Fraction(1, 5)}
    assert found.change == 19


def test_from_2022_on_games_of_a_player_rated_meanwhile_are_worth_what_the_current_rating_makes_them() -> (
    None
):
    """8.2.4: 1636 on entry, 1649 after a win of June; a win of May then counts from 1649."""
    standings = {number: rated(number, 1500) for number in range(1, 7)}
    course = Replay(ListName.STANDARD, always(chess_edition("fide-2024")), OPENED, standings, {})
    entry = tuple(PlayedGame(number, 9, number, "1" if number < 4 else "0") for number in range(1, 6))
    course.close(LIST, [Tournament("a", date(2018, 5, 5), date(2018, 5, 9), entry)])
    june = Tournament(
        "b", date(2018, 6, 5), date(2018, 6, 6), (PlayedGame(1, 9, 5, "1"), PlayedGame(1, 3, 4, "="))
    )
    course.close(date(2018, 7, 1), [june])
    late = Tournament(
        "c", date(2018, 5, 20), date(2018, 6, 10), (PlayedGame(1, 9, 6, "1"), PlayedGame(1, 1, 2, "="))
    )
    found = account(course.close(date(2018, 8, 1), [late]))
    # 149 above expect .70: .30 x 40 = 12, whole points; from the 1636 of entry it would have been .32 x 40 = 12.8
    assert causes(found) == {"rated-meanwhile": Fraction(12)}
    assert found.unexplained == 0


def test_points_that_no_rule_gave_are_seen() -> None:
    played = play(Plan(seed=7, players=60, years=1, gift=24), always(chess_edition("fide-2017")))
    found = accounts(played.periods)
    assert sum(one.outside for one in found) > 0
    assert all(one.unexplained == one.outside for one in found)


# ------------------------------------------------------------------------------------------ whatever may come

PLAYERS = range(1, 11)
ratings = st.one_of(st.none(), st.integers(1000, 1450), st.integers(1000, 2900))


@st.composite
def standings(draw: st.DrawFn) -> dict[int, PlayerState]:
    """Rated ones of all kinds; who is left out is unrated."""
    made = {}
    for player in PLAYERS:
        rating = draw(ratings)
        if rating is not None:
            made[player] = rated(
                player, rating, draw(st.sampled_from((0, 29, 60))), draw(st.integers(0, 2500))
            )
    return made


@st.composite
def tournaments(draw: st.DrawFn, name: str, last_day: date) -> Tournament:
    """A round robin, a match, or any games at all; it may have begun lists ago."""
    field = draw(st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=8, unique=True))
    kind = draw(st.sampled_from(("round-robin", "match", "any", "many")))
    if kind == "match":
        pairs = [(field[0], field[1])] * draw(st.integers(1, 6))
    elif kind == "round-robin":
        pairs = list(combinations(field, 2))
    else:
        many = 40 if kind == "many" else 10
        pairs = draw(st.lists(st.sampled_from(list(combinations(field, 2))), min_size=1, max_size=many))
    results = draw(st.lists(st.sampled_from("1=0"), min_size=len(pairs), max_size=len(pairs)))
    boards = tuple(
        PlayedGame(number, white, black, result)
        for number, ((white, black), result) in enumerate(zip(pairs, results, strict=True), 1)
    )
    begun = draw(st.sampled_from((0, 25, 45)))
    return Tournament(name, date.fromordinal(last_day.toordinal() - begun), last_day, boards)


@settings(max_examples=examples(150))
@given(
    edition=st.sampled_from(
        [one for one in CHESS_EDITIONS if 7 in one.on(ListName.STANDARD).list_months.value]
    ),
    start=standings(),
    first=st.lists(tournaments("a", date(2018, 5, 20)), max_size=2),
    second=st.lists(tournaments("b", date(2018, 6, 20)), max_size=2),
    born=st.sampled_from((None, 2005)),
)
def test_every_period_balances(
    edition: Edition[ChessRules],
    start: dict[int, PlayerState],
    first: list[Tournament],
    second: list[Tournament],
    born: int | None,
) -> None:
    people = {player: HistoryPlayer(player, born=born) for player in PLAYERS}
    course = Replay(ListName.STANDARD, always(edition), OPENED, start, people)
    run = [course.close(LIST, _named(first)), course.close(date(2018, 7, 1), _named(second))]
    for points in accounts(run):
        assert points.unexplained == 0
        assert points.outside == 0
        assert points.change == points.after - points.before


@settings(max_examples=examples(30))
@given(
    start=standings(), standard=standings(), events=st.lists(tournaments("a", date(2018, 5, 20)), max_size=3)
)
@pytest.mark.parametrize("edition", ["fide-2012", "fide-2024-12"])
def test_a_rapid_period_balances_with_standard_ratings_that_come_in(
    edition: str, start: dict[int, PlayerState], standard: dict[int, PlayerState], events: list[Tournament]
) -> None:
    chosen = chess_edition(edition)
    made = {one.id: event_of(one, chosen, {}) for one in _named(events)}
    taken = {player: one.rating for player, one in standard.items() if one.rating is not None}
    period = close(
        ListName.RAPID,
        LIST,
        OPENED,
        start,
        made.values(),
        lambda player, _: start[player].rating if player in start else None,
        chosen,
        register=RegisterFacts(standard=taken),
    )
    assert account(ReplayedPeriod(start, period, made)).unexplained == 0


def _named(events: list[Tournament]) -> list[Tournament]:
    return [replace(event, id=f"{event.id}{number}") for number, event in enumerate(events)]


@pytest.mark.parametrize(
    "edition",
    [
        pytest.param(edition.id, marks=[pytest.mark.deep] * (number % 3 > 0))
        for number, edition in enumerate(reversed(CHESS_EDITIONS))
    ],
)
def test_every_period_of_a_made_world_balances(edition: str) -> None:
    played = play(Plan(seed=3, players=90, years=1), always(chess_edition(edition)))
    found = accounts(played.periods)
    assert len(found) >= 6
    assert [one.unexplained for one in found] == [0] * len(found)
    assert {cause for one in found for cause in one.causes} == set(CAUSES)


@pytest.fixture(scope="module")
def month() -> Any:
    """A month of ten reports, as the benchmark of the period makes it."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return run_path(str(BENCHMARKS / "period.py"), run_name="period")["month"](0.0025)
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize(
    "edition", one_in(5, ["by-date", *(one.id for one in CHESS_EDITIONS if ListName.STANDARD in one.lists)])
)
def test_the_ledger_of_the_made_world_balances(month: Any, edition: str) -> None:
    standings, events, born = month
    chosen = (
        in_force(CHESS_EDITIONS, ListName.STANDARD, date(2025, 7, 1))
        if edition == "by-date"
        else next(one for one in CHESS_EDITIONS if one.id == edition)
    )
    ratings = {player: standing.rating for player, standing in standings.items()}
    period = close(
        ListName.STANDARD, date(2025, 7, 1), date(2025, 6, 1), standings, events,
        lambda player, _: ratings.get(player), chosen, register=RegisterFacts(born=born),
    )  # fmt: skip
    found = account(ReplayedPeriod(standings, period, {event.id: event for event in events}))
    assert found.unexplained == 0
    assert len(events) == 10
    assert found.counts["rounding"] > 100
    assert found.counts["newcomers"] > 0 or edition != "by-date"
    assert found.change == sum(r.rating or 0 for r in period.standings.values()) - sum(
        rating or 0 for rating in ratings.values()
    )
