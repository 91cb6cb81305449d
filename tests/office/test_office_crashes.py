"""Killed at any instant: the office is as before the act or as after it, and what was acknowledged is there."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad import office as verbs
from tests.builders.offices import FEW, STANDARD, Clock, Desk, event, list_bytes, listed, trf

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
ROUNDS = """
1 2000 | 2w1 3b=
2 1950 | 1b0 4w1
3 1900 | 4w= 1w=
4 1850 | 3b= 2b0
"""
FIRST = 1
PATIENCE = 1800  # only what hangs fails, however busy the machine
ACTS = ("import", "submit", "accept", "publish", "revise")

# One act in a process of its own; it says so before it starts and once it is done.
PROGRAM = """
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from arpad import office as verbs
from arpad.model.rules import ListName

verb, place, folder = sys.argv[1:4]
office = verbs.open_office(place, now=lambda: datetime(2018, 2, 20, 12, tzinfo=UTC), author="Crash")
print("begun", flush=True)
if verb == "import":
    verbs.import_list(office, Path(folder, "rapid.txt"), ListName.RAPID, date(2018, 1, 1))
elif verb == "submit":
    verbs.submit(office, Path(folder, "second.trf").read_bytes(), "second.trf")
elif verb == "accept":
    verbs.accept(office, 2)
elif verb == "publish":
    verbs.publish(office, ListName.STANDARD, date(2018, 3, 1), Path(folder, "lists"), kinds=("canonical", "txt"))
else:
    verbs.revise(office, ListName.STANDARD, Path(folder, "lists"), reason="x", kinds=("canonical", "txt"))
print("done", flush=True)
"""


def prepared(folder: Path, place: str, verb: str, begun: Path) -> None:
    """An office one act before the one that is killed."""
    if "://" in place:
        _begin(folder, place)
    else:
        shutil.copytree(begun, folder, dirs_exist_ok=True)
    clock = Clock(date(2018, 2, 20))
    desk = Desk(verbs.open_office(place, now=clock, author="T. Officer"), clock, folder, place)
    if verb in ("accept", "publish"):
        sent = desk.send(event("Second", ROUNDS, date(2018, 2, 10)))
        if verb == "publish":
            verbs.accept(desk.office, sent.report)
    if verb == "revise":
        verbs.withdraw(desk.office, FIRST, "test")
    desk.office.close()


def _begin(folder: Path, place: str) -> None:
    """A list of our own with one report, and what is taken over or sent in later."""
    desk = Desk.made(place, folder, Clock())
    desk.list(JAN, *[listed(number, 2050 - 50 * number) for number in range(1, 5)])
    assert desk.report(event("First", ROUNDS, date(2018, 1, 10))) == FIRST
    desk.publish(FEB)
    (folder / "rapid.txt").write_bytes(
        list_bytes(JAN, *[listed(number, 1800, 20) for number in range(1, 3000)])
    )
    (folder / "second.trf").write_bytes(trf(event("Second", ROUNDS, date(2018, 2, 10))))
    desk.office.close()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That office in SQLite, made once."""
    folder = tmp_path_factory.mktemp("begun")
    _begin(folder, str(folder / "office.db"))
    return folder


def kill_once(folder: Path, place: str, verb: str, delay: float) -> bool:
    """Start the act, kill it after a while; whether it had said that it was done."""
    command = [sys.executable, "-c", PROGRAM, verb, place, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        return "done" in process.stdout.read()


def survives(folder: Path, place: str, verb: str, dice: random.Random, begun: Path) -> None:
    prepared(folder, place, verb, begun)
    office = verbs.open_office(place, now=Clock(date(2018, 2, 20)), author="Test")
    before = verbs.ledger(office)
    old_files = {path.name: path.read_bytes() for path in (folder / "lists").iterdir()}
    office.close()

    done = kill_once(folder, place, verb, dice.choice((0, 0.01, 0.03, 0.1, 0.3)) * dice.random())

    after = verbs.ledger(office)
    assert after[: len(before)] == before
    assert len(after) - len(before) in ((1,) if done else (0, 1))
    assert verbs.verify(office).intact
    files = {path.name: path.read_bytes() for path in (folder / "lists").iterdir() if path.name[0] != "."}
    assert old_files.items() <= files.items()
    if verb == "publish":
        again = folder / "again"
        publication = verbs.publish(office, STANDARD, MAR, again, kinds=FEW)
        for name, data in files.items():
            if name.startswith(publication.name):
                assert (again / name).read_bytes() == data, name
    office.close()


@pytest.mark.parametrize("verb", ACTS)
def test_an_act_that_is_killed_happened_or_did_not(
    tmp_path: Path, place: str, verb: str, begun: Path
) -> None:
    survives(tmp_path, place, verb, random.Random(verb), begun)  # noqa: S311


@pytest.mark.deep
@pytest.mark.parametrize("turn", range(60))
@pytest.mark.parametrize("verb", ACTS)
def test_many_acts_are_killed(tmp_path: Path, sqlite_place: str, verb: str, turn: int, begun: Path) -> None:
    survives(tmp_path, sqlite_place, verb, random.Random(f"{verb} {turn}"), begun)  # noqa: S311


# ------------------------------------------------------------------------------------- several at the same time

SENDER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from arpad import office as verbs

place, folder, name = sys.argv[1:4]
office = verbs.open_office(place, now=lambda: datetime(2018, 1, 20, 12, tzinfo=UTC), author=name)
for path in sorted(Path(folder, "incoming").iterdir()):
    sent = verbs.submit(office, path.read_bytes(), path.name)
    if not sent.again:
        verbs.accept(office, sent.report)
"""
CLOSER = """
import sys
from datetime import UTC, date, datetime
from arpad import office as verbs
from arpad.model.rules import ListName

office = verbs.open_office(sys.argv[1], now=lambda: datetime(2018, 2, 1, 12, tzinfo=UTC), author="closer")
print(verbs.publish(office, ListName.STANDARD, date(2018, 2, 1)).digest)
"""


@pytest.fixture
def eight_waiting(desk: Desk) -> Desk:
    """An office with a list, closed; eight reports lie in the folder ``incoming``."""
    desk.list(JAN, *[listed(number, 2050 - 50 * number) for number in range(1, 5)])
    incoming = desk.folder / "incoming"
    incoming.mkdir()
    for number in range(8):
        report = event(f"Event {number}", ROUNDS, date(2018, 1, 2 + number))
        report = replace(report, header=replace(report.header, city=f"Town {number}"))
        (incoming / f"{number}.trf").write_bytes(trf(report))
    desk.office.close()
    return desk


def started(*programs: list[str]) -> list[subprocess.Popen[str]]:
    """Programs with their arguments, each in a process of its own."""
    return [
        subprocess.Popen(
            [sys.executable, "-c", *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for program in programs
    ]


def sender(desk: Desk, number: int) -> list[str]:
    return [SENDER, desk.place, str(desk.folder), f"sender {number}"]


def test_several_processes_send_then_several_close(eight_waiting: Desk) -> None:
    desk = eight_waiting
    for process in started(*(sender(desk, number) for number in range(3))):
        assert process.communicate(timeout=PATIENCE)[1] == ""
    closers = started(*[[CLOSER, desk.place]] * 3)
    said = [closer.communicate(timeout=PATIENCE) for closer in closers]

    assert [err for _, err in said] == [""] * 3
    assert len({digest for digest, _ in said}) == 1
    filed = verbs.reports_on_file(desk.office)
    assert sorted(found.name for found in filed) == [f"Event {number}" for number in range(8)]
    assert {found.status for found in filed} == {"accepted"}
    assert [act.verb for act in verbs.ledger(desk.office)].count("publish") == 1
    assert verbs.verify(desk.office).intact
    # eight times the same four games between equals of the list: each event is counted once
    change = verbs.explain(desk.office, 1, STANDARD, FEB).change
    assert change is not None
    assert change.games == 16


def test_reports_come_in_while_the_period_is_closed(eight_waiting: Desk) -> None:
    """Senders and closers at the same moment: a report is on this list or, too late for it, on the next one."""
    desk = eight_waiting
    running = started(sender(desk, 0), sender(desk, 1), *[[CLOSER, desk.place]] * 2)
    said = [process.communicate(timeout=PATIENCE) for process in running]
    verbs.publish(desk.office, STANDARD, MAR)

    assert [err for _, err in said] == [""] * 4
    assert said[2][0] == said[3][0], "both closers tell the same list"
    filed = verbs.reports_on_file(desk.office)
    assert sorted(found.name for found in filed) == [f"Event {number}" for number in range(8)]
    played = []
    for day in (FEB, MAR):
        told = verbs.explain(desk.office, 1, STANDARD, day)
        on_this_list = told.since is not None and told.since.day == day  # else the change of an earlier one
        played.append(told.change.games if told.change and on_this_list else 0)
    assert sum(played) == 16, "eight events of two games, each counted once"
    assert verbs.verify(desk.office).intact
