"""How fast the events of a federation are rated again under each rating system, one after the other as in a chain.

    python benchmarks/systems.py [--events 20000] [--players 4000] [--quick]

The events are made up: ten pairings in each of five rounds, so 20,000 of them have a million games. The chain is
computed from its start, then again from a late event of its last month. The last line is one JSON object.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from sizes import read_arguments

from arpad.lists.chain import rate_again, rate_chain
from arpad.regulations.rating_system import Driver
from arpad.regulations.systems import FOLDERS, system_named
from arpad.regulations.units import Entrant, Game, Unit

FIELD, ROUNDS = 20, 5
DAYS, MONTH = (date(2015, 6, 1), date(2026, 10, 31)), timedelta(days=31)
SCORES = (Fraction(0), Fraction(1, 2), Fraction(1))
PERSONS: dict[str, Any] = {
    "dwz": {"rating": 1500, "index": 6, "born": 1980},
    "fide": {"rating": 1500, "games": 40, "born": date(1980, 1, 1)},
    "glicko2": {},
    "icu": {"rating": 1500, "games": 40, "born": date(1980, 1, 1), "joined": date(2010, 1, 1)},
    "rubele": {"rating": 1500},
    "uschess": {"rating": Fraction(1500), "games": 40, "born": date(1980, 1, 1)},
}
"""What is known of everybody before the first event; other systems begin with newcomers."""


def made_events(events: int, players: int) -> Iterator[tuple[list[str], tuple[Game, ...], date]]:
    """Yield the players, the games and the last day of made-up events."""
    draw = random.Random(1)
    strength = [draw.gauss(1500, 250) for _ in range(players)]
    step = (DAYS[1] - DAYS[0]) / events
    for number in range(events):
        field = draw.sample(range(players), FIELD)
        games = []
        for round_number in range(1, ROUNDS + 1):
            draw.shuffle(field)
            for white, black in zip(field[::2], field[1::2], strict=True):
                share = 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400)) + draw.uniform(-0.6, 0.6)
                score = SCORES[0 if share < 0.4 else 2 if share > 0.6 else 1]
                games.append(Game(str(white), str(black), score, round_number))
        yield [str(player) for player in field], tuple(games), DAYS[0] + timedelta(days=(step * number).days)


def measured(name: str, events: int, players: int) -> tuple[float, float]:
    """Return the processor time in which a chain is rated from its start, and again from its last month."""
    system = system_named(name)
    person = system.parse({"fixed": False, **PERSONS.get(name, {})}, "person")
    start = {} if person.state is None else {str(number): person.state for number in range(players)}
    newcomer: Entrant[Any] = Entrant(None, facts=person.facts)
    units = [
        Unit(entrants=dict.fromkeys(field, newcomer), games=games, first_day=day, last_day=day, number=number)
        for number, (field, games, day) in enumerate(made_events(events, players))
    ]
    begun = time.process_time()
    chain = rate_chain(system, units, start)
    whole = time.process_time() - begun
    last_month = [unit for unit in units if unit.last_day and DAYS[1] - unit.last_day <= MONTH]
    late = (last_month or units[-1:])[0]
    begun = time.process_time()
    rate_again(system, units, chain, system.order(late))
    return whole, time.process_time() - begun


def main() -> None:
    given = read_arguments(__doc__ or "", events=(20_000, 1_000, 5), players=(4_000, 400, 40))
    figures: dict[str, float] = {}
    for name in FOLDERS:
        seconds, month = measured(name, given.events, given.players)
        kind = "events" if system_named(name).driver is Driver.CHAIN else "periods"
        speed = f"{given.events / seconds:.0f} a second"
        print(f"{name}: {given.events} {kind} in {seconds:.1f} s, {speed}; the last month in {month:.2f} s")
        figures |= {f"{name}_s": round(seconds, 2), f"{name}_month_s": round(month, 3)}
        figures[f"{name}_ms"] = round(1000 * seconds / given.events, 3)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
