"""A made federation of three years under each rating system: its events, its newcomers and guests, and its lists."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from arpad.lists.system_list import SystemInputs
from arpad.lists.system_units import state_text
from arpad.model.people import Person
from arpad.regulations.rating_system import Driver, System
from arpad.regulations.systems import system_named
from arpad.regulations.units import Entrant, Game, Unit

PLAYERS, ROUNDS, EVENTS = 30, 7, 48
BEGINS = {
    "icu": date(2012, 1, 7),  # over all four versions
    "dwz": date(2014, 9, 6),  # over the special rating of 2016
    "uschess": date(2021, 3, 6),  # over two thresholds of the bonus
    "glicko2": date(2024, 1, 6),
    "fide": date(2022, 6, 4),  # over the list that raised ratings
    "rubele": date(2019, 3, 2),  # over three years' ends and the change of 2021
}
STATES: dict[str, dict[str, Any]] = {
    "icu": {"games": 40},
    "dwz": {"index": 4},
    "uschess": {"games": 40, "wins": 18, "draws": 4, "losses": 18, "events": 10, "peak": 1700},
    "glicko2": {"rd": "80.5", "volatility": "0.06"},
    "fide": {"games": 40},
    "rubele": {"category": "regionale", "last_event": date(2018, 5, 6)},
}
FACTS: dict[str, dict[str, Any]] = {
    "icu": {"born": date(1998, 5, 1), "joined": date(2006, 9, 1)},
    "dwz": {"born": 1996},
    "uschess": {"born": date(2004, 5, 1)},
    "glicko2": {},
    "fide": {"born": date(1996, 5, 1)},
    "rubele": {},
}


@dataclass(frozen=True)
class World:
    """A federation: who it knows from the start, and what is played."""

    system: System[Any, Any]
    start: dict[int, str]
    units: tuple[Unit[Any], ...]
    people: dict[int, Person]

    def inputs(self, day: date, **changed: Any) -> SystemInputs:
        """Return the inputs of the list of a day."""
        units = tuple(unit for unit in self.units if unit.last_day and unit.last_day <= day)
        periods: tuple[date, ...] = ()
        if self.system.driver is Driver.PERIOD:
            first = BEGINS[self.system.id]
            ends = [first + timedelta(days=91 * number) for number in range(1, 14)]
            periods = tuple(end for end in ends if end <= day)
            units = tuple(unit for unit in units if unit.last_day and unit.last_day <= periods[-1])
        given: dict[str, Any] = {
            "on_list": "national", "day": day, "number": 1, "system": self.system.id, "start": self.start,
            "units": units, "periods": periods, "people": self.people,
        }  # fmt: skip
        return SystemInputs(**{**given, **changed})


def made_world(name: str, seed: int = 44, *, guests: bool = True) -> World:
    """Return the federation of a system: half of its players are newcomers, and some events may have a guest."""
    system, chance = system_named(name), random.Random(seed)  # noqa: S311  made-up events
    strength = {number: chance.gauss(1600, 220) for number in range(1, PLAYERS + 1)}
    people = {number: Person(number, f"Player {number}", "IRL", born=1996) for number in strength}
    start = {}
    for number in range(1, PLAYERS // 2):
        values = {"fixed": False, "rating": round(strength[number]), **STATES[name]}
        values = {it.name: it.read(values[it.name], it.name) for it in system.fields if it.name in values}
        start[number] = state_text(system, system.parse({"fixed": False, **values}, "").state)
    units = [_event(system, chance, strength, number, guests=guests) for number in range(EVENTS)]
    return World(system, start, tuple(units), people)


def _event(
    system: System[Any, Any], chance: random.Random, strength: dict[int, float], number: int, *, guests: bool
) -> Unit[Any]:
    """Return an event of eight to twelve players and perhaps a guest, who is paired as everybody else."""
    known = min(PLAYERS, PLAYERS // 2 + number // 2)
    field = [str(player) for player in sorted(chance.sample(range(1, known + 1), chance.randint(8, 12)))]
    facts = FACTS[system.id]
    entrants: dict[str, Entrant[Any]] = {name: Entrant(None, facts=facts) for name in field}
    strengths = {name: strength[int(name)] for name in field}
    if guests and number % 3 == 0:
        rating = chance.randint(1400, 2300)
        values = {it.name: it.read(1, it.name) for it in system.fields if it.name in {"rd", "games"}}
        field.append(f"{900 + number}")
        rated = next(it for it in system.fields if it.name == "rating").read(rating, "rating")
        entrants[field[-1]] = system.parse({**values, "rating": rated, "fixed": True}, "guest")
        strengths[field[-1]] = rating
    games = []
    for played in range(1, ROUNDS + 1):
        chance.shuffle(field)
        for one, other in zip(field[::2], field[1::2], strict=False):
            share = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400)) + chance.uniform(-0.5, 0.5)
            score = Fraction(0 if share < 0.4 else 2 if share > 0.6 else 1, 2)
            games.append(Game(one, other, score, played))
    day = BEGINS[system.id] + timedelta(days=23 * number)
    return Unit(
        entrants=entrants,
        games=tuple(games),
        first_day=day,
        last_day=day + timedelta(days=2),
        name=f"Event {number}",
        number=number,
    )
