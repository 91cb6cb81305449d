"""Truths planted into made worlds, so that one can see whether they are found."""

from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from random import Random

from arpad.regulations.editions import always, chess_edition
from arpad.studies.history import History, PlayedGame, Tournament
from arpad.studies.replay import ReplayedPeriod, replay
from arpad.studies.simulate import Plan, SimulatedWorld, play

EDITION = always(chess_edition("fide-2017"))


@cache
def world(seed: int, **plan: object) -> SimulatedWorld:
    """A season of three hundred people, or as the plan says; played once."""
    return play(Plan(**{"seed": seed, "players": 300, "years": 1, **plan}), EDITION)  # type: ignore[arg-type]


def with_event(played: SimulatedWorld, *events: Tournament) -> tuple[History, list[ReplayedPeriod]]:
    """The same world with further events, its lists made again."""
    history = replace(played.history, tournaments=(*played.history.tournaments, *events))
    return history, list(replay(history, EDITION))


def settled_neighbours(played: SimulatedWorld, count: int, seed: int) -> list[int]:
    """Adults of one federation who stand beside each other on the first list."""
    chance = Random(seed)  # noqa: S311  a made world
    people = played.history.people
    federation = chance.choice(sorted({person.federation for person in people.values()}))
    ratings = {
        player: one.rating
        for player, one in played.history.start.items()
        if one.rating is not None
        and people[player].federation == federation
        and 2018 - (people[player].born or 0) >= 20
    }
    order = sorted(ratings, key=lambda player: (ratings[player], player))
    at = chance.randrange(len(order) - count)
    return order[at : at + count]


def fabricated_tournament(played: SimulatedWorld, seed: int) -> Tournament:
    """Ten neighbours on paper: a strict order without a draw, the lowest rated on top."""
    players = settled_neighbours(played, 10, seed)
    ranking = [players[0], *Random(seed).sample(players[1:], 9)]  # noqa: S311  a made world
    boards = []
    first = date(2018, 6, 24)
    ring = list(players)
    for index in range(9):
        for at in range(5):
            white, black = ring[at], ring[-1 - at]
            result = "1" if ranking.index(white) < ranking.index(black) else "0"
            boards.append(PlayedGame(index + 1, white, black, result, first + timedelta(days=index // 3)))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return Tournament(
        "fabricated", first, first + timedelta(days=2), tuple(boards), city="Nowhere", federation="AAA"
    )


def traded_wins(played: SimulatedWorld, seed: int) -> list[Tournament]:
    """Two neighbours in four matches of four games, each won whole, in turn."""
    one, other = settled_neighbours(played, 2, seed)
    matches = []
    for number, month in enumerate((2, 5, 8, 11)):
        first = date(2018, month, 24)
        winner = one if number % 2 == 0 else other
        boards = []
        for game in range(4):
            white, black = (one, other) if game % 2 == 0 else (other, one)
            boards.append(
                PlayedGame(
                    game + 1, white, black, "1" if white == winner else "0", first + timedelta(days=game // 2)
                )
            )
        matches.append(
            Tournament(f"match-{number}", first, first + timedelta(days=1), tuple(boards), city="Nowhere")
        )
    return matches
