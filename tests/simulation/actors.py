"""The people and programs of a simulation: an officer, arbiters and workers, each in a process that may be killed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from random import Random

from arpad.model.errors import ArpadError, BadInput
from arpad.office.lists.rows import Publication
from arpad.office.mail.acts import retry_mails
from arpad.office.office import Office, open_office
from arpad.worker import loop
from tests.builders.offices import FEW, STANDARD, Desk, trf
from tests.builders.random_acts import _WEIGHTS, RAPID, RandomActs
from tests.builders.verbs import draft as office_draft
from tests.builders.verbs import publish as office_publish
from tests.builders.verbs import submit
from tests.simulation.scheduler import Process, Scheduler, SimulatedEvent
from tests.simulation.world import ARBITERS, FIRST_LIST, OFFICER, WORKERS, Place, SimulatedClock, worker_kinds

LEASE = timedelta(seconds=60)
OFFICER_ACTS = {
    **{name: weight for name, weight in _WEIGHTS.items() if name != "hide"},
    "publish": 2.5, "publish_again": 1, "draft": 0.7, "retry_mails": 0.5,
}  # fmt: skip
"""Hiding a player is left out, since it changes files by right."""


@dataclass
class Promises:
    """The things that the office has acknowledged to somebody."""

    reports: dict[str, int] = field(default_factory=dict)
    """The digest of the bytes → the report."""

    lists: list[Publication] = field(default_factory=list)
    """The lists whose files were all written."""

    broken: list[str] = field(default_factory=list)
    acts: int = 0


class OfficerActs(RandomActs):
    """The officer's acts: lists are published with their files."""

    promises: Promises
    place: Place

    def publish(self) -> None:
        on_list = self.random.choice((STANDARD, STANDARD, RAPID))
        day = self.next_day(on_list)
        self.desk.on(day - timedelta(days=2))
        publication = office_publish(self.desk.office, on_list, day, self.place.lists, kinds=FEW)
        if on_list == STANDARD:
            self.opened = day
        self.promises.lists.append(publication)

    def publish_again(self) -> None:
        """Publish the last list a second time: only its files are written again."""
        if self.promises.lists:
            last = self.promises.lists[-1]
            again = office_publish(self.desk.office, last.list, last.day, self.place.lists, kinds=FEW)
            self.promises.lists.append(again)

    def draft(self) -> None:
        on_list = self.random.choice((STANDARD, RAPID))
        office_draft(self.desk.office, on_list, self.next_day(on_list))

    def retry_mails(self) -> None:
        retry_mails(self.desk.office)


class Cast:
    """Starts the processes, again after each kill."""

    def __init__(self, seed: int, scheduler: Scheduler, place: Place, note: Callable[[str], None]) -> None:
        self.scheduler = scheduler
        self.place = place
        self.note = note
        self.clock = SimulatedClock(scheduler)
        self.promises = Promises()
        self.resting = False
        self._random = Random(f"actors {seed}")  # noqa: S311  a test
        self._officer = OfficerActs(*self._start_of(seed, OFFICER))
        self._officer.promises, self._officer.place = self.promises, place
        self._arbiters = {login: RandomActs(*self._start_of(seed, login)) for login in ARBITERS}
        for at, acts in enumerate(self._arbiters.values(), start=1):
            acts.sent = 1000 * at
        self._unsent: dict[str, bytes] = {}

    def _start_of(self, seed: int, name: str) -> tuple[Desk, Random, date]:
        desk = Desk(None, self.clock, self.place.folder, self.place.database)  # type: ignore[arg-type]
        return desk, Random(f"{name} {seed}"), FIRST_LIST  # noqa: S311  a test

    def start_all(self) -> None:
        for name in (OFFICER, *ARBITERS, *WORKERS):
            self.start(name, 1.0)

    def start(self, name: str, within: float = 60.0) -> None:
        """Start a process after a while."""
        process, seconds = Process(name), self._random.random() * within

        def run() -> None:
            self.scheduler.wait(None, seconds, "start")
            office = self._opened(name)
            if name in WORKERS:
                loop.work(office, SimulatedEvent(self.scheduler), kinds=worker_kinds(), lease=LEASE)  # type: ignore[arg-type]
            else:
                self._live(name, office)

        self.scheduler.start(process, name, run)

    def _opened(self, name: str) -> Office:
        while True:
            try:
                return open_office(self.place.database, now=self.clock, author=name)
            except ArpadError:  # the database is away
                self.scheduler.wait(None, 2.0, "database")

    def _live(self, name: str, office: Office) -> None:
        """Act again and again, as a person does."""
        acts = self._officer if name == OFFICER else self._arbiters[name]
        acts.desk.office = office
        while not self.resting:
            self.scheduler.wait(None, acts.random.random() * 8, "between acts")
            if self.resting:
                break
            if name == OFFICER:
                self._do(name, *self._officer_act())
            else:
                self._do(name, "send", lambda: self._send(name, acts))
        office.close()

    def _officer_act(self) -> tuple[str, Callable[[], None]]:
        (act,) = self._officer.random.choices([*OFFICER_ACTS], [*OFFICER_ACTS.values()])
        return act, getattr(self._officer, act)

    def _do(self, name: str, act: str, work: Callable[[], None]) -> None:
        """Do an act; if it returns, everything that it wrote must be committed."""
        self.note(f"{name}: {act}")
        task = self.scheduler.current()
        assert task is not None
        try:
            work()
        except BadInput:
            task.rows.clear()  # the office refused it
        except ArpadError as error:
            task.rows.clear()
            self.note(f"{name}: {act} failed: {error.code}")
        else:
            self.promises.acts += 1
            if task.rows:
                self.promises.broken.append(f"{act} of {name} is acknowledged before it is committed")

    def _send(self, login: str, acts: RandomActs) -> None:
        """Send a report until it is acknowledged, and some of them twice."""
        if login not in self._unsent:
            self._unsent[login] = trf(acts._report())
        data = self._unsent[login]
        number = self._submit(acts, data, login)
        if acts.random.random() < 0.4:
            again = self._submit(acts, data, login)
            if again != number:
                self.promises.broken.append(f"one file became the reports {number} and {again}")

    def _submit(self, acts: RandomActs, data: bytes, login: str) -> int:
        try:
            sent = submit(acts.desk.office, data, "report.trf", among_own=True)
        except BadInput:
            self._unsent.pop(login, None)
            raise
        self._unsent.pop(login, None)
        self.promises.reports[sha256(data).hexdigest()] = sent.report
        return sent.report
