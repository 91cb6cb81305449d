"""The loop of a worker: claim a job, do it, note how it ended; each lane of jobs in a thread of its own."""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, time, timedelta
from threading import Event, Lock, Thread
from time import monotonic

from sqlalchemy import Connection

from arpad.model.errors import ArpadError, Unreadable
from arpad.office.office import Office, known_zone
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.store.settings import read_setting
from arpad.system.event_log import error_fields, log_event
from arpad.worker.kinds import (
    KINDS,
    Hopeless,
    Kind,
    error_text,
    kinds_on,
    lanes,
    load_work,
    next_night,
    write_note,
)

log = logging.getLogger("arpad.worker")

LEASE = timedelta(seconds=60)
"""How long a job of a killed worker waits for another; a worker at work renews its lease three times as often."""

POLL_SECONDS = 0.2
BROKEN_SECONDS = 2.0
"""How long a worker waits while the database does not answer."""

NIGHTLY_ATTEMPTS = 3
NIGHTLY = "nightly"
"""The key of the one job of a nightly kind."""


def work(office: Office, stop: Event, *, kinds: dict[str, Kind] = KINDS, lease: timedelta = LEASE) -> None:
    """Do jobs until ``stop`` is set; then each lane ends after its current job."""
    watch = _Watch(office, kinds)
    threads = [
        Thread(
            target=_work_lane,
            args=(office, names, kinds, lease, stop, watch),
            name=f"arpad-{lane}",
            daemon=True,
        )
        for lane, names in lanes(kinds).items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.2)  # with a limit, so that signals are handled


def work_once(office: Office, *, kinds: dict[str, Kind] = KINDS, lease: timedelta = LEASE) -> int:
    """Do every job that is due; return how many were done, well or not."""
    kinds = kinds_on(office, kinds)
    schedule_nights(office, kinds)
    count = 0
    for names in lanes(kinds).values():
        while (job := _claim(office, names, lease)) is not None:
            do_job(office, job, kinds[job.kind], lease)
            count += 1
    return count


def ask_for_nights(office: Office, kinds: dict[str, Kind] = KINDS) -> None:
    """Let the nightly jobs that this worker can do be due now, in the order of the night."""
    now, nights = datetime.now(UTC), _nights(kinds_on(office, kinds))
    with office.store.unlogged_writing() as connection:
        for name, at in nights.items():
            order = timedelta(microseconds=at.hour * 60 + at.minute)
            jobs.enqueue(connection, name, {}, key=NIGHTLY, due=now - timedelta(seconds=1) + order)


def _nights(kinds: dict[str, Kind]) -> dict[str, time]:
    """Return the nightly jobs that this worker can do, with the time of each."""
    usable = {name for names in lanes(kinds).values() for name in names}
    return {name: kind.nightly for name, kind in kinds.items() if kind.nightly and name in usable}


def schedule_nights(office: Office, kinds: dict[str, Kind] = KINDS) -> None:
    """Add the nightly jobs that this worker can do and that are not in the queue yet."""
    nights = _nights(kinds)
    with office.store.reading() as connection:
        known = {job.kind for job in jobs.all_jobs(connection, nights)} if nights else set()
        zone = known_zone(read_setting(connection, "time_zone") or "UTC")
    missing = {name: at for name, at in nights.items() if name not in known}
    if missing:
        now = datetime.now(UTC)
        with office.store.unlogged_writing() as connection:
            for name, at in missing.items():
                jobs.enqueue(connection, name, {}, key=NIGHTLY, due=next_night(at, zone, now), once=True)


class _Watch:
    """A look at the queue that all lanes share: each of its own would keep an idle worker busy."""

    def __init__(self, office: Office, kinds: Collection[str]) -> None:
        self._office, self._kinds = office, kinds
        self._lock, self._looked = Lock(), -POLL_SECONDS
        self._due: frozenset[str] = frozenset()

    def is_due(self, names: Collection[str]) -> bool:
        """Return whether a job of some kinds was due at the last look, which is never older than a moment."""
        with self._lock:
            if monotonic() - self._looked >= POLL_SECONDS:
                with self._office.store.reading() as connection:
                    self._due = jobs.due_kinds(connection, self._kinds, datetime.now(UTC))
                self._looked = monotonic()
            return not self._due.isdisjoint(names)


def _work_lane(
    office: Office,
    names: Collection[str],
    kinds: dict[str, Kind],
    lease: timedelta,
    stop: Event,
    watch: _Watch,
) -> None:
    scheduled = False
    while not stop.is_set():
        try:
            if not scheduled:
                schedule_nights(office, kinds_on(office, {name: kinds[name] for name in names}))
                scheduled = True
            job = None
            if watch.is_due(names) and (on := kinds_on(office, {name: kinds[name] for name in names})):
                job = _claim(office, tuple(on), lease)
        except ArpadError as error:  # the database is busy or gone: it comes back
            log.warning("waiting for the database: %r", error)
            stop.wait(BROKEN_SECONDS)
            continue
        if job is None:
            stop.wait(POLL_SECONDS)
        else:
            do_job(office, job, kinds[job.kind], lease)


def _claim(office: Office, names: Collection[str], lease: timedelta) -> Job | None:
    """Claim a job; writes nothing while none is due."""
    with office.store.reading() as connection:
        if not jobs.is_due(connection, names, datetime.now(UTC)):
            return None
    with office.store.unlogged_writing() as connection:
        return jobs.claim(connection, names, datetime.now(UTC), lease)


def do_job(office: Office, job: Job, kind: Kind, lease: timedelta) -> None:
    """Do a claimed job and note how it ended; an error is noted, never raised."""
    began = monotonic()
    with _kept_lease(office, job, lease):
        try:
            load_work(kind)(office, job)
        except Exception as error:  # noqa: BLE001  whatever it is, the job is tried again and the others go on
            log.warning("%s %s, attempt %d: %r", job.kind, job.key, job.attempts, error)
            failure: Exception | None = error
        else:
            failure = None
        with suppress(Unreadable):  # its lease ends, and the job is done again
            write_note(office, lambda connection: _settle(connection, job, kind, failure))
    about: dict[str, int | str] = {"kind": job.kind, "attempt": job.attempts}
    about |= {"ms": round((monotonic() - began) * 1000), "outcome": "done" if failure is None else "failed"}
    if failure is None:
        log_event("job", **about)
    else:
        log_event("job", logging.WARNING, **about, **error_fields(failure))


def _settle(connection: Connection, job: Job, kind: Kind, failure: Exception | None) -> None:
    now, error = datetime.now(UTC), error_text(failure) if failure is not None else ""
    hopeless = isinstance(failure, Hopeless)
    if kind.nightly is not None and (failure is None or hopeless or job.attempts >= NIGHTLY_ATTEMPTS):
        zone = known_zone(read_setting(connection, "time_zone") or "UTC")
        jobs.finish(connection, job, now, again=next_night(kind.nightly, zone, now), error=error)
    elif failure is not None:
        jobs.fail(connection, job, now, error, give_up=hopeless)
    else:
        jobs.finish(connection, job, now)


@contextmanager
def _kept_lease(office: Office, job: Job, lease: timedelta) -> Iterator[None]:
    """Renew the lease of a job while it is done."""
    ended = Event()

    def keep() -> None:
        while not ended.wait(lease.total_seconds() / 3):
            try:
                with office.store.unlogged_writing() as connection:
                    jobs.renew(connection, job, datetime.now(UTC), lease)
            except ArpadError as error:
                log.warning("a lease could not be renewed: %r", error)

    keeper = Thread(target=keep, name="arpad-lease", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()
