"""No mail is lost, and none comes twice beyond the stated window, whatever is killed: worker, mail server, database."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from arpad.office.mails import queue_mail
from arpad.office.office import Office
from arpad.store.jobs import Job, JobState
from tests.builders.offices import Clock, Desk
from tests.paths import ROOT
from tests.worker.mail_office import mails_of, set_up_mail


class Killed:
    """A process that is killed and started again."""

    def __init__(self, *words: str) -> None:
        self.words = [sys.executable, "-m", *words]
        self.start()

    def start(self) -> None:
        self.is_ready = False
        self.process = subprocess.Popen(
            self.words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def first_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()

    def wait_until_ready(self) -> None:
        if not self.is_ready:
            self.is_ready = self.first_line() == "ready"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def kill(self) -> None:
        self.end()
        self.start()


@contextmanager
def running(*words: str) -> Iterator[Killed]:
    process = Killed(*words)
    try:
        yield process
    finally:
        process.end()


def end_connections(office: Office) -> None:
    """End every other connection to a PostgreSQL database."""
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    with office.store.reading() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))  # noqa: S608


def send_through_kills(
    place: str, folder: Path, kills: list[str], dice: random.Random, count: int
) -> tuple[int, int]:
    """Send mails while something is killed again and again; return how many mails there were, and how many doubles."""
    office = Desk.made(place, folder, Clock()).office
    taken = folder / "taken"
    taken.touch()
    with ExitStack() as stack:
        server = stack.enter_context(running("tests.builders.mail_server", "0", str(taken)))
        port = server.first_line()
        server.words[-2] = port
        set_up_mail(office, int(port))
        workers = [stack.enter_context(running("tests.worker.killed_worker", place)) for _ in range(count)]
        keys: list[str] = []
        for what in kills:
            with office.store.writing() as connection:
                keys += [
                    queue_mail(
                        connection, "test", f"a{len(keys) + each}@example.org", language="en", path="/"
                    )
                    for each in range(3)
                ]
            victim = dice.choice(workers)
            victim.wait_until_ready()
            time.sleep(dice.random() * 0.8)
            if what == "worker":
                victim.kill()
            elif what == "server":
                server.kill()
            else:
                end_connections(office)
        while {job.state for job in mails_of(office)} != {JobState.DONE}:
            time.sleep(0.2)
    sent = mails_of(office)
    office.close()
    return len(keys), _doubles(keys, sent, taken)


def _doubles(keys: list[str], sent: list[Job], taken: Path) -> int:
    """Return how many mails were taken twice; all were taken, none more often than an attempt was noted."""
    offered = {f"<{job.key}@example.org>": job.payload["offered"] for job in sent}
    counted = Counter(taken.read_text(encoding="ascii").split())
    assert len(keys) == len(offered)
    assert counted.keys() == offered.keys()
    assert {number: count for number, count in counted.items() if count > offered[number]} == {}
    return sum(counted.values()) - len(keys)


def test_no_mail_is_lost_when_the_worker_or_the_server_is_killed(tmp_path: Path) -> None:
    dice = random.Random(4)  # noqa: S311  a test
    mails, doubles = send_through_kills(str(tmp_path / "office.db"), tmp_path, ["server", "worker"], dice, 1)
    assert mails == 6
    assert doubles <= 2


@pytest.mark.deep
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_no_mail_is_lost_in_200_kills(place: str, tmp_path: Path) -> None:
    dice = random.Random()  # noqa: S311  a test
    kills = [dice.choice(["worker", "server", "database"]) for _ in range(200)]
    mails, doubles = send_through_kills(place, tmp_path, kills, dice, 2)
    print(f"{mails} mails, {dict(Counter(kills))}, {doubles} came twice")  # noqa: T201  the figure of the run
    assert doubles <= len(kills)
