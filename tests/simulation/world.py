"""The office at the beginning of a simulation: made once, copied for each seed."""

import shutil
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from arpad.office.proof.signing_keys import make_signing_key
from arpad.office.settings.acts import change_settings
from arpad.office.users import Role
from arpad.office.webhooks.acts import add_webhook
from arpad.worker.kinds import KINDS, Kind
from tests.builders.offices import Clock, Desk
from tests.builders.random_acts import random_office
from tests.office.mail.mail_office import add_person, set_up_mail
from tests.simulation.scheduler import Scheduler

FIRST_LIST = date(2018, 1, 1)
OFFICER, ARBITERS, WORKERS = "officer", ("anna", "bruno"), ("worker 1", "worker 2")
SIMULATED_KINDS = (
    "changes", "webhook", "notices", "live", "live-received", "mail", "forget-jobs", "forget-webhooks", "checkpoint",
)  # fmt: skip


def worker_kinds() -> dict[str, Kind]:
    """Return the jobs that the workers of a simulation do; verifying is done after every step anyway."""
    return {name: KINDS[name] for name in SIMULATED_KINDS}


class SimulatedClock(Clock):
    """The clock of an office in a simulation; whoever sets its day lets the clock of the machine jump."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def __call__(self) -> datetime:
        return self._scheduler.now()

    @property
    def day(self) -> date:
        return self._scheduler.now().date()

    @day.setter
    def day(self, day: date) -> None:
        now = self._scheduler.now()
        if day > now.date():
            self._scheduler.jump(datetime.combine(day, time(12), now.tzinfo) - now)


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one run."""

    folder: Path

    @property
    def database(self) -> str:
        return str(self.folder / "office.db")

    @property
    def lists(self) -> Path:
        return self.folder / "lists"


@cache
def first_office() -> TemporaryDirectory[str]:
    """Return a folder with the office that every simulation begins with; it is deleted with this process."""
    temporary = TemporaryDirectory(prefix="arpad-simulation-")
    folder = Path(temporary.name)
    clock = Clock(FIRST_LIST)
    desk = Desk.made(str(folder / "office.db"), folder, clock)
    with patch("arpad.office.webhooks.acts.checked_addresses"):
        add_webhook(desk.office, "https://receiver.example.org/hook")
    random_office(desk, Random(0), start=FIRST_LIST)  # noqa: S311  a test
    make_signing_key(desk.office, "bellariva")
    set_up_mail(desk.office, 25, live_lists="public")
    add_person(desk.office, OFFICER, Role.OFFICER)
    for login in ARBITERS:
        add_person(desk.office, login)
    change_settings(desk.office, set_={"time_zone": "Europe/Rome"})
    desk.office.close()
    return temporary


def copied_office(folder: Path) -> Place:
    """Return a copy of the first office."""
    shutil.copytree(first_office().name, folder, dirs_exist_ok=True)
    place = Place(folder)
    place.lists.mkdir(exist_ok=True)
    return place
