"""A month of reports through both paths of the period, from reports already read to standings; they must be equal.

    python benchmarks/period.py [--scale 0.1] [--quick]

The reports are those of the made world (benchmarks/world.py) at the given scale: with unrated players, byes,
forfeits, round robins and teams. The last line is one JSON object.
"""

from __future__ import annotations

import json
import time
from datetime import date
from typing import Any

import world
from sizes import read_arguments

from arpad.lists import engine, period
from arpad.lists.engine.next_list import finish_list
from arpad.lists.engine.sums import sum_events
from arpad.lists.period import Event, RegisterFacts
from arpad.model.chess import PlayerState
from arpad.model.people import Birth
from arpad.model.rules import ListName
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.reports.formats import read_report
from arpad.reports.report import Entrant

NEXT = date(2025, 7, 1)
NEWCOMERS = 1_000_000_000
"""Players who are not in the register get numbers from here."""


def month(scale: float) -> tuple[dict[int, PlayerState], list[Event], dict[int, Birth]]:
    """Everybody rated, and the month's events as an office would hand them over."""
    players, reports = max(1000, int(world.PLAYERS * scale)), max(1, int(world.REPORTS * scale))
    made = world.world(players, 1)
    born: dict[int, Birth] = {}
    standings = {}
    for place in range(players):
        player = made.player(place)
        born[player.number] = player.born
        if player.rating:
            standings[player.number] = PlayerState(
                player.number, player.rating, player.games, player.rating, player.k, last_list=world.LIST_DAY
            )
    events, fresh = [], NEWCOMERS
    for index in range(reports):
        text, _, _ = world.report(made, index, 1)
        report = read_report(text.encode())
        numbers = []
        for entrant in report.entrants:
            fresh += 1
            numbers.append(_number(entrant, fresh))
        edition = in_force(CHESS_EDITIONS, ListName.STANDARD, report.header.first_day or date.min)
        events.append(Event(f"e{index:05}", report, tuple(numbers), edition))
    return standings, events, born


def _number(entrant: Entrant, fresh: int) -> int:
    return int(entrant.id) if entrant.id.isdigit() else fresh


def main() -> None:
    given = read_arguments("Measure both paths of the period.", scale=(0.1, 0.01, 0.0001))
    standings, events, born = month(given.scale)
    ratings = {player: standing.rating for player, standing in standings.items()}
    edition = in_force(CHESS_EDITIONS, ListName.STANDARD, NEXT)
    inputs = (ListName.STANDARD, NEXT, world.LIST_DAY, standings, events)
    known = RegisterFacts(born=born)

    def rating(player: int, day: date) -> int | None:  # noqa: ARG001  one list is in force all month
        return ratings.get(player)

    begun = time.perf_counter()
    readable = period.close(*inputs, rating, edition, register=known)
    between = time.perf_counter()
    columns = engine.close(
        engine.period_context(*inputs, rating, edition, register=known), inputs[3], inputs[4]
    )
    whole = time.perf_counter() - between
    context = engine.period_context(*inputs, rating, edition, register=known)
    start = time.perf_counter()
    part = sum_events(events, context)
    summed = time.perf_counter()
    finish_list(part, context)
    finished = time.perf_counter()
    games = sum(
        sum(cells.results.count(letter) for letter in "1=0") for it in events for cells in it.report.rounds
    )
    out: dict[str, Any] = {
        "reports": len(events),
        "games": games // 2,
        "players": len(readable.standings),
        "counted_one_by_one": len(part.readable),
        "readable_s": round(between - begun, 3),
        "engine_s": round(whole, 3),
        "engine_sums_s": round(summed - start, 3),
        "engine_finish_s": round(finished - summed, 3),
        "equal": columns == readable.standings,
    }
    print(json.dumps(out))


if __name__ == "__main__":
    main()
