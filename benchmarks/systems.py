"""How fast the events of a federation are rated again under each rating system, one after the other as in a chain.

    python benchmarks/systems.py [--events 20000] [--players 4000] [--quick]

The events are made up: ten pairings in each of five rounds, so 20,000 of them have a million games. They are rated
without derivations, as a chain is that is computed again from its start. The last line is one JSON object.
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

from arpad.regulations.rating_system import Driver, Entrant, Game, Unit
from arpad.regulations.systems import FOLDERS, edition_of, rate_briefly, system_named

FIELD, ROUNDS = 20, 5
DAYS = (date(2015, 6, 1), date(2026, 10, 31))
SCORES = (Fraction(0), Fraction(1, 2), Fraction(1))
PERSONS: dict[str, Any] = {
    "dwz": {"rating": 1500, "index": 6, "born": 1980},
    "glicko2": {},
    "icu": {"rating": 1500, "games": 40, "born": date(1980, 1, 1), "joined": date(2010, 1, 1)},
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


def seconds_of(name: str, events: int, players: int) -> float:
    """Return the processor time in which a system rates the events."""
    system = system_named(name)
    entrants: dict[str, Entrant[Any]] = {}
    spent = 0.0
    for number, (field, games, day) in enumerate(made_events(events, players)):
        start = time.process_time()
        for player in field:
            if player not in entrants:
                entrants[player] = system.parse({"fixed": False, **PERSONS.get(name, {})}, player)
        unit = Unit(
            entrants={player: entrants[player] for player in field}, games=games, last_day=day, number=number
        )
        outcome = rate_briefly(system, unit, edition_of(system, unit).rules)
        for player, rated in outcome.players.items():
            known = entrants[player]
            entrants[player] = Entrant(rated.after, known.fixed, known.facts)
        spent += time.process_time() - start
    return spent


def main() -> None:
    given = read_arguments(__doc__ or "", events=(20_000, 1_000, 5), players=(4_000, 400, 40))
    figures: dict[str, float] = {}
    for name in FOLDERS:
        seconds = seconds_of(name, given.events, given.players)
        kind = "events" if system_named(name).driver is Driver.CHAIN else "periods"
        print(f"{name}: {given.events} {kind} in {seconds:.1f} s, {given.events / seconds:.0f} a second")
        figures[f"{name}_s"] = round(seconds, 2)
        figures[f"{name}_ms"] = round(1000 * seconds / given.events, 3)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
