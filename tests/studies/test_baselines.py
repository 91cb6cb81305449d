"""The forecasts of other systems over the same games: DWZ is a chain of events, and sees nothing of the future."""

from datetime import date
from statistics import NormalDist

import pytest

from arpad.rating.event_question import answer_event, read_question
from arpad.studies.baselines import forecasts
from arpad.studies.history import HistoryGame, HistoryPlayer


def game(event: str, day: date, white: int, black: int, score: int, round_number: int = 1) -> HistoryGame:
    """Return a game of players whose published ratings are 1500 + 100 times their number."""
    ratings = 1500 + 100 * white, 1500 + 100 * black
    return HistoryGame(event, day, round_number, white, black, score, *ratings, 50, 50)


FIRST = [
    game("A", date(2024, 1, 5), 1, 2, 2),
    game("A", date(2024, 1, 6), 1, 3, 1, 2),
    game("A", date(2024, 1, 6), 2, 4, 0, 2),
]
SECOND = [game("B", date(2024, 3, 1), 1, 2, 0), game("B", date(2024, 3, 1), 3, 4, 2)]
PEOPLE = {1: HistoryPlayer(1, born=2010)}


def chance(white: int, black: int) -> float:
    return NormalDist(0, 200 * 2**0.5).cdf(white - black)


def test_dwz_forecasts_an_event_from_the_ratings_after_the_events_before() -> None:
    found = forecasts([*SECOND, *FIRST], PEOPLE)["dwz"]
    players = {str(n): {"rating": 1500 + 100 * n} for n in range(1, 5)}
    players["1"]["born"] = 2010
    question = {
        "end": "2024-01-06",
        "players": players,
        "games": [[str(it.white), str(it.black), it.score / 2] for it in FIRST],
    }
    after = {
        name: it.after["rating"] for name, it in answer_event(read_question("dwz", question)).players.items()
    }
    assert after["1"] > 1600, "a young player who beat a higher one"
    assert found[0] == pytest.approx(chance(after["1"], after["2"]))
    assert found[1] == pytest.approx(chance(after["3"], after["4"]))
    assert set(found) == {0, 1}, "the first month is to learn from"


def test_the_result_of_a_game_does_not_change_its_own_forecast() -> None:
    turned = [it._replace(score=2 - it.score) for it in SECOND]
    for name, chances in forecasts([*FIRST, *SECOND], PEOPLE).items():
        assert forecasts([*FIRST, *turned], PEOPLE)[name] == chances, name


def test_games_before_the_first_edition_take_the_first() -> None:
    games = [game("A", date(1996, 1, 1), 1, 2, 2), game("B", date(1996, 2, 1), 1, 2, 2)]
    assert forecasts(games)["dwz"][1] > chance(1600, 1700)


def test_without_games_there_are_no_forecasts() -> None:
    assert forecasts([])["dwz"] == {}
