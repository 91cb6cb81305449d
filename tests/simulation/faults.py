"""The faults of a simulated world: what they do, how long they last, and how often they come."""

import errno
import os
import sqlite3
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from tests.simulation.scheduler import Process, Scheduler, Task

LONGEST_OUTAGE = 40.0
"""Shorter than a worker tries to note the end of a job (``notes.NOTING_SECONDS``)."""

DELICATE = ("committed", "commit", "replaced", "fsync", "mail taken", "request taken")
"""The seams where a kill is likeliest to hurt."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each fault comes, for one step; every seed has other ones, so that some runs have few kinds."""

    kill: float
    delicate_kill: float
    disk: float
    database: float
    clock: float
    server: float
    """How often a mail server or a receiver fails at a command."""


def draw_rates(random: Random) -> Rates:
    """Return the rates of a run; each is zero in some runs."""

    def rate(most: float) -> float:
        return random.choice((0.0, most / 4, most / 2, most))

    return Rates(rate(0.02), rate(0.3), rate(0.02), rate(0.02), rate(0.01), rate(0.2))


class Faults:
    """The faults that are in force, and the dice for the next ones."""

    def __init__(self, random: Random, scheduler: Scheduler) -> None:
        self.random = random
        self.scheduler = scheduler
        self.rates = draw_rates(random)
        self.quiet = False
        """Whether nothing fails any more."""

        self.counts: dict[str, int] = {}
        self._disk_full_until = self._away_until = -1.0

    def happens(self, rate: float) -> bool:
        """Return whether a fault comes now."""
        return not self.quiet and self.random.random() < rate

    def count(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def calm(self) -> None:
        """End all faults for good."""
        self.quiet = True
        self._disk_full_until = self._away_until = -1.0

    # ---------------------------------------------------------------------------------------------- what is in force

    @property
    def disk_is_full(self) -> bool:
        return self.scheduler.monotonic < self._disk_full_until

    @property
    def database_is_away(self) -> bool:
        return self.scheduler.monotonic < self._away_until

    def refuse_database(self) -> None:
        """Raise what the driver raises while the database is away."""
        if self.database_is_away:
            raise sqlite3.OperationalError("unable to open database file")

    def refuse_file(self) -> None:
        """Raise what the system raises while the disk is full."""
        if self.disk_is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    # ---------------------------------------------------------------------------------------------------- between steps

    def strike(self, task: Task) -> tuple[str, Process | None]:
        """Draw what happens after a step of a task; return it in words, and the process to kill."""
        seconds = self.random.random() * LONGEST_OUTAGE
        delicate = task.at in DELICATE and not task.done
        if self.happens(self.rates.delicate_kill if delicate else self.rates.kill):
            self.count("kills")
            return f"kill {task.process.name} at {task.at}", task.process
        if self.happens(self.rates.disk):
            self.count("full disks")
            self._disk_full_until = self.scheduler.monotonic + seconds
            return f"the disk is full for {seconds:.1f} s", None
        if self.happens(self.rates.database):
            self.count("outages")
            self._away_until = self.scheduler.monotonic + seconds
            return f"the database is away for {seconds:.1f} s", None
        if self.happens(self.rates.clock):
            self.count("clock jumps")
            by = timedelta(minutes=self.random.randint(-2 * 24 * 60, 2 * 24 * 60))
            self.scheduler.jump(by)
            return f"the clock jumps by {by}", None
        return "", None
