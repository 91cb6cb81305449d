"""Work in a process of its own, with limits on its time and memory; what it took goes back to the system with it.

``python -m arpad.web.apart`` is that process: it reads a function with its arguments, does the work, writes the answer
and ends. The web worker waits for it in a thread, and only so many at once.
"""

from __future__ import annotations

import logging
import os
import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from arpad.model.errors import ArpadError, BadInput
from arpad.web.cost_limits import (
    MIB,
    Bounds,
    files_at_once,
    reports_at_once,
)

if TYPE_CHECKING:
    from arpad.office.office import Office

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("arpad.web")

TOO_BUSY = "server-busy"
TOO_COSTLY = "work-too-costly"
WAIT_SECONDS = 20.0
"""How long a request waits for its turn before it is told to come again."""

GRACE_SECONDS = 10.0
"""The process ends by itself when its time is over; so long after it is ended from here."""

FEW_THREADS = {"OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "2", "MALLOC_ARENA_MAX": "2"}
"""Each thread of a library takes addresses, which are limited."""


MOST_WAITING = 6
"""Requests of one kind that wait: each holds one of the forty threads of a web worker."""


@cache
def _queues(kind: str) -> tuple[BoundedSemaphore, BoundedSemaphore]:
    """Return who may work and who may wait, for reports and for files."""
    at_once = files_at_once() if kind == "file" else reports_at_once()
    return BoundedSemaphore(at_once), BoundedSemaphore(at_once + MOST_WAITING)


@contextmanager
def _turn(kind: str) -> Iterator[None]:
    """Wait for a turn; refuse where too many wait, or for too long."""
    working, waiting = _queues(kind)
    if not waiting.acquire(blocking=False):
        raise BadInput(TOO_BUSY)
    try:
        if not working.acquire(timeout=WAIT_SECONDS):
            raise BadInput(TOO_BUSY)
        try:
            yield
        finally:
            working.release()
    finally:
        waiting.release()


def run_limited(
    kind: str, bounds: Bounds, job: Callable[Concatenate[Bounds, P], T], *given: P.args, **named: P.kwargs
) -> T:
    """Return what a function of a module gives, done in a process of its own; refuse what costs too much."""
    told = pickle.dumps((bounds, job, given, named), protocol=pickle.HIGHEST_PROTOCOL)
    try:
        with _turn(kind):
            ended = subprocess.run(
                [sys.executable, "-m", "arpad.web.limited_process"],
                input=told,
                capture_output=True,
                check=False,
                timeout=bounds.patience + GRACE_SECONDS,
                env={**os.environ, **FEW_THREADS},
            )
    except subprocess.TimeoutExpired:
        raise _too_costly(bounds) from None
    if ended.returncode < 0 or not ended.stdout:
        log.warning(
            "work apart ended with %s: %s", ended.returncode, ended.stderr[-2000:].decode(errors="replace")
        )
        raise _too_costly(bounds)
    well, answer = pickle.loads(ended.stdout)  # noqa: S301  written by our own process
    if well:
        value: T = answer
        return value
    raise answer


def _too_costly(bounds: Bounds) -> BadInput:
    return BadInput(TOO_COSTLY, seconds=bounds.seconds, memory=bounds.memory)


# ----------------------------------------------------------------------------------------- in the other process


def _limit(bounds: Bounds) -> None:
    """Let the system end this process, or refuse it memory, beyond its limits."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (bounds.seconds, bounds.seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (bounds.memory * MIB, bounds.memory * MIB))
    signal.alarm(bounds.patience)


def _run(data: bytes) -> bytes:
    bounds, job, given, named = pickle.loads(data)  # noqa: S301  written by the web worker that started us
    _limit(bounds)
    try:
        return pickle.dumps((True, job(bounds, *given, **named)), protocol=pickle.HIGHEST_PROTOCOL)
    except ArpadError as error:
        return pickle.dumps((False, error))
    except MemoryError:
        return pickle.dumps((False, _too_costly(bounds)))


def main() -> None:
    """Do one piece of work."""
    out = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints is no part of the answer
    with os.fdopen(out, "wb") as answer:
        answer.write(_run(sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()


@dataclass(frozen=True, slots=True)
class OfficeLocation:
    """An office as another process opens it: where it is, who is at the desk, and when that is."""

    place: str
    author: str
    moment: datetime

    @classmethod
    def of(cls, office: Office) -> OfficeLocation:
        """Return where an opened office is."""
        place = office.store.engine.url.render_as_string(hide_password=False)
        return cls(place, office.author, office.now())


@contextmanager
def opened_office(office: Office | OfficeLocation) -> Iterator[Office]:
    """Give an office as it is, or open it for as long as it is needed."""
    if not isinstance(office, OfficeLocation):
        yield office
        return
    from arpad.office.office import open_office

    found = open_office(office.place, now=lambda: office.moment, author=office.author)
    try:
        yield found
    finally:
        found.close()
