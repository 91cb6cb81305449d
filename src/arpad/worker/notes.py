"""Notes about jobs that must not be lost while the database is away for a moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from threading import Event
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from arpad.model.errors import Unreadable
from arpad.office.office import Office
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.worker.errors import Hopeless

log = logging.getLogger("arpad.worker")

NOTING_SECONDS = 60.0
"""How long a worker tries to note how far a job has come; then its lease ends, and the job is done again."""


def write_note(office: Office, write: Callable[[Connection], None]) -> None:
    """Write how far a job has come, as soon as the database can be written.

    What another site has taken cannot be taken back: without the note it would get the same again. ``write`` may be
    called again after a commit whose answer was lost.
    """
    until = monotonic() + NOTING_SECONDS
    while True:
        try:
            with office.store.unlogged_writing() as connection:
                write(connection)
        except Unreadable as error:
            if monotonic() > until:
                log.warning("a job's note could not be written: %r", error)
                raise
            Event().wait(0.2)
        else:
            return


def offered(job: Job) -> dict[str, Any]:
    """Return the payload of a job that is offered to another site once more."""
    return {**job.payload, "offered": job.payload.get("offered", 0) + 1}


def offer(office: Office, job: Job, payload: Mapping[str, Any]) -> None:
    """Note an attempt just before it; raise if another worker has the job now."""
    with office.store.unlogged_writing() as connection:
        store_progress(connection, job, payload)


def store_progress(connection: Connection, job: Job, payload: Mapping[str, Any]) -> None:
    """Store how far a job has come; raise if another worker has it now."""
    if not jobs.amend(connection, job, payload):
        raise Hopeless("job-lost", kind=job.kind)
