"""Figures of a player's page from literals: results by colour, sums, performance, what is left to a K or title."""

from datetime import date
from fractions import Fraction

import pytest

from arpad.explain.player_figures import Goal, Results, event_sums, next_goals, performance, results_by_colour
from arpad.lists.explanation import ExplainedChessEvent, ExplainedGame
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.fide.editions import FIDE_2024_12
from arpad.regulations.fide.performance_rating import PerformanceRating

HALF = Fraction(1, 2)
RULES = FIDE_2024_12.on(ListName.STANDARD)
TITLES = TITLE_EDITIONS[-1].on(ListName.STANDARD)
DAY = date(2025, 1, 15)


def game(
    score: Fraction | int,
    rating: int | None = 2000,
    colour: str = "w",
    reason: str = "",
    expected: Fraction | None = HALF,
    opponent: int | None = 9,
) -> ExplainedGame:
    return ExplainedGame(
        1,
        opponent,
        "Bice",
        rating,
        Fraction(score),
        not reason,
        reason,
        None if reason else expected,
        colour=colour,
    )


def event(*games: ExplainedGame) -> ExplainedChessEvent:
    return ExplainedChessEvent(
        "1", "Open", None, None, "fide-2024-12", games, (), index=0, contribution=None, tranche=None
    )


PLAYED = event(
    game(1), game(HALF, colour="b"), game(0, colour="b"), game(1, None, "b", "unrated-opponent"),
    game(1, reason="unplayed"), game(HALF, None, "", "bye", opponent=None),
)  # fmt: skip


def test_results_are_those_of_played_games_also_if_they_are_not_rated() -> None:
    assert results_by_colour([PLAYED]) == {
        "w": Results(1, 0, 0),
        "b": Results(1, 1, 1),
        "all": Results(2, 1, 1),
    }


def test_sums_are_those_of_games_that_count() -> None:
    sums = event_sums(PLAYED)
    assert sums is not None
    assert (sums.score, sums.expected, sums.difference) == (Fraction(3, 2), Fraction(3, 2), Fraction(0))
    assert event_sums(event(game(1, reason="unplayed"))) is None


def test_performance_is_the_average_of_rated_opponents_plus_dp() -> None:
    """1.5 of 3 against 2000: dp 0; 1 of 1 against 1900: dp 800."""
    assert performance([PLAYED], RULES) == PerformanceRating(2000, 2000, 0, Fraction(3, 2), 3)
    assert performance([event(game(1, 1900))], RULES) == PerformanceRating(2700, 1900, 800, Fraction(1), 1)
    assert performance([event()], RULES) is None


@pytest.mark.parametrize(
    ("person", "rating", "games", "peak", "k", "goals"),
    [
        # 30 games end K 40; CM needs 2200
        (Person(1, "A", born=1990), 1900, 22, 1900, 40, [Goal("k-usual", 8, 30, "20"), Goal("title", 300, 2200, "CM")]),
        # a junior keeps 40 however many games
        (Person(1, "A", born=2010), 1900, 22, 1900, 40, [Goal("title", 300, 2200, "CM")]),
        # WCM comes first for women
        (Person(1, "A", sex="F"), 1900, 50, 1900, 20,
         [Goal("k-top", 500, 2400, "10"), Goal("title", 100, 2000, "WCM")]),
        # reached once is reached
        (Person(1, "A", title="CM"), 2190, 50, 2310, 20, [Goal("k-top", 210, 2400, "10")]),
        (Person(1, "A", title="GM"), 2600, 500, 2600, 10, []),
    ],
)  # fmt: skip
def test_goals(person: Person, rating: int, games: int, peak: int, k: int, goals: list[Goal]) -> None:
    assert next_goals(person, DAY, rating, games, peak, k, RULES, TITLES) == goals
