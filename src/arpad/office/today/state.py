"""How the office is: whether its worker runs, its mails go out, it has backups that serve, and room on its disk."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.office.backup.acts import newest_backup
from arpad.office.mails import mail_is_set_up
from arpad.office.office import Office, local_moment, today
from arpad.store.accounts import MAIL
from arpad.store.database import Store
from arpad.store.jobs import JobState, all_jobs, counts
from arpad.worker.kinds import BACKUPS, REHEARSE

LATE = timedelta(minutes=5)
"""A job that is due for longer has no worker."""

OLD_DAYS = 2
"""A nightly backup that is older is missing."""

LEAST_FREE = 0.1
"""Less of the disk than this must be free."""

GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class PartOfState:
    """One part of an office and how it is."""

    part: str
    """``worker``, ``mail``, ``backup``, ``rehearsal`` or ``disk``."""

    state: str
    is_well: bool
    sentence: str


def state_of_office(office: Office, words: Words) -> list[PartOfState]:
    """Return whether the worker runs, mails go out, there are backups that serve, and the disk has room."""
    with office.store.reading() as connection:
        found = (
            _worker(connection, words), _mail(connection),
            *_backups(connection, today(office, connection)), *_disk(office.store),
        )  # fmt: skip
    return [
        PartOfState(part, state, is_well, words.text(f"state.{part}-{state}", **facts))
        for part, state, is_well, facts in found
    ]


_Found = tuple[str, str, bool, dict[str, str | int | date]]
"""A part, how it is, whether that is well, and the facts of its sentence."""


def _worker(connection: Connection, words: Words) -> _Found:
    """Return whether the jobs of the queue are done."""
    now = datetime.now(UTC)
    jobs = all_jobs(connection, most=10_000)
    late = [job.due for job in jobs if job.state == JobState.WAITING and job.due < now - LATE]
    if late:
        since = local_moment(connection, min(late))
        return "worker", "late", False, {"jobs": len(late), "since": words.moment(since)}
    worked = [job.changed for job in jobs if job.attempts or job.state != JobState.WAITING]
    if not worked:
        return "worker", "never", False, {}
    return "worker", "works", True, {"at": words.moment(local_moment(connection, max(worked)))}


def _mail(connection: Connection) -> _Found:
    of_state = {state: n for (kind, state), n in counts(connection).items() if kind == MAIL}
    if not mail_is_set_up(connection):
        return "mail", "off", False, {}
    if failed := of_state.get(JobState.FAILED, 0):
        return "mail", "failed", False, {"mails": failed}
    if waiting := of_state.get(JobState.WAITING, 0):
        return "mail", "waits", True, {"mails": waiting}
    return "mail", "sent", True, {}


def _backups(connection: Connection, day: date) -> Iterator[_Found]:
    """Yield how the nightly backups are, and whether the newest one was rehearsed."""
    folder = os.environ.get(BACKUPS, "")
    if not folder:
        yield "backup", "off", False, {}
        return
    newest = newest_backup(folder)
    if newest is None:
        yield "backup", "none", False, {}
        return
    is_new = day - newest <= timedelta(days=OLD_DAYS)
    yield "backup", "done" if is_new else "old", is_new, {"day": newest}
    if not os.environ.get(REHEARSE):
        yield "rehearsal", "off", False, {}
        return
    if any(job.error for job in all_jobs(connection, ["rehearse"])):
        yield "rehearsal", "failed", False, {}
    elif rehearsed := last_rehearsal(connection):
        yield "rehearsal", "done", True, {"day": rehearsed}
    else:
        yield "rehearsal", "none", True, {}


def last_rehearsal(connection: Connection) -> date | None:
    """Return the day on which a backup was rehearsed last, and served."""
    days = (str(job.payload.get("rehearsed", "")) for job in all_jobs(connection, ["rehearse"]))
    return next((date.fromisoformat(day) for day in days if day), None)


def _disk(store: Store) -> Iterator[_Found]:
    """Yield the room on the disk of the database, or of the backups if another machine has the database."""
    database = store.engine.url
    is_here = database.get_backend_name() == "sqlite" and database.database
    folder = Path(str(database.database)).parent if is_here else Path(os.environ.get(BACKUPS, ""))
    if not is_here and not os.environ.get(BACKUPS):
        return
    disk = shutil.disk_usage(folder)
    is_well = disk.free > disk.total * LEAST_FREE
    facts: dict[str, str | int | date] = {"free": disk.free // GIGABYTE, "total": disk.total // GIGABYTE}
    yield "disk", "room" if is_well else "full", is_well, facts
