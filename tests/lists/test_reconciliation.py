"""A made world in which "FIDE" rates some players another way: every planted cause is named, and nobody else is."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

import pytest

from arpad.explain.reconciliation_document import cause_text, summary, unexplained
from arpad.explain.words import load_words
from arpad.lists.period import Event, RegisterFacts
from arpad.lists.reconciled import DatedList, FideEntry, Reconciliation
from arpad.lists.reconciliation import reconcile
from arpad.model.chess import PlayerState
from tests.builders.periods import DREW, LOST, STANDARD, WON, closed, event, lists

MAY, JUNE, JULY = date(2018, 5, 1), date(2018, 6, 1), date(2018, 7, 1)
A, B, C, D, X = 1, 2, 3, 4, 9
BEFORE = {A: 2000, B: 2100, C: 1900, D: 1850, X: 2050}

OPEN = event(
    "Open", [(A, WON, B), (C, DREW, D), (A, LOST, C), (B, WON, D)], date(2018, 5, 5), date(2018, 5, 6)
)
CUP = event("Cup", [(A, WON, D), (B, LOST, C)], date(2018, 5, 12), date(2018, 5, 13))
LATE = event("Late", [(A, LOST, X), (C, WON, B)], date(2018, 6, 2), date(2018, 6, 3))


def listed(
    day: date, ratings: Mapping[int, int], games: Mapping[int, int] | None = None, k: int = 20
) -> DatedList:
    counts = None if games is None else games
    return DatedList(
        day,
        {
            player: FideEntry(
                rating, None if counts is None else counts.get(player, 0), k, f"Player {player}", "ITA"
            )
            for player, rating in ratings.items()
        },
    )


def published(
    events: Iterable[Event], *, ratings: Mapping[int, int] = BEFORE, k: Mapping[int, int] | None = None
) -> DatedList:
    """Return the list of June as a FIDE that rates these events with these ratings and K publishes it."""
    standings = [
        PlayerState(player, rating, 60, rating, 20, last_list=MAY) for player, rating in ratings.items()
    ]
    period = closed(
        JUNE, standings, list(events), ratings=lists({MAY: ratings}), known=RegisterFacts(k=k or {})
    )
    return listed(
        JUNE,
        {player: standing.rating or 0 for player, standing in period.standings.items()},
        {player: happened.games for player, happened in period.players.items()},
    )


def causes(result: Reconciliation) -> dict[int, list[tuple[str, dict[str, object]]]]:
    return {
        player.player: [(cause.code, dict(cause.facts)) for cause in player.causes]
        for player in result.differing()
    }


def compared(
    after: DatedList, events: Iterable[Event] = (OPEN, CUP), before: DatedList | None = None
) -> Reconciliation:
    return reconcile(STANDARD, before or listed(MAY, BEFORE), after, events)


def test_a_list_that_agrees_has_no_differences() -> None:
    result = compared(published([OPEN, CUP]))
    assert causes(result) == {}
    assert {player.player for player in result.players} == {A, B, C, D}
    assert all(player.agrees and player.period for player in result.players)


def test_an_event_that_was_not_rated_is_named_for_each_of_its_players() -> None:
    missing = [("event-not-rated", {"events": ("Cup",)})]
    assert causes(compared(published([OPEN]))) == dict.fromkeys((A, B, C, D), missing)


def test_another_k_is_named() -> None:
    result = compared(published([OPEN, CUP], k={C: 40}))
    assert causes(result) == {C: [("other-k", {"k": 40, "used": ("20",)})]}


def test_a_missing_event_with_another_k_is_named_when_nothing_simpler_explains_it() -> None:
    result = compared(published([OPEN], k={B: 40}))
    assert causes(result)[B] == [("event-not-rated-and-k", {"events": ("Cup",), "k": 40, "used": ("20",)})]


def test_an_event_of_a_later_period_is_named() -> None:
    events = [OPEN, CUP, LATE]
    result = compared(published(events), events)
    assert [event.id for event in result.other_periods] == ["Late"]
    later = [("event-of-later-period", {"events": ("Late",)})]
    assert causes(result) == dict.fromkeys((A, B, C, X), later)


def test_a_rating_that_fides_list_contradicts_would_fit_and_is_no_cause() -> None:
    """37 points more without any reason: some other rating to start from fits, but the list of May has 2100."""
    right = published([OPEN, CUP])
    altered = {**right.players, B: replace(right.players[B], rating=(right.players[B].rating or 0) + 37)}
    result = compared(DatedList(JUNE, altered))
    assert causes(result).keys() == {B}
    ((code, facts),) = causes(result)[B]
    assert (code, facts["listed"]) == ("would-fit", 2100)
    assert unexplained(result) == 1
    (player,) = result.differing()
    for language, words in (
        ("en", "no cause found; it would fit if FIDE had started from"),
        ("it", "nessuna causa trovata; tornerebbe se la FIDE fosse partita da"),
        ("fr", "aucune cause trouvée"),
    ):
        assert cause_text(player.causes[0], load_words(language)).startswith(words)
    assert summary(result, load_words("en")).endswith("1 differ; for 1 of these no cause is known.")


def test_a_rating_of_an_earlier_list_of_fides_is_a_cause() -> None:
    """FIDE started from the rating of April, which its list of April has."""
    after = published([OPEN, CUP], ratings={**BEFORE, B: 2050})
    right = published([OPEN, CUP])
    only = DatedList(JUNE, {**right.players, B: after.players[B]})
    april = listed(date(2018, 4, 1), {**BEFORE, B: 2050})
    result = reconcile(STANDARD, listed(MAY, BEFORE), only, [OPEN, CUP], earlier=[april])
    assert causes(result)[B] == [("other-rating", {"rating": 2050, "listed": 2100})]
    assert unexplained(result) == 0


def test_another_rating_of_one_player_explains_the_opponents_too() -> None:
    after = published([OPEN, CUP], ratings={**BEFORE, B: 2300})
    named = causes(compared(after))
    assert named[B] == [("other-rating", {"rating": 2300, "listed": 2100})]
    by_b = [("opponent-rating", {"player": B, "name": "Player 2", "rating": 2300})]
    assert {player: named[player] for player in named if player != B} == dict.fromkeys(
        named.keys() - {B}, by_b
    )


def test_games_that_the_reports_do_not_have_are_counted() -> None:
    abroad = event("Abroad", [(A, WON, X)], date(2018, 5, 20))
    assert causes(compared(published([OPEN, CUP, abroad]))) == {A: [("games-not-in-reports", {"games": 1})]}


def test_another_rounding_is_named() -> None:
    drawn = event("Drawn", [(A, DREW, B)], date(2018, 5, 5))
    right = published([drawn])
    exact = compared(right, [drawn]).players[0]
    assert exact.period is not None
    points = sum(part.points for part in exact.period.contributions)
    assert points.denominator != 1
    other = (right.players[A].rating or 0) + (
        1 if BEFORE[A] + points > (right.players[A].rating or 0) else -1
    )
    after = DatedList(JUNE, {**right.players, A: replace(right.players[A], rating=other)})
    assert [code for code, _ in causes(compared(after, [drawn]))[A]] == ["other-rounding"]


def test_a_rating_that_changed_without_games_is_named_for_the_federation() -> None:
    right = published([OPEN])
    after = DatedList(JUNE, {**right.players, X: replace(right.players[X], rating=2011)})
    result = reconcile(STANDARD, listed(MAY, BEFORE), after, [OPEN], federation="ITA")
    assert causes(result) == {X: [("changed-without-games", {"before": 2050, "after": 2011})]}
    assert reconcile(STANDARD, listed(MAY, BEFORE), after, [OPEN], federation="FRA").players == ()


def test_a_player_who_vanished_is_named() -> None:
    right = published([OPEN, CUP])
    after = DatedList(JUNE, {number: player for number, player in right.players.items() if number != D})
    assert causes(compared(after)) == {D: [("not-on-list", {})]}


def test_an_event_begun_before_the_first_list_is_reported() -> None:
    long = event("Long", [(A, WON, B)], date(2018, 4, 20), date(2018, 5, 20))
    result = compared(published([long]), [long])
    assert [event.id for event in result.before_first_list] == ["Long"]


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.deep)])
def test_every_planted_cause_is_named_and_nobody_else_is(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311
    ratings = {player: dice.randrange(1500, 2400) for player in range(1, 41)}
    groups = [dice.sample(sorted(ratings), 10) for _ in range(6)]
    events = [
        event(
            f"Event {number}",
            [
                (group[at], dice.choice((WON, DREW, LOST)), group[(at + step) % 10])
                for step in (1, 2, 3)
                for at in range(0, 10, 2 if step == 1 else 1)
            ],
            date(2018, 5, 2 + 4 * number),
        )
        for number, group in enumerate(groups)
    ]
    playing = sorted({player for chosen in events for player in chosen.players})
    absent = dice.choice(events)
    free = [player for player in playing if player not in absent.players]
    wrong_k, altered = dice.sample(free, 2)
    after = published([chosen for chosen in events if chosen is not absent], ratings=ratings, k={wrong_k: 10})
    rating = after.players[altered].rating or 0
    after = DatedList(JUNE, {**after.players, altered: replace(after.players[altered], rating=rating + 61)})

    named = causes(reconcile(STANDARD, listed(MAY, ratings), after, events))

    planted = {player: "event-not-rated" for player in absent.players if player in ratings}
    planted |= {wrong_k: "other-k", altered: "would-fit"}
    assert {player: cause[0][0] for player, cause in named.items()} == planted
    assert all(len(cause) == 1 for cause in named.values())
