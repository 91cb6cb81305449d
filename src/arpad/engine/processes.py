"""The sums of a period in several processes; a process that dies changes nothing but the time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from arpad.engine.games import Context
from arpad.engine.sums import Partial, combined, partial_sums
from arpad.period import Event

PER_TASK = 64
"""Events that a process sums up at a time."""

_context: list[Context] = []
"""In a worker: what all its events are summed up against, sent once."""


def _begin(context: Context) -> None:
    _context[:] = [context]


def _part(events: Sequence[Event]) -> Partial:
    return partial_sums(events, _context[0])


def sums_in_processes(events: Sequence[Event], context: Context, processes: int) -> Partial:
    """What ``partial_sums`` gives, bit for bit; parts that are lost with their process are made again here."""
    tasks = [events[at : at + PER_TASK] for at in range(0, len(events), PER_TASK)]
    parts: list[Partial] = []
    if processes > 1 and len(tasks) > 1:
        spawned = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, spawned, _begin, (context,)) as pool:
            waiting = [pool.submit(_part, task) for task in tasks]
            try:
                parts.extend(one.result() for one in waiting)
            except BrokenProcessPool:
                pool.shutdown(wait=False, cancel_futures=True)
    parts += [partial_sums(task, context) for task in tasks[len(parts) :]]
    return combined(parts)
