"""The sums of a period in several processes or on a cluster; a worker that dies changes nothing but the time."""

from __future__ import annotations

from collections.abc import Sequence

from arpad.lists.engine.event_columns import Context
from arpad.lists.engine.sums import Partial, combined, partial_sums
from arpad.lists.period import Event
from arpad.system.workers import Workers, open_workers

PER_TASK = 64
"""Events that a worker sums up at a time."""


def _part(context: Context, events: Sequence[Event]) -> Partial:
    return partial_sums(events, context)


def sums_by(workers: Workers, events: Sequence[Event], context: Context) -> Partial:
    """What ``partial_sums`` gives, bit for bit, wherever the parts are summed up."""
    tasks = [events[at : at + PER_TASK] for at in range(0, len(events), PER_TASK)]
    with workers.broadcast(context) as shared:
        return combined(workers.map(_part, shared, tasks))


def sums_in_processes(events: Sequence[Event], context: Context, processes: int) -> Partial:
    """The same in so many processes of this machine."""
    with open_workers(processes if len(events) > PER_TASK else 1) as workers:
        return sums_by(workers, events, context)
