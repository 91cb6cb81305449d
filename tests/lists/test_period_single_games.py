"""Single games that are not rated: too fast, with different times, taken out; each number worked by hand."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.lists.period import Event
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.rating.preview import rate
from arpad.reports.event_facts import EventFacts, KnownPlayer, read_facts
from tests.builders.periods import DREW, LOST, RAPID, WON, closed, event, ratings_of, regular

A, B, C, D = 1, 2, 3, 4
BLITZ = ListName.BLITZ


def timed(played: Event, control: str, facts: EventFacts | None = None) -> Event:
    """The event with another time control, and what is known besides."""
    header = replace(played.report.header, time_control=control)
    return replace(played, report=replace(played.report, header=header), facts=facts or EventFacts())


def ratings(
    day: date, events: list[Event], people: dict[int, int], on_list: ListName = ListName.STANDARD
) -> object:
    """The ratings of a list; ``closed`` holds the engine against the readable period."""
    standings = [regular(player, rating) for player, rating in people.items()]
    return ratings_of(closed(day, standings, events, on_list=on_list).standings.values())


@pytest.mark.parametrize(
    ("first", "too_fast"),
    [(date(2025, 4, 2), True), (date(2023, 4, 3), True), (date(2021, 4, 2), True), (date(2020, 4, 2), False)],
)
def test_the_games_of_one_player_are_too_fast_and_the_others_are_rated(first: date, too_fast: bool) -> None:
    """Case 50, 60+30: those of 2450 need 120 minutes (2200 in 2021); before 2021 it was judged event by event.

    1500 beats 1500 with K 20: +10. 2450 beats 1500: capped at 400, .08 x 10 = .8; the 1500 loses .08 x 20 = 1.6.
    """
    played = event("60+30", [(A, WON, B), (C, WON, D), (A, WON, D)], first)
    day = date(first.year, 5, 1)
    found = ratings(day, [timed(played, "60+30")], {A: 2450, B: 1500, C: 1500, D: 1500})
    whole = {A: 2452, B: 1498, C: 1510, D: 1488}
    assert found == ({A: 2450, B: 1500, C: 1510, D: 1490} if too_fast else whole)
    people = {"1": KnownPlayer(2450), **dict.fromkeys("234", KnownPlayer(1500))}
    rated = rate(timed(played, "60+30").report, facts=EventFacts(players=people), edition=played.edition)
    said = {
        finding.code: finding.severity for finding in rated.findings if finding.code.startswith("time-too")
    }
    assert said == ({"time-too-short-for-games": "warning"} if too_fast else {"time-too-short": "error"})


@pytest.mark.parametrize(
    ("first", "control", "approved", "rated"),
    [
        (date(2026, 4, 2), "45+30", True, True),
        (date(2026, 4, 2), "45+30", None, False),
        (date(2026, 4, 2), "45+20", True, False),
        (date(2025, 9, 2), "45+30", True, True),
        (date(2025, 8, 2), "45+30", True, False),
    ],
)
def test_faster_standard_games_by_approval(
    first: date, control: str, approved: bool | None, rated: bool
) -> None:
    """Case 32: 75 minutes for sixty moves; a draw of 2450 with 2500 (.43 expected) with K 10 is +0.7."""
    played = timed(event("fast", [(A, DREW, B)], first), control, EventFacts(fast_approved=approved))
    found = ratings(date(first.year, first.month + 1, 1), [played], {A: 2450, B: 2500})
    assert found == ({A: 2451, B: 2499} if rated else {A: 2450, B: 2500})


@pytest.mark.parametrize(
    ("first", "on_list"), [(date(2025, 4, 2), BLITZ), (date(2013, 4, 2), BLITZ), (date(2019, 4, 2), RAPID)]
)
def test_games_with_different_times_are_not_rated_in_rapid_and_blitz(first: date, on_list: ListName) -> None:
    """Case 48: they count neither for the ratings nor for anybody's games."""
    played = event("odds", [(A, WON, B), (C, WON, D)], first, on_list=on_list)
    people = {A: 1500, B: 1500, C: 1600, D: 1600}
    day = date(first.year, 5, 1)
    control = "white 20 min, black 15 min" if on_list == RAPID else "white 6 min, black 5 min"
    standings = [regular(player, rating) for player, rating in people.items()]
    period = closed(day, standings, [timed(played, control)], on_list=on_list)
    assert ratings_of(period.standings.values()) == people
    assert {standing.games for standing in period.standings.values()} == {100}
    same = timed(played, "20 min" if on_list == RAPID else "5 min")
    assert ratings(day, [same], people, on_list) == {A: 1510, B: 1490, C: 1610, D: 1590}


def test_in_a_standard_game_each_player_needs_the_least_time_and_no_more() -> None:
    played = timed(event("odds", [(A, WON, B)], date(2025, 4, 2)), "white 120 min, black 90 min")
    assert ratings(date(2025, 5, 1), [played], {A: 1500, B: 1500}) == {A: 1510, B: 1490}


@pytest.mark.parametrize(
    ("first", "reason", "taken"),
    [
        (date(2025, 4, 2), "fair-play", True),
        (date(2022, 4, 2), "force-majeure", True),
        (date(2025, 4, 2), "unequal-times", False),
        (date(2019, 4, 2), "fair-play", False),
    ],
)
def test_a_game_taken_out(first: date, reason: str, taken: bool) -> None:
    """5.1 of 2024 names the reasons; an edition that does not know one rates the game."""
    facts = EventFacts(taken_out=(f"1:1:{reason}",))
    played = replace(event("fair", [(A, WON, B), (C, WON, D)], first), facts=facts)
    found = ratings(date(first.year, 5, 1), [played], {A: 1500, B: 1500, C: 1500, D: 1500})
    first_game = {A: 1500, B: 1500} if taken else {A: 1510, B: 1490}
    assert found == {**first_game, C: 1510, D: 1490}
    everybody = {str(number): KnownPlayer(rating=1500, k=20) for number in (1, 2, 3, 4)}
    rated = rate(played.report, facts=replace(facts, players=everybody), edition=played.edition)
    assert rated.players[0].games[0].reason == (reason if taken else "")
    assert rated.players[2].games[0].rated


def test_an_armageddon_game_is_taken_out_of_a_blitz_event() -> None:
    facts = EventFacts(taken_out=("2:2:unequal-times",))
    played = event("tie-break", [(A, WON, B), (B, WON, A), (C, DREW, D)], date(2025, 4, 2), on_list=BLITZ)
    played = timed(played, "5 min", facts)
    found = ratings(date(2025, 5, 1), [played], {A: 1500, B: 1500, C: 1500, D: 1500}, BLITZ)
    assert found == {A: 1510, B: 1490, C: 1500, D: 1500}


@pytest.mark.parametrize("waived", [None, True])
def test_a_match_after_its_decision(waived: bool | None) -> None:
    """Case 47: of six games, 3.5 after four; A then loses twice: -10 each, which count only with the waiver."""
    results = [WON, WON, WON, DREW, LOST, LOST]
    match = event("match", [(A, result, B) for result in results], date(2025, 4, 2))
    report = replace(
        match.report,
        entrants=match.report.entrants[:2],
        rounds=tuple(
            replace(cells, opponents=cells.opponents[:2], colours="  ", results=cells.results[:2])
            for cells in match.report.rounds
        ),
    )
    facts = EventFacts(match_games=6, match_waived=waived)
    match = replace(match, report=report, players=(A, B), facts=facts)
    found = ratings(date(2025, 5, 1), [match], {A: 1500, B: 1500})
    assert found == ({A: 1510, B: 1490} if waived else {A: 1530, B: 1470})


@pytest.mark.parametrize("text", ["3:7", "3:7:because", "x:7:fair-play", "3:7:fair-play:2", ""])
def test_a_game_that_is_badly_written_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_facts(f'taken_out = ["{text}"]')
    assert caught.value.facts["key"] == "taken_out"


def test_the_facts_from_toml() -> None:
    facts = read_facts('hybrid = true\nlate_registration_by = "president"\ntaken_out = ["3:7:fair-play"]')
    assert (facts.hybrid, facts.late_registration_by, facts.taken_out) == (
        True,
        "president",
        ("3:7:fair-play",),
    )
    with pytest.raises(BadInput):
        read_facts('late_registration_by = "somebody"')


def test_the_facts_of_a_part_keep_the_numbers_of_its_rounds() -> None:
    facts = EventFacts(taken_out=("2:1:fair-play", "5:1:fair-play", "7:1:fair-play"))
    assert facts.of_rounds(4, 6).taken_out == ("5:1:fair-play",)
