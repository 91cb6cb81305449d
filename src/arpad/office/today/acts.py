"""What is to be done today, for the desk, the command and programs: one answer, the most urgent first."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from arpad.model.canonical_json import load
from arpad.model.json_values import to_finding
from arpad.model.rules import ListName, Severity
from arpad.office.backup.acts import newest_backup
from arpad.office.corrections.affected_lists import affected_lists
from arpad.office.declared import Reading, query
from arpad.office.drafts.procedures import NextList, next_lists
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.parts import days_due, near_deadlines
from arpad.office.reports.page_rows import reports_page
from arpad.office.reports.rows import Filed
from arpad.office.today.state import last_rehearsal
from arpad.office.users import officer
from arpad.store.jobs import JobState, counts
from arpad.worker.kinds import BACKUPS

DAYS_AHEAD = 14
"""Deadlines within so many days are shown."""

MOST_READ = 200
MOST = 12
"""So many reports, and so many deadlines, are shown."""


@dataclass(frozen=True, slots=True)
class ReportToDecide:
    """A report that waits for a decision."""

    report: int
    name: str
    list: ListName
    players: int
    errors: int
    doubts: int
    """Entrants of whom nobody knows who they are."""

    age: int
    due: date | None = None
    """The day by which it must be with FIDE."""


@dataclass(frozen=True, slots=True)
class NearDeadline:
    """A deadline of a registered tournament that is over or near."""

    tournament: int
    name: str
    what: str
    day: date
    left: int


@dataclass(frozen=True, slots=True)
class DueCorrection:
    """Published lists whose basis has changed since."""

    list: ListName
    first: date
    lists: int
    cause: str


@dataclass(frozen=True, slots=True)
class Today:
    """What is to be done today."""

    day: date
    lists: tuple[NextList, ...]
    reports: tuple[ReportToDecide, ...]
    more_reports: int
    """How many reports wait beside these, or somewhat more if there are hundreds."""

    deadlines: tuple[NearDeadline, ...]
    corrections: tuple[DueCorrection, ...]
    failed: Mapping[str, int]
    """Jobs that were given up, by kind: mails that could not be sent."""

    backup: date | None = None
    """The day of the newest backup; None if there is none, or no folder for backups."""

    rehearsal: date | None = None
    """The day on which a backup was rehearsed last, and served."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done."""
        return not (self.reports or self.deadlines or self.corrections or self.failed)


@query("today", officer("register"), path="/desk/today")
def what_is_to_do(reading: Reading) -> Today:
    """Say what is to be done today, as far as the officer may do it."""
    connection, day, caller = reading.connection, reading.today, reading.caller
    is_bound = not (caller.owner or caller.officer_of(""))
    federations = {it.federation for it in caller.user.grants} if is_bound and caller.user else {""}
    page = reports_page(
        connection, 1, MOST_READ, author="" if is_bound else None, federations=federations, waiting=True
    )
    waiting = [filed for filed, _ in page.reports]
    due = days_due(connection, waiting)
    rows = sorted(
        (_to_decide(filed, due.get(filed.id), day) for filed in waiting),
        key=lambda it: (not it.errors, it.due or date.max, -it.age),
    )
    return Today(
        day,
        () if is_bound else next_lists(connection, day),
        tuple(rows[:MOST]),
        max(len(rows) - MOST, 0) + (page.pages - 1) * MOST_READ,
        _deadlines(reading)[:MOST],
        () if is_bound else tuple(
            DueCorrection(it.list, it.first, it.lists, it.cause) for it in affected_lists(connection)
        ),
        {} if is_bound else _failed(reading),
        None if is_bound else newest_backup(os.environ.get(BACKUPS, "")),
        None if is_bound else last_rehearsal(connection),
    )  # fmt: skip


def _to_decide(filed: Filed, due: date | None, day: date) -> ReportToDecide:
    findings = [to_finding(it) for it in load(filed.findings)]
    doubts = sum(it.code in DOUBTS for it in findings)
    errors = sum(it.severity == Severity.ERROR and it.code not in DOUBTS for it in findings)
    age = (day - filed.received).days
    return ReportToDecide(
        filed.id, filed.name or filed.file, filed.list, filed.players, errors, doubts, age, due
    )


def _deadlines(reading: Reading) -> tuple[NearDeadline, ...]:
    """Return the first open deadline of each registered tournament of the officer's federation.

    Overdue ones come first, then the nearest.
    """
    day = reading.today
    first: dict[int, NearDeadline] = {}
    for number, name, federation, what, until in near_deadlines(reading.connection, day, DAYS_AHEAD):
        if reading.caller.officer_of(federation):
            first.setdefault(number, NearDeadline(number, name, what, until, (until - day).days))
    return tuple(sorted(first.values(), key=lambda it: (it.left >= 0, abs(it.left))))


def _failed(reading: Reading) -> dict[str, int]:
    """Return the jobs that were given up, by kind."""
    return {kind: n for (kind, state), n in counts(reading.connection).items() if state == JobState.FAILED}
