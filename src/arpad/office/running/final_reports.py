"""The final report of a tournament in progress: of the same name and first day, or with the same games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.model import names
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, RECEIVED
from arpad.office.running.rows import RunningTournament, all_running, set_report
from arpad.reports.duplicates import overlapping_reports

FINAL = (RECEIVED, ACCEPTED)
"""The statuses of a report that ends a tournament in progress; one that was returned or withdrawn does not."""


class FiledEvent(NamedTuple):
    """The facts that tell of which event a report on file is."""

    name: str
    first_day: str
    last_day: str
    marks: bytes


def finished_by(running: Iterable[RunningTournament], event: FiledEvent) -> list[str]:
    """Return the names of the tournaments in progress of which a report is."""
    return [tournament.name for tournament in running if _is_same(tournament, event)]


def _is_same(tournament: RunningTournament, event: FiledEvent) -> bool:
    same_day = tournament.first_day == event.first_day
    if same_day and names.key(tournament.title) == names.key(event.name):
        return True
    stored = [(0, event.marks, event.first_day, event.last_day)]
    return bool(overlapping_reports(stored, tournament.marks, tournament.first_day, tournament.last_day))


def final_on_file(connection: Connection, tournament: RunningTournament) -> Filed | None:
    """Return the final report of a tournament, if one is on file."""
    days = tournament.first_day, tournament.last_day
    on_days: Sequence[tuple[int, bytes, str, str]] = list(rows.overlapping_reports(connection, *days))
    filed = rows.filed(connection, [number for number, *_ in on_days])
    final = [
        filed[number]
        for number, marks, *reported in on_days
        if filed[number].status in FINAL
        and finished_by([tournament], FiledEvent(filed[number].name, reported[0], reported[1], marks))
    ]
    return max(final, key=lambda report: report.id, default=None)


def expected_reports(connection: Connection) -> Callable[[Any, int], None]:
    """Return the function that takes a new report and its number, and stores it with the tournaments it ends."""
    running = all_running(connection)

    def take(prepared: Any, number: int) -> None:
        event = FiledEvent(prepared.name, prepared.first_day, prepared.last_day, prepared.marks)
        if finished := finished_by(running, event):
            set_report(connection, finished, number)

    return take
