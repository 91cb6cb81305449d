"""The queue of jobs: work that a worker process does after the act that asked for it.

A job has a kind and a key, and is done at least once. ``enqueue`` writes it in the transaction of the caller, so a job
exists exactly if the act does. A worker claims a job for a while (its lease) and renews that; if the worker is killed,
another claims the job when the lease has ended. Times are those of the machine's clock, never of ``--now``.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, and_, case, delete, func, or_, select, update

from arpad.model.canonical_json import dump, load
from arpad.store.bulk import in_values
from arpad.store.schema import jobs

MOST_ATTEMPTS = 12
"""A job is given up after so many attempts, about two days after the first."""

FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=12)
LONGEST_ERROR = 1000

KILLED = dump({"code": "worker-killed", "facts": {}})
"""The error of a job whose workers never came to its end."""


class JobState(StrEnum):
    """The state of a job; a running one whose lease has ended may be claimed again."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the queue."""

    kind: str
    key: str
    payload: Mapping[str, Any]
    state: JobState
    due: datetime
    asked: int
    """How often it was asked for; a worker compares it at the end, so that nothing asked meanwhile is lost."""

    attempts: int
    """Claims since it was last done."""

    holder: str
    """The claim that may finish it."""

    error: str
    """Why the last attempt failed."""

    changed: datetime


def time_text(moment: datetime) -> str:
    """Return a time as the queue stores it, so that texts compare like the times."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


# ------------------------------------------------------------------------------------------------------- adding


def enqueue(
    connection: Connection,
    kind: str,
    payload: Mapping[str, Any],
    *,
    key: str = "",
    due: datetime | None = None,
    once: bool = False,
) -> str:
    """Add a job in the caller's transaction, due at once or later; return its key.

    Without a key each call adds a job. With a key there is one job: if it waits, it takes the new payload and the
    earlier time; if it is done or running, it is done again. ``once`` leaves a job with this key as it is.
    """
    now = datetime.now(UTC)
    row = {
        "kind": kind, "key": key or secrets.token_hex(12), "payload": dump(payload), "state": JobState.WAITING,
        "due": time_text(due or now), "asked": 1, "attempts": 0, "lease": "", "holder": "", "error": "",
        "changed": time_text(now),
    }  # fmt: skip
    # only the dialect in use: the other one takes a twentieth of a second to load
    insert = import_module(f"sqlalchemy.dialects.{connection.dialect.name}").insert
    query = insert(jobs).values(row)
    if once:
        query = query.on_conflict_do_nothing(index_elements=["kind", "key"])
    else:
        running = jobs.c.state == JobState.RUNNING
        waiting = jobs.c.state == JobState.WAITING
        new = query.excluded
        query = query.on_conflict_do_update(
            index_elements=["kind", "key"],
            set_={
                "payload": new.payload,
                "asked": jobs.c.asked + 1,
                "state": case((running, jobs.c.state), else_=JobState.WAITING),
                "due": case((and_(waiting, jobs.c.due < new.due), jobs.c.due), else_=new.due),
                "attempts": case((or_(running, waiting), jobs.c.attempts), else_=0),
                "changed": new.changed,
            },
        )
    connection.execute(query)
    return str(row["key"])


def replace_payload(connection: Connection, kind: str, key: str, payload: Mapping[str, Any]) -> None:
    """Replace the payload of a job, which stays in its state."""
    connection.execute(update(jobs).filter_by(kind=kind, key=key).values(payload=dump(payload)))


def remove(connection: Connection, kind: str, keys: Collection[str]) -> int:
    """Delete jobs, also one that is running: its worker then finishes nothing. Return how many there were."""
    query = delete(jobs).where(jobs.c.kind == kind, in_values(connection, jobs.c.key, keys))
    return int(connection.execute(query).rowcount)


# ------------------------------------------------------------------------------------------------------- working


def _claimable(kinds: Collection[str], now: datetime) -> Any:
    moment = time_text(now)
    return and_(
        jobs.c.kind.in_(sorted(kinds)),
        or_(
            and_(jobs.c.state == JobState.WAITING, jobs.c.due <= moment),
            and_(jobs.c.state == JobState.RUNNING, jobs.c.lease <= moment),
        ),
    )


def is_due(connection: Connection, kinds: Collection[str], now: datetime) -> bool:
    """Return whether there is a job to claim: a question that takes no lock."""
    return bool(due_kinds(connection, kinds, now))


def due_kinds(connection: Connection, kinds: Collection[str], now: datetime) -> frozenset[str]:
    """Return the kinds of which there is a job to claim: a question that takes no lock."""
    query = select(jobs.c.kind).where(_claimable(kinds, now)).distinct()
    return frozenset(connection.execute(query).scalars())


def claim(connection: Connection, kinds: Collection[str], now: datetime, lease: timedelta) -> Job | None:
    """Claim the job that has been due for the longest time, until the end of a lease; None if there is none.

    A job whose workers died again and again is given up.
    """
    while True:
        query = select(jobs).where(_claimable(kinds, now)).order_by(jobs.c.due, jobs.c.key).limit(1)
        row = connection.execute(query.with_for_update(skip_locked=True)).first()
        if row is None:
            return None
        this = (jobs.c.kind == row.kind) & (jobs.c.key == row.key)
        holder = secrets.token_hex(12)
        died = row.state == JobState.RUNNING and row.attempts >= MOST_ATTEMPTS
        values = (
            {"state": JobState.FAILED, "lease": "", "holder": "", "error": row.error or KILLED}
            if died
            else {"state": JobState.RUNNING, "attempts": row.attempts + 1, "holder": holder,
                  "lease": time_text(now + lease)}
        )  # fmt: skip
        connection.execute(update(jobs).where(this).values(**values, changed=time_text(now)))
        if not died:
            return _job(connection.execute(select(jobs).where(this)).one())


def _change(connection: Connection, job: Job, values: Mapping[str, Any]) -> bool:
    """Change a claimed job; return False if another worker has claimed it meanwhile."""
    query = update(jobs).filter_by(kind=job.kind, key=job.key, holder=job.holder, state=JobState.RUNNING)
    return bool(connection.execute(query.values(values)).rowcount)


def renew(connection: Connection, job: Job, now: datetime, lease: timedelta) -> bool:
    """Prolong the lease of a claimed job; return False if another worker has claimed it meanwhile."""
    return _change(connection, job, {"lease": time_text(now + lease)})


def amend(connection: Connection, job: Job, payload: Mapping[str, Any]) -> bool:
    """Store another payload of a claimed job; return False if another worker has claimed it meanwhile."""
    return _change(connection, job, {"payload": dump(payload)})


def finish(
    connection: Connection, job: Job, now: datetime, *, again: datetime | None = None, error: str = ""
) -> bool:
    """Mark a claimed job as done, or as due again; return False if another worker has claimed it meanwhile.

    A job that was asked for again while it ran waits for its next run. ``error`` is what a person must know of a job
    that was done all the same.
    """
    due, new = time_text(again or now), time_text(now)
    asked_meanwhile = jobs.c.asked != job.asked
    ended = JobState.WAITING if again is not None else JobState.DONE
    return _change(connection, job, {
        "state": case((asked_meanwhile, JobState.WAITING), else_=ended),
        "due": case((asked_meanwhile, jobs.c.due), else_=due),
        "attempts": 0 if again is not None else case((asked_meanwhile, 0), else_=jobs.c.attempts),
        "lease": "", "holder": "", "error": error[:LONGEST_ERROR], "changed": new,
    })  # fmt: skip


def delay(attempts: int) -> timedelta:
    """Return how long a job waits after an attempt that failed: each time twice as long."""
    doublings = max(0, min(attempts, 30) - 1)
    return min(FIRST_DELAY * (1 << doublings), LONGEST_DELAY)


def fail(connection: Connection, job: Job, now: datetime, error: str, *, give_up: bool = False) -> bool:
    """Let a claimed job wait for its next attempt, or give it up; return False if it is another worker's."""
    state = JobState.FAILED if give_up or job.attempts >= MOST_ATTEMPTS else JobState.WAITING
    return _change(connection, job, {
        "state": case((jobs.c.asked != job.asked, JobState.WAITING), else_=state),
        "due": time_text(now + delay(job.attempts)),
        "lease": "", "holder": "", "error": error[:LONGEST_ERROR], "changed": time_text(now),
    })  # fmt: skip


# --------------------------------------------------------------------------------------------------- looking after


def retry(connection: Connection, kind: str, keys: Collection[str] = ()) -> int:
    """Make jobs that were given up, or wait for a next attempt, due at once; without keys all. Return how many."""
    now = time_text(datetime.now(UTC))
    tried = or_(jobs.c.state == JobState.FAILED, and_(jobs.c.state == JobState.WAITING, jobs.c.attempts > 0))
    query = update(jobs).where(jobs.c.kind == kind, tried)
    if keys:
        query = query.where(jobs.c.key.in_(keys))
    query = query.values(state=JobState.WAITING, due=now, attempts=0, changed=now)
    return int(connection.execute(query).rowcount)


def forget_done(connection: Connection, before: datetime) -> int:
    """Delete the jobs that were done before a time; return how many."""
    query = delete(jobs).where(jobs.c.state == JobState.DONE, jobs.c.changed < time_text(before))
    return int(connection.execute(query).rowcount)


def all_jobs(
    connection: Connection, kinds: Collection[str] = (), states: Collection[str] = (), most: int = 1000
) -> list[Job]:
    """Return the jobs of some kinds and states, or of all, the last changed first."""
    query = select(jobs).order_by(jobs.c.changed.desc(), jobs.c.kind, jobs.c.key).limit(most)
    if kinds:
        query = query.where(jobs.c.kind.in_(kinds))
    if states:
        query = query.where(jobs.c.state.in_(states))
    return [_job(row) for row in connection.execute(query)]


def counts(connection: Connection) -> dict[tuple[str, str], int]:
    """Return the number of jobs of each kind and state."""
    query = select(jobs.c.kind, jobs.c.state, func.count()).group_by(jobs.c.kind, jobs.c.state)
    return {(kind, state): count for kind, state, count in connection.execute(query)}


def _job(row: Any) -> Job:
    return Job(
        row.kind, row.key, load(row.payload), JobState(row.state), datetime.fromisoformat(row.due), row.asked,
        row.attempts, row.holder, row.error, datetime.fromisoformat(row.changed),
    )  # fmt: skip
