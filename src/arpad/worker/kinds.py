"""The kinds of jobs: for each the function that does it, loaded when the first such job is claimed.

The function gets the office and the job. It may be called again for the same job, since a worker can be killed between
its last line and the note that the job is done. It must not wait for the network inside a writing transaction.
"""

import json
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from importlib import import_module
from threading import Event
from time import monotonic
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.office.features import FEATURES
from arpad.office.office import Office
from arpad.office.switches import features_off
from arpad.store import jobs
from arpad.store.jobs import Job

Work: TypeAlias = Callable[[Office, Job], None]

BACKUPS = "ARPAD_BACKUPS"
"""The environment variable with the folder for nightly backups; without it there are none."""

REHEARSE = "ARPAD_REHEARSE"
"""The environment variable with the day of the week on which the newest backup is rehearsed; without it, never."""

OPEN_DATA = "ARPAD_OPEN_DATA"
"""The environment variable with the folder for open data; without it the worker writes none and the site shows none."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How jobs of a kind are done."""

    target: str
    """Module and function below ``arpad``."""

    lane: str
    """Jobs of a lane are done one after the other, those of two lanes at the same time: a mail server that hangs
    delays no list."""

    nightly: time | None = None
    """If set, there is one such job, and it is due every night at this time of the federation."""

    needs: str = ""
    """An environment variable without which a worker leaves such jobs to others."""

    feature: str | None = None
    """The feature of such jobs, if it is not the one of the target; empty if they are of several."""

    @property
    def of(self) -> str:
        """The feature of such jobs; empty if they are of none."""
        if self.feature is not None:
            return self.feature
        part, name, *_ = self.target.split(".")
        return name if part == "office" else ""


KINDS: dict[str, Kind] = {
    "changes": Kind("office.webhooks.worker.read_changes", "changes", feature=""),
    "webhook": Kind("office.webhooks.worker.deliver", "webhooks"),
    "notices": Kind("office.webhooks.worker.send_notices", "changes", feature="notices"),
    "forget-follows": Kind("office.webhooks.worker.forget_follows", "night", time(1, 45), feature="notices"),
    "forget-webhooks": Kind("office.webhooks.worker.forget_log", "night", time(1, 40)),
    "live": Kind("office.live.acts.keep_live_lists", "live"),
    "live-received": Kind("office.live.acts.keep_live_lists", "live-received"),
    "mail": Kind("office.mail.worker.send_mail", "mail"),
    "password-link": Kind("office.accounts.sessions.queue_links", "accounts"),
    "deadline-mails": Kind("office.registrations.acts.queue_deadlines", "night", time(6)),
    "forget-jobs": Kind("worker.nightly.forget_jobs", "night", time(1, 30)),
    "checkpoint": Kind("worker.nightly.sign_ledger", "night", time(1, 50)),
    "verify": Kind("worker.nightly.verify_office", "night", time(2)),
    "open-data": Kind("office.open_data.acts.keep_open_data", "open-data", time(4), needs=OPEN_DATA),
    "backup": Kind("worker.nightly.back_up", "night", time(3), needs=BACKUPS),
    "rehearse": Kind("worker.nightly.rehearse_backup", "night", time(4), needs=REHEARSE),
}


def lanes(kinds: dict[str, Kind]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of each lane that this worker can do."""
    by_lane: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if not kind.needs or os.environ.get(kind.needs):
            by_lane.setdefault(kind.lane, []).append(name)
    return {lane: tuple(names) for lane, names in by_lane.items()}


def kinds_on(office: Office, kinds: dict[str, Kind]) -> dict[str, Kind]:
    """Return the kinds of jobs of features that are there and that the office has not switched off; others wait."""
    with office.store.reading() as connection:
        off = features_off(connection)
    return {
        name: kind
        for name, kind in kinds.items()
        if not kind.of or (kind.of in FEATURES and kind.of not in off)
    }


def load_work(kind: Kind) -> Work:
    """Return the function of a kind."""
    module, _, name = kind.target.rpartition(".")
    work: Work = getattr(import_module(f"arpad.{module}"), name)
    return work


def next_night(at: time, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the next moment after now at which the clock of a zone shows a time."""
    local = now.astimezone(zone)
    moment = datetime.combine(local.date(), at, zone)
    return moment if moment > local else datetime.combine(local.date() + timedelta(days=1), at, zone)


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
