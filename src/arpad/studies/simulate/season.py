"""Tournaments of realistic shape: entries, pairings, and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from random import Random
from typing import TypeVar

from arpad.reports.report import HALF_POINTS
from arpad.studies.history import PlayedGame, Tournament
from arpad.studies.simulate.population import Life, Plan, Population

FIELD = (16, 44)
"""The smallest and the largest open."""

LEAST_FIELD = 8
CLOSED = 10
"""Players of a round robin."""

CLOSED_SHARE = 0.12
WEEKEND = 5
"""Rounds of a weekend; other opens have seven or nine."""

DRAWS_AT = ((2400, 0.5), (2000, 0.36), (1600, 0.26), (0, 0.18))
"""From this level upwards, the share of draws in even games."""


def month_of_play(population: Population, first: date, game: GameModel) -> list[Tournament]:
    """Return the tournaments of one month; each player is in one of them at most."""
    plan, chance = population.plan, population.random
    entries: dict[str, list[Life]] = {}
    for life in population.present():
        if chance.random() < life.events_a_year / 12:
            abroad = chance.random() < plan.crossing / 100
            entries.setdefault("" if abroad else life.person.federation, []).append(life)
    tournaments: list[Tournament] = []
    for where in sorted(entries):
        for field in _fields(entries[where], game.ratings, chance):
            number = f"{first:%Y-%m}-{len(tournaments) + 1:02}"
            tournaments.append(_tournament(number, where, field, first, game))
    return tournaments


def _fields(entries: list[Life], ratings: Mapping[int, int], chance: Random) -> list[list[Life]]:
    """Divide entries over events: now and then a closed one of similar ratings, else opens of mixed fields."""
    fields: list[list[Life]] = []
    rated = sorted(
        (life for life in entries if life.person.id in ratings), key=lambda life: ratings[life.person.id]
    )
    entered: set[int] = set()
    while len(rated) - len(entered) >= CLOSED and chance.random() < CLOSED_SHARE * len(rated) / CLOSED / (
        1 + len(fields)
    ):
        free = [life for life in rated if life.person.id not in entered]
        at = chance.randrange(len(free) - CLOSED + 1)
        fields.append(free[at : at + CLOSED])
        entered |= {life.person.id for life in fields[-1]}
    rest = [life for life in entries if life.person.id not in entered]
    # Sections overlap: strong and weak meet, but rarely the strongest and a beginner.
    rest.sort(key=lambda life: life.strength + chance.gauss(0, 250), reverse=True)
    while rest:
        size = chance.randint(*FIELD)
        if len(rest) - size < LEAST_FIELD:
            size = len(rest)
        fields.append(rest[:size])
        rest = rest[size:]
    return [field for field in fields if len(field) >= LEAST_FIELD]


def _tournament(number: str, where: str, field: list[Life], first: date, game: GameModel) -> Tournament:
    closed = len(field) == CLOSED
    chance = game.chance
    rounds = CLOSED - 1 if closed else WEEKEND if len(field) < FIELD[0] else chance.choice((WEEKEND, 7, 9))
    begins = first + timedelta(days=chance.randrange(14))
    a_day = 2 if rounds == WEEKEND else 1
    days = [begins + timedelta(days=index // a_day) for index in range(rounds)]
    boards = (_round_robin if closed else _swiss)(field, days, game)
    kind = "closed" if closed else "open"
    return Tournament(
        number,
        days[0],
        days[-1],
        tuple(boards),
        f"{kind.title()} {where or 'international'} {number}",
        where or "Abroad",
        where,
    )


# ------------------------------------------------------------------------------------------------- one game


@dataclass(frozen=True, slots=True)
class GameModel:
    """How a game between two people ends."""

    plan: Plan
    chance: Random
    ratings: Mapping[int, int]
    expectation: Callable[[int], int] | None
    """From a difference to hundredths, for a world in which results follow the printed table exactly."""

    def rating(self, life: Life) -> float:
        """Return the rating for the organiser: of an unrated player, a guess."""
        return self.ratings.get(life.person.id, life.strength)

    def play(self, white: Life, black: Life) -> str:
        """Return White's letter."""
        expected = self.expected(white, black)
        level = (white.strength + black.strength) / 2
        drawn = next(share for least, share in DRAWS_AT if level >= least) * 2 * min(expected, 1 - expected)
        luck = self.chance.random()
        if luck < drawn:
            return "="
        return "1" if luck < drawn / 2 + expected else "0"

    def expected(self, white: Life, black: Life) -> float:
        """Return what White may truly expect."""
        if self.expectation is not None:
            difference = round(self.plan.slope * (int(self.rating(white)) - int(self.rating(black))))
            return self.expectation(max(-400, min(400, difference))) / 100
        difference_true = self.plan.slope * (white.strength - black.strength) + self.plan.white
        return float(1 / (1 + 10 ** (-difference_true / 400)))


# ------------------------------------------------------------------------------------------- who meets whom


def _round_robin(field: list[Life], days: Sequence[date], game: GameModel) -> list[PlayedGame]:
    """Return the games of a round robin, paired by rotation."""
    boards = []
    for index, pairs in enumerate(rotation(field)):
        for at, (life, other) in enumerate(pairs):
            white, black = (life, other) if (index + at) % 2 == 0 else (other, life)
            boards.append(
                PlayedGame(index + 1, white.person.id, black.person.id, game.play(white, black), days[index])
            )
    return boards


def _swiss(field: list[Life], days: Sequence[date], game: GameModel) -> list[PlayedGame]:
    """Play a Swiss: equal scores meet, upper half against lower half, nobody twice; the odd one out has a bye."""
    order = sorted(field, key=game.rating, reverse=True)
    seed = {life.person.id: index for index, life in enumerate(order)}
    score = dict.fromkeys(seed, 0)
    balance = dict.fromkeys(seed, 0)
    met: set[frozenset[int]] = set()
    boards = []
    for index in range(len(days)):
        ranked = sorted(order, key=lambda life: (-score[life.person.id], seed[life.person.id]))
        for life, other in _pairs(ranked, score, met):
            a, b = life.person.id, other.person.id
            met.add(frozenset((a, b)))
            white, black = (
                (life, other) if (balance[a], index % 2) <= (balance[b], seed[a] % 2) else (other, life)
            )
            result = game.play(white, black)
            balance[white.person.id] += 1
            balance[black.person.id] -= 1
            score[white.person.id] += HALF_POINTS[result]
            score[black.person.id] += 2 - HALF_POINTS[result]
            boards.append(PlayedGame(index + 1, white.person.id, black.person.id, result, days[index]))
    return boards


def _pairs(ranked: list[Life], score: Mapping[int, int], met: set[frozenset[int]]) -> list[tuple[Life, Life]]:
    """Return the pairs from the top; a player without an opponent in the group goes to the next group."""
    bounds = [0]
    bounds += [
        at
        for at, (player, other) in enumerate(pairwise(ranked), 1)
        if score[player.person.id] != score[other.person.id]
    ]
    bounds.append(len(ranked))
    pairs: list[tuple[Life, Life]] = []
    floating: list[Life] = []
    for low, high in pairwise(bounds):
        group = [*floating, *ranked[low:high]]
        floating = []
        while group:
            player = group.pop(0)
            other = next(
                (
                    life
                    for life in preferred_opponents(group)
                    if frozenset((player.person.id, life.person.id)) not in met
                ),
                None,
            )
            if other is None:
                floating.append(player)
                continue
            group.remove(other)
            pairs.append((player, other))
    return pairs


T = TypeVar("T")


def rotation(players: Sequence[T]) -> Iterator[list[tuple[T, T]]]:
    """Return the pairs of each round of a round robin of an even number of players; the first one stays in place."""
    circle = list(players)
    for _ in range(len(circle) - 1):
        yield [(circle[board], circle[-1 - board]) for board in range(len(circle) // 2)]
        circle = [circle[0], circle[-1], *circle[1:-1]]


def preferred_opponents(group: Sequence[T]) -> list[T]:
    """Return the players of a score group in the order in which the first of the upper half would meet them."""
    half = len(group) // 2
    return [*group[half:], *reversed(group[:half])]
