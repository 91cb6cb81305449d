"""No mail is lost or doubled, whatever is killed: worker, mail server, database.

Between the last dot of a mail and the answer nobody but the server knows whether it has the mail. An office that holds
such mails back has none twice, and sees those that were held. An office that sends them again (the default) has none
missing, and each that came twice is marked.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from arpad.office.mails import AGAIN, HOLD, UNSURE, queue_mail
from arpad.office.office import Office
from arpad.store.jobs import Job, JobState
from tests.builders.offices import Clock, Desk
from tests.office.mail.mail_office import mails_of, set_up_mail
from tests.paths import ROOT


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
    place: str, folder: Path, kills: list[str], dice: random.Random, count: int, unsure: str
) -> Counts:
    """Send mails while something is killed again and again; return how many there were, and how many came twice."""
    office = Desk.made(place, folder, Clock()).office
    taken = folder / "taken"
    taken.touch()
    with ExitStack() as stack:
        server = stack.enter_context(running("tests.builders.mail_server", "0", str(taken)))
        port = server.first_line()
        server.words[-2] = port
        set_up_mail(office, int(port), mail_unsure=unsure)
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
        while not {job.state for job in mails_of(office)} <= {JobState.DONE, JobState.FAILED}:
            time.sleep(0.2)
    sent = mails_of(office)
    office.close()
    assert len(keys) == len(sent)
    return _counts(sent, taken)


@dataclass(frozen=True)
class Counts:
    """How many mails there were, and what became of them."""

    mails: int
    held: int
    """Left to the office, since the server perhaps has them."""

    marked: int
    """Sent again, since the server perhaps had them."""

    missing: int
    """Neither taken by the server nor held."""

    twice: int
    """Taken by the server more than once."""

    unmarked_twice: int
    """Those of them of which the office does not know it."""


def _counts(sent: list[Job], taken: Path) -> Counts:
    """Return the counts of a run; no mail came more often than an attempt was noted."""
    mails = {f"<{job.key}@example.org>": job for job in sent}
    held = {key for key, job in mails.items() if job.state == JobState.FAILED}
    assert all("mail-unsure" in mails[key].error for key in held)
    marked = {key for key, job in mails.items() if job.payload.get("unsure")}
    times = Counter(taken.read_text(encoding="ascii").splitlines())
    assert times.keys() <= mails.keys()
    assert {key: count for key, count in times.items() if count > mails[key].payload["offered"]} == {}
    twice = {key for key, count in times.items() if count > 1}
    missing = mails.keys() - times.keys() - held
    return Counts(len(sent), len(held), len(marked), len(missing), len(twice), len(twice - marked))


def test_no_mail_is_lost_when_the_worker_or_the_server_is_killed(tmp_path: Path) -> None:
    dice = random.Random(4)  # noqa: S311  a test
    counts = send_through_kills(str(tmp_path / "office.db"), tmp_path, ["server", "worker"], dice, 1, AGAIN)
    assert (counts.mails, counts.held, counts.missing, counts.unmarked_twice) == (6, 0, 0, 0)


@pytest.mark.deep
@pytest.mark.parametrize("unsure", UNSURE)
@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
def test_no_mail_is_lost_or_comes_twice_in_200_kills(place: str, unsure: str, tmp_path: Path) -> None:
    dice = random.Random()  # noqa: S311  a test
    database = ["database"] if "postgresql" in place else []  # SQLite has no process of its own
    kills = [dice.choice(["worker", "server", *database]) for _ in range(200)]
    counts = send_through_kills(place, tmp_path, kills, dice, 2, unsure)
    print(unsure, counts, dict(Counter(kills)))  # noqa: T201  the figures of the run
    assert (counts.missing, counts.unmarked_twice) == (0, 0)
    if unsure == HOLD:
        assert (counts.twice, counts.marked) == (0, 0)
    else:
        assert (counts.held, counts.twice <= counts.marked) == (0, True)
