"""A month of the made world (benchmarks/world.py) at an office, act by act: for benchmarks and for tests.

The office begins with a list of the rated players and of everybody else who plays; then the reports of a month come in,
doubtful entrants are decided to be new players, and the list of the next month is published. Any database, any month.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import world

NEXT_LIST = date(2025, 7, 1)
TEXT_KINDS = ("canonical", "txt", "xml", "csv", "sections")
"""The kinds of files that are text; XLSX and PDF are for lists that people print."""

REPORTS, REGISTER = "reports", "register.txt"
NOON = 12


def moment(list_day: date) -> Callable[[], datetime]:
    """Return a clock that shows noon, three days before a list: all events have ended, and none is late."""
    day = list_day - timedelta(days=3)
    return lambda: datetime(day.year, day.month, day.day, NOON, tzinfo=UTC)


def players_of(reports: int) -> int:
    """Return the size of the register that goes with a number of reports: 1,700,000 players for 4,000."""
    return max(1000, world.PLAYERS * reports // world.REPORTS)


def write_reports(
    folder: Path, people: world.World, indices: range, seed: int, list_day: date = world.LIST_DAY
) -> tuple[dict[str, Any], set[str]]:
    """Write the reports of a month; return what they hold, and the numbers of the entrants."""
    folder.mkdir(parents=True, exist_ok=True)
    games = size = 0
    entrants: set[str] = set()
    for index in indices:
        text, played, _ = world.report(people, index, seed, list_day)
        data = text.encode()
        (folder / f"e{index + 1:05}.trf").write_bytes(data)
        games, size = games + played, size + len(data)
        entrants.update(line[57:68].strip() for line in text.split("\r\n") if line.startswith("001"))
    facts = {"reports": len(indices), "games": games, "megabytes": round(size / 1e6, 2)}
    return facts, entrants


def write_register(path: Path, people: world.World, entrants: set[str]) -> None:
    """Write the list that the office begins with."""
    with path.open("wb") as stream:
        stream.write(world.HEADING.encode())
        world.write_lines(_known_lines(people, entrants), stream)


def write_month(folder: Path, reports: int, seed: int, players: int = 0) -> dict[str, Any]:
    """Write the reports and the register of a month; return what they hold."""
    people = world.world(players or players_of(reports), seed)
    facts, entrants = write_reports(folder / REPORTS, people, range(reports), seed)
    write_register(folder / REGISTER, people, entrants)
    return facts


def _known_lines(people: world.World, entrants: set[str]) -> Iterator[str]:
    """Yield the lines of the rated players, and of the others who play."""
    for index, line in enumerate(world.register_lines(people)):
        rated = index * world.RATED_OF % world.RATED_IN < world.RATED_OF
        if rated or line[:15].strip() in entrants:
            yield line


# --------------------------------------------------------------------------------------------------------- the acts


def begin(database: str, folder: Path) -> int:
    """Make an office that begins with the register; return the number of rows."""
    from arpad.model.rules import ListName
    from arpad.office.imports.acts import import_list
    from arpad.office.office import init

    desk = init(database, author="bench", numbers=("fide",), now=moment(NEXT_LIST))
    imported = import_list(desk, folder / REGISTER, ListName.STANDARD, world.LIST_DAY)
    desk.close()
    return imported.rows


def open_desk(database: str, list_day: date = NEXT_LIST) -> Any:
    """Open an office some days before a list."""
    from arpad.office.office import open_office

    return open_office(database, author="bench", now=moment(list_day))


def submit_reports(desk: Any, folder: Path, processes: int, *, ask: bool = False) -> dict[str, int]:
    """Submit every report of a folder, and accept those without errors and doubts; with ``ask`` also those in doubt."""
    from arpad.office.inbox.incoming_files import IncomingFiles
    from arpad.office.inbox.results import Submitted
    from arpad.office.inbox.submit import submit_many

    with IncomingFiles([folder]) as files:
        results = list(
            submit_many(desk, files, accept=True, ask=decide_doubts if ask else None, processes=processes)
        )
    submitted = [result for result in results if isinstance(result, Submitted)]
    return {
        "on_file": len(submitted),
        "accepted": sum(result.accepted is not None for result in submitted),
        "findings": sum(len(result.findings_json) for result in submitted),
    }


def accept_rest(desk: Any, processes: int) -> dict[str, int]:
    """Accept the other reports: a doubtful entrant is the player of the same name and birth, else a new one."""
    from arpad.office.inbox.accept import accept_many, waiting_reports
    from arpad.office.inbox.results import NotAccepted

    waiting = waiting_reports(desk, processes)
    decided = decide_doubts(waiting.doubts)
    results = list(accept_many(desk, matches=decided, waiting=waiting, processes=processes))
    left = sum(isinstance(result, NotAccepted) for result in results)
    return {"decided": len(decided), "accepted": len(results) - left, "left": left}


def draft_list(desk: Any, list_day: date = NEXT_LIST) -> None:
    """Draft the list of a day."""
    from arpad.model.rules import ListName
    from arpad.office.drafts.acts import draft

    draft(desk, ListName.STANDARD, list_day)


def publish_list(desk: Any, out: Path | None, list_day: date = NEXT_LIST) -> Any:
    """Publish the list of a day, with its bundle and its text files if a folder is given."""
    from arpad.model.rules import ListName
    from arpad.office.drafts.publish import publish

    return publish(desk, ListName.STANDARD, list_day, out, kinds=TEXT_KINDS)


def decide_doubts(doubts: Any) -> dict[int, dict[int, int]]:
    """Decide who the doubtful entrants of reports are."""
    return {
        report: {match.entrant.number: _same_person(match.candidates) for match in matches}
        for report, matches in doubts.items()
    }


def _same_person(candidates: Any) -> int:
    """Return the candidate of the same name and birth, or 0 for a new player."""
    agreeing = [item.player for item in candidates if {"same-name", "same-birth-year"} <= {*item.reasons}]
    return agreeing[0] if len(agreeing) == 1 else 0
