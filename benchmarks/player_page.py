"""Measure the page of a player with 20 years of monthly lists beside one of a player with one year.

    python benchmarks/player_page.py [--months 240] [--players 14000] [--reports 20] [--asked 200] [--keep DIR]
                                     [--quick]

The office is built by benchmarks/office_years.py (20 years continue its 15). The site runs as one process on 127.0.0.1
and is asked by another (benchmarks/load.py), one question at a time:

    cold    every player once, so that no page comes from the site's memory
    warm    the same players again and again
    floor   /robots.txt, the plainest answer of the same server

Old players are on all lists and played in many of the years; new players came to the lists in the last year. Two
servers are asked in turn, the second in the opposite order, and the better of the two counts. Goals: ``page_p99_ms``,
the 99th percentile of the old players' first visits, below 50 ms, and ``page``, their median divided by that of new
players, at most 1.1, since two medians of the same work also differ. ``old_processor_ms`` is the server's processor
time for a first visit, which a busy machine disturbs less. The last line is one JSON object; times are in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import made_month
import office_years
import site_servers
from sizes import folder_for, parser_with_folder, read_arguments

YEAR, MONTHS = 12, 240
PLAIN = "/robots.txt"


def chosen_players(database: Path, months: int, asked: int) -> tuple[list[int], list[int]]:
    """Return players of all years, those whose rating changed in most of them first, and players of the last year."""
    from arpad.model.rules import ListName
    from arpad.office.lists.history_rows import ratings
    from arpad.office.lists.in_force import list_on_day

    days = office_years.list_days(months)
    ends = days[YEAR - 1 :: YEAR] or days[-1:]
    with closing(made_month.open_desk(str(database))) as desk, desk.store.reading() as connection:
        lists = [list_on_day(connection, ListName.STANDARD, day) for day in (days[0], *ends)]
        by_year = [ratings(connection, publication.id) for publication in lists]
    changes: dict[int, int] = {}
    for earlier, later in pairwise(by_year):
        for player, rating in later.items():
            if player in by_year[0]:
                changes[player] = changes.get(player, 0) + (earlier.get(player) != rating)
    old = sorted(changes, key=lambda player: (-changes[player], player))
    new = sorted(by_year[-1].keys() - by_year[-2].keys())
    return old[:asked], new[:asked]


def visit(database: Path, groups: dict[str, list[int]], seconds: float) -> dict[str, dict[str, Any]]:
    """Start a server, and ask for every page first cold, then warm; return the figures of each group."""
    port = site_servers.free_port()
    serve = [sys.executable, "-m", "arpad", "serve", "--db", str(database), "--port", str(port)]
    addresses = {name: [f"/players/{player}" for player in players] for name, players in groups.items()}
    figures: dict[str, dict[str, Any]] = {}
    with site_servers.serving(serve, port) as (pid, _):
        first = site_servers.first_request(port, addresses["new"].pop())  # modules and templates are loaded
        for name, pages in addresses.items():
            before = site_servers.processor_seconds(pid)
            figures[f"{name}_cold"] = site_servers.load(port, 1, 600, pages, "once")
            worked = site_servers.processor_seconds(pid) - before
            figures[f"{name}_cold"]["processor_ms"] = round(1000 * worked / len(pages), 1)
        for name, pages in addresses.items():
            figures[f"{name}_warm"] = site_servers.load(port, 1, seconds, pages)
        figures["floor"] = site_servers.load(port, 1, seconds, [PLAIN])
    figures["floor"]["first"] = first
    return figures


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Ask two servers, each group first once; return the better figures."""
    database = office_years.build(folder, given.months, given.players, given.reports)
    old, new = chosen_players(database, given.months, given.asked)
    orders = [{"old": old, "new": new}, {"new": new, "old": old}][: given.servers]
    rounds = [visit(database, groups, given.seconds) for groups in orders]
    best = {name: min((each[name] for each in rounds), key=lambda load: load["p99"]) for name in rounds[0]}
    medians = {name: min(each[name]["p50"] for each in rounds) for name in rounds[0]}
    return {
        "lists": given.months,
        "old_players": len(old),
        "new_players": len(new) - 1,
        **{f"{name}_p50_ms": medians[name] for name in best},
        **{f"{name}_p99_ms": best[name]["p99"] for name in best},
        "statuses": {name: load["statuses"] for name, load in best.items()},
        "old_processor_ms": min(each["old_cold"]["processor_ms"] for each in rounds),
        "new_processor_ms": min(each["new_cold"]["processor_ms"] for each in rounds),
        "page_p99_ms": best["old_cold"]["p99"],
        "page": round(medians["old_cold"] / medians["new_cold"], 2),
        "page_floor": round(medians["old_cold"] / medians["floor"], 2),
    }


def main() -> None:
    given = read_arguments(
        "Measure the page of a player with a long history; the players are those of the first list, the reports those "
        "of each month, the asked ones those of each group.",
        parser_with_folder(),
        months=(MONTHS, 2 * YEAR, 2), players=(office_years.PLAYERS, 1_000, 300), reports=(office_years.REPORTS, 2, 4),
        asked=(200, 20, 2), seconds=(3.0, 3.0, 0.05), servers=(2, 2, 1),
    )  # fmt: skip
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
