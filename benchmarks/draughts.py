"""A draughts season through Elo-Rubele, event after event, and how much of it could be done on columns at all.

    python benchmarks/draughts.py [--events 400] [--players 2000] [--quick]

Events of 32 players and 7 rounds, 400 in the season of a federation of 2,000: several times what a
national federation holds. Each event starts from the capitals that the last one left, so that only the games inside one
event, and events that share no player, are independent of each other; ``layers`` is how many events at least follow
one another. The last line is one JSON object.
"""

from __future__ import annotations

import json
import time
from datetime import date, timedelta
from random import Random

from sizes import read_arguments

from arpad.model.draughts import DraughtsState
from arpad.model.rules import ListName
from arpad.rating.draughts_event import DraughtsEvent, run_season
from arpad.regulations.editions import DRAUGHTS_EDITIONS
from arpad.regulations.rubele.categories import category_of
from arpad.reports.report import Entrant, Header, Report, Round

ROUNDS, SIZE = 7, 32
MIRROR = {"1": "0", "0": "1", "=": "="}


def season(events: int, players: int) -> list[DraughtsEvent]:
    rnd = Random(7)
    found = []
    for number in range(events):
        day = date(2019, 1, 5) + timedelta(days=number * 350 // events)
        entrants = tuple(
            Entrant(place + 1, f"Player {it}", id=str(it))
            for place, it in enumerate(rnd.sample(range(1, players + 1), SIZE))
        )
        rounds = []
        for _ in range(ROUNDS):
            order = rnd.sample(range(SIZE), SIZE)
            opponents, results = [0] * SIZE, [""] * SIZE
            for one, other in zip(order[::2], order[1::2], strict=True):
                result = rnd.choice("10==")
                opponents[one], opponents[other] = other + 1, one + 1
                results[one], results[other] = result, MIRROR[result]
            rounds.append(Round(tuple(opponents), " " * SIZE, "".join(results)))
        header = Header(name=f"Event {number}", first_day=day, last_day=day)
        found.append(DraughtsEvent(f"{number:05}", Report(header, entrants, tuple(rounds))))
    return found


def layers(events: list[DraughtsEvent]) -> int:
    """The longest row of events of which each has a player of the one before."""
    depth: dict[str, int] = {}
    for event in events:
        own = 1 + max(depth.get(it.id, 0) for it in event.report.entrants)
        depth |= {it.id: own for it in event.report.entrants}
    return max(depth.values())


def main() -> None:
    given = read_arguments("Measure a draughts season.", events=(400, 40, 2), players=(2_000, 500, 100))
    events, players = given.events, given.players
    rules = DRAUGHTS_EDITIONS[0].on(ListName.ITALIANA)
    rnd = Random(8)
    standings = []
    for number in range(1, players + 1):
        capital = rnd.randint(1500, 5200)
        standings.append(
            DraughtsState(f"Player {number}", capital, category_of(capital, rules), id=str(number))
        )
    made = season(events, players)
    begun = time.process_time()
    run_season(made, standings, lambda _: rules)
    spent = time.process_time() - begun
    games = events * ROUNDS * SIZE // 2
    out = {
        "events": events,
        "players": players,
        "games": games,
        "season_cpu_s": round(spent, 2),
        "ms_an_event": round(spent / events * 1e3, 2),
        "layers": layers(made),
        "games_a_layer": round(games / layers(made)),
    }
    print(json.dumps(out))


if __name__ == "__main__":
    main()
