"""Limits on the cost of a request, and the process in which a costly job runs within limits on time and memory.

Each limit can be set by an environment variable before ``arpad serve`` starts: ``ARPAD_VISITOR_GAMES=50000``. The guide
for administrators lists them. ``python -m arpad.web.limited_process`` is the process: it reads a job with its
arguments, runs it, writes the result and ends. The web worker waits for it in a thread; the number of such processes is
limited, and when one ends, the system gets its memory back.
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
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from threading import BoundedSemaphore, Event
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, TypeVar

from arpad.model.errors import ArpadError, BadInput
from arpad.model.typed_values import parse_within

if TYPE_CHECKING:
    from arpad.office.office import Office


Who = Literal["visitor", "signed_in", "file"]

SMALL = 64 * 1024
"""The web worker itself reads a text file up to this size; a limited process reads larger files and workbooks."""

MOST_CELLS_SHOWN = 6_000
"""Rounds of players that a page shows; a report of 500 players and eleven rounds has 5,500."""

MOST_CELLS_ANSWERED = 10_000
"""The same for one page of the API, which takes about four megabytes."""

MIB = 1024 * 1024
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one job."""

    games: int
    """Games of a report."""

    seconds: int
    """Seconds of the processor; by the clock three times as many."""

    memory: int
    """MiB of address space."""

    answer: int
    """MiB of the response."""

    @property
    def patience(self) -> int:
        """Return how many seconds by the clock a job may take."""
        return 3 * self.seconds


_USUAL: dict[Who, Bounds] = {
    "visitor": Bounds(games=25_000, seconds=20, memory=768, answer=16),
    "signed_in": Bounds(games=100_000, seconds=120, memory=2048, answer=32),
    "file": Bounds(games=_MOST, seconds=300, memory=4096, answer=1024),
}

_AT_ONCE = {"ARPAD_REPORTS_AT_ONCE": 2, "ARPAD_FILES_AT_ONCE": 1, "ARPAD_COSTLY_A_MINUTE": 60}


@cache
def bounds(who: Who) -> Bounds:
    """Return the limits for a visitor, for a user, or for making one file of a list."""
    usual = _USUAL[who]
    return Bounds(**{
        item.name: _number(f"ARPAD_{who.upper()}_{item.name.upper()}", getattr(usual, item.name))
        for item in fields(Bounds)
    })  # fmt: skip


@cache
def reports_at_once() -> int:
    """Return how many large reports one web worker reads at the same time."""
    return _number("ARPAD_REPORTS_AT_ONCE", _AT_ONCE["ARPAD_REPORTS_AT_ONCE"])


@cache
def files_at_once() -> int:
    """Return how many large files of lists one web worker makes at the same time."""
    return _number("ARPAD_FILES_AT_ONCE", _AT_ONCE["ARPAD_FILES_AT_ONCE"])


@cache
def costly_a_minute() -> int:
    """Return how many costly requests a minute one address may send."""
    return _number("ARPAD_COSTLY_A_MINUTE", _AT_ONCE["ARPAD_COSTLY_A_MINUTE"])


def check_environment() -> None:
    """Refuse a limit that is not a number before the server starts."""
    for who in _USUAL:
        bounds(who)
    reports_at_once(), files_at_once(), costly_a_minute()


def _number(name: str, usual: int) -> int:
    text = os.environ.get(name, "")
    return parse_within(text, name, 1, _MOST) if text else usual


P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("arpad.web")

TOO_BUSY = "server-busy"
TOO_COSTLY = "work-too-costly"
WAIT_SECONDS = 20.0
"""How long a request waits for its turn before it is refused as busy."""

GRACE_SECONDS = 10.0
"""The process ends by itself when its time is over; after these seconds more it is killed."""

FEW_THREADS = {
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "2",
    "POLARS_MAX_THREADS": "2",
    "MALLOC_ARENA_MAX": "2",
}
"""Each thread of a library takes address space, which is limited."""


BEHIND = 5
"""How far the process stands behind the web workers, so that visitors do not wait for it."""

MOST_WAITING = 6
"""Requests of one kind that may wait: each occupies one of the forty threads of a web worker."""


@cache
def _queues(kind: str) -> tuple[BoundedSemaphore, BoundedSemaphore]:
    """Return the semaphores for running and for waiting jobs of a kind (``report`` or ``file``)."""
    at_once = files_at_once() if kind == "file" else reports_at_once()
    return BoundedSemaphore(at_once), BoundedSemaphore(at_once + MOST_WAITING)


@contextmanager
def _turn(kind: str) -> Iterator[None]:
    """Wait for a turn; refuse if too many wait, or for too long."""
    running, waiting = _queues(kind)
    if not waiting.acquire(blocking=False):
        raise BadInput(TOO_BUSY)
    try:
        if not running.acquire(timeout=WAIT_SECONDS):
            raise BadInput(TOO_BUSY)
        try:
            yield
        finally:
            running.release()
    finally:
        waiting.release()


def run_limited(
    kind: str,
    bounds: Bounds,
    job: Callable[Concatenate[Bounds, P], T],
    *arguments: P.args,
    **options: P.kwargs,
) -> T:
    """Run a module-level function in a limited process and return its result; refuse what costs too much."""
    message = pickle.dumps((bounds, job, arguments, options), protocol=pickle.HIGHEST_PROTOCOL)
    try:
        with _turn(kind):
            status, output, errors = _communicate(message, bounds.patience + GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        raise _too_costly(bounds) from None
    if status < 0 or not output:
        log.warning("limited process ended with %s: %s", status, errors[-2000:].decode(errors="replace"))
        raise _too_costly(bounds)
    succeeded, result = pickle.loads(output)  # noqa: S301  written by our own process
    if succeeded:
        value: T = result
        return value
    raise result


_running: set[subprocess.Popen[bytes]] = set()
_ending = Event()


def _communicate(message: bytes, seconds: float) -> tuple[int, bytes, bytes]:
    """Return the status and what a limited process wrote; it is killed after some seconds, and with the server."""
    with subprocess.Popen(
        [sys.executable, "-m", "arpad.web.limited_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **FEW_THREADS},
    ) as process:
        _running.add(process)
        try:
            if _ending.is_set():
                process.kill()
            output, errors = process.communicate(message, seconds)
        except BaseException:
            process.kill()
            raise
        finally:
            _running.discard(process)
        return process.returncode, output, errors


def end_limited_processes() -> None:
    """Kill the limited processes of this web worker, which ends; the requests that wait for them are refused."""
    _ending.set()
    for process in tuple(_running):
        process.kill()


def _too_costly(bounds: Bounds) -> BadInput:
    return BadInput(TOO_COSTLY, seconds=bounds.seconds, memory=bounds.memory)


@dataclass(frozen=True, slots=True)
class OfficeLocation:
    """The means to open the same office in a limited process: the database URL, the author and the time."""

    url: str
    author: str
    moment: datetime

    @classmethod
    def of(cls, office: Office) -> OfficeLocation:
        """Return the location of an open office."""
        url = office.store.engine.url.render_as_string(hide_password=False)
        return cls(url, office.author, office.now())


@contextmanager
def opened_office(office: Office | OfficeLocation) -> Iterator[Office]:
    """Yield an office that is open already, or open it for this context."""
    if not isinstance(office, OfficeLocation):
        yield office
        return
    from arpad.office.office import open_office

    opened = open_office(office.url, now=lambda: office.moment, author=office.author)
    try:
        yield opened
    finally:
        opened.close()


# ----------------------------------------------------------------------------------------- in the other process


def _limit(bounds: Bounds) -> None:
    """Let the system end this process, or refuse it memory, beyond its limits; the web workers run before it."""
    os.nice(BEHIND)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (bounds.seconds, bounds.seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (bounds.memory * MIB, bounds.memory * MIB))
    signal.alarm(bounds.patience)


def _run(data: bytes) -> bytes:
    bounds, job, arguments, options = pickle.loads(data)  # noqa: S301  written by the web worker that started us
    _limit(bounds)
    try:
        return pickle.dumps((True, job(bounds, *arguments, **options)), protocol=pickle.HIGHEST_PROTOCOL)
    except ArpadError as error:
        return pickle.dumps((False, error))
    except MemoryError:
        return pickle.dumps((False, _too_costly(bounds)))


def main() -> None:
    """Run one job."""
    stdout = os.dup(1)
    os.dup2(2, 1)  # what a library prints must not mix with the result
    with os.fdopen(stdout, "wb") as output:
        output.write(_run(sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()
