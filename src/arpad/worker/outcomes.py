"""How jobs end: their errors as the queue stores them, and notes of how far they have come.

An error is a code with its facts, so that each reader gets their language.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from threading import Event
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.office.office import Office
from arpad.store import jobs
from arpad.store.jobs import Job

log = logging.getLogger("arpad.worker")

NOTING_SECONDS = 60.0
"""How long a worker tries to note how far a job has come; then its lease ends, and the job is done again."""


class Hopeless(BadInput):
    """An error that another attempt would not mend: the job is given up at once."""


def error_text(error: Exception) -> str:
    """Return an error for the queue."""
    if not isinstance(error, ArpadError):
        what = f"{type(error).__name__}: {error}".split("\n", 1)[0][:300]
        return error_text(BadInput("job-fault", what=what))
    return json.dumps({"code": error.code, "facts": error.facts}, default=str, ensure_ascii=False)


def error_sentence(text: str, words: Words) -> str:
    """Return an error of the queue in words; empty if there is none."""
    if not text:
        return ""
    try:
        document: dict[str, Any] = json.loads(text)
        return words.error(BadInput(document["code"], **document["facts"]))
    except (ValueError, KeyError, TypeError):  # cut off, or of another version
        return text


def write_note(office: Office, write: Callable[[Connection], None]) -> None:
    """Write how far a job has come, as soon as the database can be written.

    Another site would get the same again if the note were lost. ``write`` may be called again after a commit whose
    answer was lost.
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


def amend_job(connection: Connection, job: Job, payload: Mapping[str, Any]) -> None:
    """Store the payload of a job that has come so far; raise if another worker has it now."""
    if not jobs.amend(connection, job, payload):
        raise Hopeless("job-lost", kind=job.kind)
