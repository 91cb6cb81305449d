"""Run one seed: let tasks and faults take turns, and check the invariants after every step."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from arpad.office.lists import block_rows as list_blocks
from arpad.office.lists import page_rows as rating_counts
from arpad.office.office import open_office
from arpad.store import jobs
from arpad.system.batches import gc_paused
from arpad.worker.kinds import load_work
from tests.simulation.actors import Cast
from tests.simulation.faults import Faults
from tests.simulation.invariants import Broken, Invariants
from tests.simulation.network import Network
from tests.simulation.scheduler import Process, Scheduler, Task
from tests.simulation.seams import Seams, installed
from tests.simulation.world import copied_office, first_office, worker_kinds

STEPS = 300
SWITCHING = (0.02, 0.05, 0.1, 0.3)
QUIET_ROUNDS = 60
QUIET_STEPS = 60
VERIFIED_ACTS = 12
"""After how many acts the whole office is verified in the middle of a run."""

MEMORY = Path("/dev/shm")  # noqa: S108  folders of our own inside

KEPT_TABLES = (
    *(list_blocks._tables, list_blocks._ratings),
    *(rating_counts._LAST, rating_counts._LAST_COUNTS),
)
"""The tables that a process keeps by their digests: what is kept is not read, and each read is a place to give way."""

Defect = Callable[[Seams], AbstractContextManager[object]]


@dataclass
class Outcome:
    """How a run went."""

    seed: int
    steps: int = 0
    acts: int = 0
    mails: int = 0
    lists_compared: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)
    broken: str = ""
    events: list[str] = field(default_factory=list)

    def digest(self) -> str:
        """Return the SHA-256 of everything that happened: two runs of a seed have the same."""
        return sha256("\n".join(self.events).encode()).hexdigest()

    def line(self) -> str:
        """Return one line for a person."""
        faults = ", ".join(f"{count} {name}" for name, count in sorted(self.faults.items()))
        return (
            f"seed {self.seed} {self.digest()[:8]}: {self.steps} steps, {self.acts} acts, {self.mails} mails, "
            f"{self.lists_compared} live lists compared; {faults or 'no faults'}; {self.broken or 'all holds'}"
        )


@contextmanager
def silent(*names: str) -> Iterator[None]:
    """Log nothing: the faults of a run are meant to happen."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def run_seed(
    seed: int,
    *,
    steps: int = STEPS,
    defect: Defect | None = None,
    verified_acts: int = VERIFIED_ACTS,
    to_end: bool = True,
) -> Outcome:
    """Run a seed; the outcome says which invariant broke at which step, if one did.

    A run begins as in a new process, so that it is the same alone and after others. Without ``to_end`` it stops
    after its steps, and nothing is owed.
    """
    for kind in worker_kinds().values():
        load_work(kind)  # before the clock is simulated
    first_office()
    for tables in KEPT_TABLES:
        tables.clear()
    random = Random(seed)  # noqa: S311  a test
    scheduler = Scheduler(random, random.choice(SWITCHING))
    faults = Faults(random, scheduler)
    network = Network(scheduler, faults)
    outcome = Outcome(seed, faults=faults.counts)
    with TemporaryDirectory(prefix="arpad-simulation-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        place = copied_office(Path(folder))
        with (
            gc_paused(),
            silent("arpad.worker", "sqlalchemy.pool"),
            installed(scheduler, faults, network) as seams,
            defect(seams) if defect is not None else nullcontext(),
        ):
            cast = Cast(seed, scheduler, place, outcome.events.append)
            invariants = Invariants(place, cast.clock, seams, network, cast.promises, verified_acts)
            with closing(invariants):
                try:
                    _Run(scheduler, faults, cast, invariants, outcome).go(steps, to_end=to_end)
                except Broken as error:
                    outcome.broken = f"step {outcome.steps}: {error}"
                except Exception as error:  # noqa: BLE001  an actor that ends with a traceback is a failure too
                    outcome.broken = f"step {outcome.steps}: {type(error).__name__}: {error}"
            scheduler.finish()
    outcome.acts, outcome.mails = cast.promises.acts, len(network.mails)
    outcome.lists_compared = invariants.compared_live
    return outcome


@dataclass
class _Run:
    scheduler: Scheduler
    faults: Faults
    cast: Cast
    invariants: Invariants
    outcome: Outcome

    def go(self, steps: int, *, to_end: bool) -> None:
        self.cast.start_all()
        for _ in range(steps):
            task = self._step()
            event, killed = self.faults.strike(task)
            if event:
                self.outcome.events.append(event)
            if killed is not None:
                self.scheduler.kill(killed)
                self.cast.start(killed.name)
                self.invariants.check()
        if to_end:
            self._end()

    def _step(self) -> Task:
        self.outcome.steps += 1
        task = self.scheduler.step()
        self.outcome.events.append(f"{self.outcome.steps} {task.process.name} {task.name} {task.at}")
        self.invariants.check()
        return task

    def _end(self) -> None:
        """Let nothing fail any more; then everything that is owed must be done."""
        self.outcome.events.append("the faults end")
        self.faults.calm()
        self.cast.resting = True
        for _ in range(QUIET_ROUNDS):
            for _ in range(QUIET_STEPS):
                self._step()
            if not self.invariants.unsettled():
                break
            self.scheduler.start(Process("administrator"), "retry", self._retry)
            self.scheduler.jump(timedelta(hours=13))
        unsettled = [(job.kind, job.state, job.error) for job in self.invariants.unsettled()]
        if unsettled:
            raise Broken(f"jobs are never done: {unsettled[:5]}")
        self.invariants.check_end()

    def _retry(self) -> None:
        """Try again what was given up, as an administrator does."""
        office = open_office(self.cast.place.database, author="administrator")
        with office.store.writing() as connection:
            for kind in worker_kinds():
                jobs.retry(connection, kind)
