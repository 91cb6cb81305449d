"""Thousands of reports at once: looked at in parallel processes, filed some hundreds in a transaction.

The result is that of sending them one by one in order, each accepted at once where that was asked for and nothing
stands against it: the same rows, the same findings, an act of its own in the ledger for each. Processes look at reports
while others are being filed; what a report looked at meanwhile may have missed (a newcomer of the same name, an
act of somebody else) is noticed, and the report is looked at again. A run that is cut short has filed whole
transactions and nothing else; run again, it goes on with the rest.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import dump, from_finding, load, to_finding
from arpad.model.rules import Finding, ListName, Severity
from arpad.office.examining import (
    Examine,
    Examined,
    Outcome,
    Sent,
    Terms,
    begin,
    examine_filed,
    examine_here,
    examine_sent,
)
from arpad.office.filing import Run, filing
from arpad.office.incoming_files import Arrival, Arrivals
from arpad.office.office import Office, today
from arpad.office.reports import Accepted, Submitted
from arpad.reports.event_facts import EventFacts
from arpad.store import register
from arpad.store import reports as rows
from arpad.store.reports import RECEIVED
from arpad.system.batches import batches, gc_paused

K = TypeVar("K", str, int)
Progress = Callable[[int], None]

_ERROR = f'"severity":"{Severity.ERROR}"'

TOGETHER = 60
"""Reports that a process looks at together."""

AT_ONCE = 240
"""Reports that are filed in one transaction."""

FEW = 60
"""So few reports are looked at here, without other processes."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """What became of one file that was sent."""

    place: str
    report: int | None = None
    status: str = ""
    list: ListName | None = None
    said: tuple[str, ...] = ()
    """The findings as canonical JSON; ``findings`` has them as values."""

    again: bool = False
    """The same bytes were on file already: nothing was done."""

    accepted: Accepted | None = None
    error: ArpadError | None = None
    """Why it could not be read: it is not on file."""

    @staticmethod
    def of(place: str, sent: Submitted) -> Arrived:
        """A report that was sent alone."""
        said = tuple(dump(from_finding(finding)) for finding in sent.findings)
        return Arrived(place, sent.report, sent.status, sent.list, said, sent.again)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the checks had to say."""
        return tuple(to_finding(load(text)) for text in self.said)

    @property
    def erroneous(self) -> bool:
        """Whether anything stands against accepting it."""
        return any(_ERROR in text for text in self.said) and bool(self.errors)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What stands against accepting it."""
        return tuple(finding for finding in self.findings if finding.severity == Severity.ERROR)


@dataclass(frozen=True, slots=True)
class Left:
    """A report that stays in the inbox, and the codes of what stands against it."""

    report: int
    codes: tuple[str, ...]


def submit_many(
    office: Office,
    arrivals: Arrivals,
    *,
    facts: EventFacts | None = None,
    event: int | None = None,
    accept: bool = False,
    reason: str = "",
    processes: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Arrived]:
    """File reports, and with ``accept`` take those into the next list that have neither errors nor doubtful players.

    Each comes back once it is on file; what cannot be read comes back with its error, and the rest goes on.
    """
    run = Run(office, reason)
    with office.store.reading() as connection:
        terms = Terms(today(office, connection), facts or EventFacts(), event)
    looked = _looked_at(office, examine_sent, _sent(arrivals), terms, _processes(processes, len(arrivals)))
    done = 0
    for some in batches(looked, AT_ONCE):
        with gc_paused(), filing(run, terms) as under_way:
            under_way.know(outcome for _, outcome, _ in some if isinstance(outcome, int))
            found = [
                Arrived(place, **under_way.file(outcome, act, accept=accept)) for place, outcome, act in some
            ]
        yield from found
        done += len(some)
        if progress is not None:
            progress(done)


def accept_many(
    office: Office,
    reports: Iterable[int] | None = None,
    *,
    matches: Mapping[int, Mapping[int, int]] | None = None,
    reason: str = "",
    processes: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Accepted | Left]:
    """Accept reports on file in order, all of the inbox unless some are named; those with errors or doubts are left.

    ``matches`` decides doubtful entrants, by report and start number.
    """
    matches = matches or {}
    run = Run(office, reason)
    with office.store.reading() as connection:
        terms = Terms(today(office, connection), matches=matches)
        filed = rows.filed(connection, reports)
        named = {player for by_number in matches.values() for player in by_number.values() if player}
        for missing in sorted(named - register.load_people(connection, named).keys()):
            raise BadInput("no-player", player=missing)
    for missing in sorted(set(reports or ()) - filed.keys()):
        raise BadInput("no-report", report=missing)
    waiting = [number for number, one in filed.items() if one.status == RECEIVED]
    looked = _looked_at(
        office,
        examine_filed,
        ((number, number) for number in waiting),
        terms,
        _processes(processes, len(waiting)),
    )
    done = 0
    for some in batches(looked, AT_ONCE):
        with gc_paused(), filing(run, terms) as under_way:
            under_way.know(number for number, _, _ in some)
            settled = [
                (number, under_way.accept_filed(number, outcome, act)) for number, outcome, act in some
            ]
        yield from (one if isinstance(one, Accepted) else Left(number, one) for number, one in settled)
        done += len(some)
        if progress is not None:
            progress(done)


# ------------------------------------------------------------------------------------------------- looking at reports


def _sent(arrivals: Arrivals) -> Iterator[tuple[str, Sent | ArpadError]]:
    """Everything in order; what stands in an archive is read here, just before it is looked at."""
    for one in arrivals.found:
        if not isinstance(one, Arrival):
            yield one
            continue
        try:
            yield one.place, Sent(one.file, one.path or one.read())
        except ArpadError as error:
            yield one.place, error


def _processes(asked: int | None, reports: int) -> int:
    """As many as asked for, else one for each core; one where there is little to do."""
    if asked is not None and asked < 1:
        raise BadInput("bad-form", option="processes", value=str(asked), accepted="1, 2, 3 …")
    return 1 if reports <= FEW else asked or os.cpu_count() or 1


def _looked_at(
    office: Office, look: Examine, items: Iterable[tuple[K, Any]], terms: Terms, processes: int
) -> Iterator[tuple[K, Outcome, int]]:
    """Each item with what was found and the last act known by then, in order; few are on their way at a time."""
    waiting: deque[tuple[list[tuple[K, Any]], Future[Examined] | None]] = deque()

    def finished() -> Iterator[tuple[K, Outcome, int]]:
        some, future = waiting.popleft()
        readable = [item for _, item in some if not isinstance(item, ArpadError)]
        found = _result(future) or _here(office, look, readable, terms)
        outcomes = iter(found.outcomes)
        for key, item in some:
            yield key, item if isinstance(item, ArpadError) else next(outcomes), found.act

    with ExitStack() as stack:
        pool = stack.enter_context(_pool(office, terms, processes)) if processes > 1 else None
        for some in batches(items, TOGETHER):
            readable = [item for _, item in some if not isinstance(item, ArpadError)]
            waiting.append((some, _handed(pool, look, readable)))
            if len(waiting) > 2 * processes or pool is None:
                yield from finished()
        while waiting:
            yield from finished()


def _here(office: Office, look: Examine, some: Sequence[Any], terms: Terms) -> Examined:
    with office.store.reading() as connection, gc_paused():
        return look(connection, some, terms)


def _handed(pool: ProcessPoolExecutor | None, look: Examine, some: Sequence[Any]) -> Future[Examined] | None:
    try:
        return pool.submit(examine_here, look, some) if pool is not None else None
    except BrokenProcessPool:
        return None


def _result(future: Future[Examined] | None) -> Examined | None:
    """What another process found; nothing where it died, which changes nothing but the time."""
    try:
        return future.result() if future is not None else None
    except BrokenProcessPool:
        return None


@contextmanager
def _pool(office: Office, terms: Terms, processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that share what is loaded here already, unless threads are running.

    No connection may be open while they are made: SQLite's locks do not outlive that.
    """
    alone = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    office.store.engine.dispose()
    place = office.store.engine.url.render_as_string(hide_password=False)
    pool = ProcessPoolExecutor(
        processes, multiprocessing.get_context("fork" if alone else "spawn"), begin, (place, terms)
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
