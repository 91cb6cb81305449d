"""Simulated processes on one thread: which task runs next, and what time it is, follows from the seed.

A task is a greenlet; it gives way only in a seam (``pause``) or while it waits. A process that is killed is never
resumed, so nothing of it runs any more, neither ``finally`` nor ``except``; its database connections and locks end.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from greenlet import getcurrent, greenlet

BEGIN = datetime(2018, 1, 2, 12, tzinfo=UTC)
STEP_SECONDS = 0.05
"""At most so long is a step, besides the time that tasks wait."""


@dataclass(eq=False, slots=True)
class Process:
    """A simulated process: its tasks are its threads."""

    name: str
    alive: bool = True
    connections: list[sqlite3.Connection] = field(default_factory=list)
    locked_files: list[tuple[int, int]] = field(default_factory=list)
    """The files that it has locked while it writes them: handle and inode."""

    def end(self) -> None:
        """End as a kill does: the system closes what was open, and undoes what was not committed."""
        self.alive = False
        for connection in self.connections:
            with suppress(sqlite3.Error):
                connection.rollback()
            with suppress(sqlite3.Error):
                connection.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        for handle, inode in self.locked_files:
            with suppress(OSError):
                if os.fstat(handle).st_ino == inode:  # not closed since, and not another file by now
                    os.dup2(
                        nothing, handle
                    )  # its lock ends; whoever closes the number later closes nothing else
        os.close(nothing)


@dataclass(eq=False, slots=True)
class Task:
    """One thread of a simulated process."""

    process: Process
    name: str
    greenlet: greenlet
    at: str = "start"
    """The seam where it is."""

    ready: Callable[[], bool] | None = None
    wakes: float | None = None
    done: bool = False
    rows: list[str] = field(default_factory=list)
    """The digests of the ledger's rows that its transaction has written and not committed."""

    def can_run(self, now: float) -> bool:
        """Return whether it waits for nothing."""
        if self.ready is None and self.wakes is None:
            return True
        return (self.ready is not None and self.ready()) or (self.wakes is not None and self.wakes <= now)


class Scheduler:
    """Resumes tasks in an order that the seed decides."""

    def __init__(self, random: Random, switching: float) -> None:
        """Start at noon of a day; ``switching`` is how often a task gives way in a seam."""
        self.random = random
        self.switching = switching
        self.monotonic = 0.0
        self.shift = timedelta()
        self.tasks: list[Task] = []
        self.graveyard: list[Task] = []
        self.over = False
        self._by_greenlet: dict[greenlet, Task] = {}
        self._hub: greenlet = getcurrent()

    # ------------------------------------------------------------------------------------------------------- time

    def now(self) -> datetime:
        """Return what the clock on the wall shows."""
        return BEGIN + timedelta(seconds=round(self.monotonic, 6)) + self.shift

    def jump(self, by: timedelta) -> None:
        """Set the clock on the wall; what measures durations goes on."""
        self.shift += by

    # ------------------------------------------------------------------------------------------------------ tasks

    def start(self, process: Process, name: str, work: Callable[[], None]) -> Task:
        """Add a task; it runs once a step chooses it."""

        def run() -> None:
            work()
            task.done = True

        task = Task(process, name, greenlet(run, self._hub))
        self._by_greenlet[task.greenlet] = task
        self.tasks.append(task)
        return task

    def current(self) -> Task | None:
        """Return the task that runs; None outside of tasks, and after the end."""
        return None if self.over else self._by_greenlet.get(getcurrent())

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Let a task look at the office without any seam."""
        before, self.over = self.over, True
        try:
            yield
        finally:
            self.over = before

    def kill(self, process: Process) -> None:
        """End a process with all its tasks, where they are."""
        process.end()
        self.graveyard += [task for task in self.tasks if task.process is process]
        self.tasks = [task for task in self.tasks if task.process is not process]

    def step(self) -> Task:
        """Let one task run until it gives way; if all wait, let the time pass."""
        self.tasks = [task for task in self.tasks if not task.done]
        runnable = [task for task in self.tasks if task.can_run(self.monotonic)]
        if not runnable:
            self.monotonic = min(task.wakes for task in self.tasks if task.wakes is not None)
            runnable = [task for task in self.tasks if task.can_run(self.monotonic)]
        task = self.random.choice(runnable)
        task.ready = task.wakes = None
        self.monotonic += self.random.random() * STEP_SECONDS
        task.greenlet.switch()
        return task

    def finish(self) -> None:
        """Let go of every task; from now on no seam does anything."""
        self.over = True
        for task in (*self.tasks, *self.graveyard):
            task.process.end()
        self.tasks.clear()
        self.graveyard.clear()
        self._by_greenlet.clear()

    # ------------------------------------------------------------------------------------------- for running tasks

    def pause(self, label: str) -> None:
        """Give way sometimes: another task may run, or this process may be killed here."""
        task = self.current()
        if task is not None:
            task.at = label
            if self.random.random() < self.switching:
                self._hub.switch()

    def wait(self, ready: Callable[[], bool] | None, seconds: float | None, label: str) -> bool:
        """Wait for a condition or a time; return whether the condition holds."""
        task = self.current()
        if task is None:
            return ready is not None and ready()
        task.at, task.ready = label, ready
        task.wakes = None if seconds is None else self.monotonic + seconds
        self._hub.switch()
        return ready is not None and ready()


# --------------------------------------------------------------------- what Arpad takes from threading, simulated


class SimulatedEvent:
    """An event as of ``threading``."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler, self._set = scheduler, False

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set

    def wait(self, timeout: float | None = None) -> bool:
        return self._set or self._scheduler.wait(self.is_set, timeout, "wait")


class SimulatedThread:
    """A thread as of ``threading``: a task of the process that starts it."""

    def __init__(
        self,
        scheduler: Scheduler,
        target: Callable[..., None],
        args: Sequence[Any] = (),
        name: str = "",
        daemon: bool = True,
    ) -> None:
        self._scheduler, self._work, self._name = scheduler, lambda: target(*args), name
        self._task: Task | None = None

    def start(self) -> None:
        task = self._scheduler.current()
        assert task is not None
        self._task = self._scheduler.start(task.process, self._name, self._work)

    def is_alive(self) -> bool:
        return self._task is not None and not self._task.done

    def join(self, timeout: float | None = None) -> None:
        """Wait until it ends; the limit, which lets signals in, is not simulated."""
        if self.is_alive():
            self._scheduler.wait(lambda: not self.is_alive(), None, "join")


class SimulatedLock:
    """A lock of a module: tasks of all processes share the module, so a dead holder holds nothing."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._holder: Task | None = None

    def _free(self) -> bool:
        return self._holder is None or not self._holder.process.alive

    def __enter__(self) -> None:
        while self._scheduler.current() is not None and not self._free():
            self._scheduler.wait(self._free, None, "lock")
        self._holder = self._scheduler.current()

    def __exit__(self, *_: object) -> None:
        self._holder = None
