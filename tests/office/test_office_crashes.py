"""Killed at any instant: the office is as before the act or as after it, and what was acknowledged is there."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pytest

from arpad.office.lists.rows import Publication
from tests.builders.chess import event
from tests.builders.office_fixtures import new_database
from tests.builders.offices import STANDARD, Clock, Desk, list_bytes, listed, trf
from tests.builders.verbs import (
    Office,
    accept,
    explain,
    ledger,
    open_office,
    publish,
    reports_on_file,
    verify,
    withdraw,
)
from tests.builders.verbs import publications as office_publications

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
TEXT_KINDS = ("canonical", "txt", "xml", "csv", "sections")

# Runs acts, each in a process forked from this one, which has loaded all modules; each prints its process id
# before it starts and "done" at the end, and this one "ended" after it.
PROGRAM = """
import json, os, sys
from datetime import UTC, date, datetime
from pathlib import Path
from tests.builders import verbs
from arpad.model.rules import ListName

def act(verb, place, folder):
    office = verbs.open_office(place, now=lambda: datetime(2018, 2, 20, 12, tzinfo=UTC), author="Crash")
    print(os.getpid(), flush=True)
    if verb == "import":
        verbs.import_list(office, Path(folder, "rapid.txt"), ListName.RAPID, date(2018, 1, 1))
    elif verb == "submit":
        verbs.submit(office, Path(folder, "second.trf").read_bytes(), "second.trf")
    elif verb == "accept":
        verbs.accept(office, 2)
    elif verb == "draft":
        verbs.draft(office, ListName.STANDARD, date(2018, 3, 1))
    elif verb == "publish":
        kinds = ("canonical", "txt", "xml", "csv", "sections")
        verbs.publish(office, ListName.STANDARD, date(2018, 3, 1), Path(folder, "lists"), kinds=kinds)
    else:
        verbs.revise(office, ListName.STANDARD, Path(folder, "lists"), reason="x", kinds=("canonical", "txt"))
    print("done", flush=True)

while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        act(*json.loads(line))
        os._exit(0)
    sys.stdin.readline()  # until then its number is its own
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


@pytest.fixture(scope="module")
def acting() -> Iterator[subprocess.Popen[str]]:
    """The process that runs the acts of all tests."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def prepared(folder: Path, place: str, verb: str, begun: Path) -> None:
    """An office one act before the one that is killed."""
    if "://" in place:
        _begin(folder, place)
    else:
        shutil.copytree(begun, folder, dirs_exist_ok=True)
    clock = Clock(date(2018, 2, 20))
    desk = Desk(open_office(place, now=clock, author="T. Officer"), clock, folder, place)
    if verb in ("accept", "publish"):
        sent = desk.send(event("Second", ROUNDS, date(2018, 2, 10)))
        if verb == "publish":
            accept(desk.office, sent.report)
    if verb == "revise":
        withdraw(desk.office, FIRST, reason="test")
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


def start_act(acting: subprocess.Popen[str], folder: Path, place: str, verb: str) -> int:
    """Start an act; return the number of its process."""
    assert acting.stdin is not None
    assert acting.stdout is not None
    print(json.dumps([verb, place, str(folder)]), file=acting.stdin, flush=True)
    return int(acting.stdout.readline())


def kill_once(acting: subprocess.Popen[str], folder: Path, place: str, verb: str, delay: float) -> bool:
    """Start an act and kill its process after a while; return whether it had printed that it was done."""
    process = start_act(acting, folder, place, verb)
    time.sleep(delay)
    os.kill(process, signal.SIGKILL)
    assert acting.stdin is not None
    assert acting.stdout is not None
    print(file=acting.stdin, flush=True)
    printed = list(iter(acting.stdout.readline, "ended\n"))
    return "done\n" in printed


def survives(
    acting: subprocess.Popen[str], folder: Path, place: str, verb: str, dice: random.Random, begun: Path
) -> None:
    """Kill an act at a random moment; the office is intact, with the act or without it."""
    prepared(folder, place, verb, begun)
    office = open_office(place, now=Clock(date(2018, 2, 20)), author="Test")
    before = ledger(office)
    old_files = {path.name: path.read_bytes() for path in (folder / "lists").iterdir()}
    office.close()

    done = kill_once(acting, folder, place, verb, dice.choice((0, 0.01, 0.03, 0.1, 0.3)) * dice.random())

    after = ledger(office)
    assert after[: len(before)] == before
    assert len(after) - len(before) in ((1,) if done else (0, 1))
    assert verify(office).intact
    files = {path.name: path.read_bytes() for path in (folder / "lists").iterdir() if path.name[0] != "."}
    assert old_files.items() <= files.items()
    if verb == "publish":
        again = folder / "again"
        publication = publish(office, STANDARD, MAR, again, kinds=TEXT_KINDS)
        for name, data in files.items():
            if name.startswith(publication.name):
                assert (again / name).read_bytes() == data, name
    office.close()


@pytest.mark.parametrize("verb", ACTS)
def test_an_act_that_is_killed_happened_or_did_not(
    acting: subprocess.Popen[str], tmp_path: Path, sqlite_place: str, verb: str, begun: Path
) -> None:
    survives(acting, tmp_path, sqlite_place, verb, random.Random(verb), begun)  # noqa: S311


@pytest.mark.parametrize(
    "verb", [pytest.param(verb, marks=[pytest.mark.deep] * (verb != "publish")) for verb in ACTS]
)
def test_an_act_that_is_killed_on_postgresql_happened_or_did_not(
    acting: subprocess.Popen[str], tmp_path: Path, postgres_server: str, verb: str, begun: Path
) -> None:
    place = new_database(postgres_server)
    survives(acting, tmp_path, place, verb, random.Random(verb), begun)  # noqa: S311


@pytest.mark.deep
@pytest.mark.parametrize("turn", range(60))
@pytest.mark.parametrize("verb", ACTS)
def test_many_acts_are_killed(
    acting: subprocess.Popen[str], tmp_path: Path, sqlite_place: str, verb: str, turn: int, begun: Path
) -> None:
    survives(acting, tmp_path, sqlite_place, verb, random.Random(f"{verb} {turn}"), begun)  # noqa: S311


@pytest.mark.deep
@pytest.mark.parametrize("turn", range(20))
def test_publishing_is_killed_often_on_postgresql(
    acting: subprocess.Popen[str], tmp_path: Path, postgres_server: str, turn: int, begun: Path
) -> None:
    place = new_database(postgres_server)
    survives(acting, tmp_path, place, "publish", random.Random(f"publish {turn}"), begun)  # noqa: S311


# ------------------------------------------------------------------------------------------ a long list, killed often

LONG_LIST = 5_000
KILLS = {"draft": 50, "publish": 200}
"""How many times the process is killed before it is done."""


@dataclass(frozen=True, slots=True)
class LongList:
    """An office before the list of March, and the list as it is when nobody kills."""

    folder: Path
    publications: tuple[Publication, ...]
    expected: Publication
    files: Mapping[str, bytes]


@pytest.fixture(scope="module")
def long_list(tmp_path_factory: pytest.TempPathFactory) -> LongList:
    """A list long enough to be stored in several pieces, with two reports for the next one."""
    folder = tmp_path_factory.mktemp("long")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    with closing(desk.office):
        desk.list(JAN, *[listed(number, 2400 - number // 10) for number in range(1, LONG_LIST + 1)])
        desk.report(event("First", ROUNDS, date(2018, 1, 10)))
        desk.publish(FEB)
        desk.report(event("Second", ROUNDS, date(2018, 2, 10)))
        before = office_publications(desk.office)
    expected, files = _finish(folder, tmp_path_factory.mktemp("expected"))
    return LongList(folder, before, expected, files)


def _finish(begun: Path, folder: Path) -> tuple[Publication, dict[str, bytes]]:
    """Publish the list of March on a copy of an office; return it with its files."""
    shutil.copytree(begun, folder, dirs_exist_ok=True)
    with closing(_open(folder)) as office:
        publication = publish(office, STANDARD, MAR, folder / "lists", kinds=TEXT_KINDS)
    return publication, _files_of(folder / "lists", publication)


def _open(folder: Path) -> Office:
    return open_office(str(folder / "office.db"), now=Clock(date(2018, 2, 20)), author="Test")


def _files_of(folder: Path, publication: Publication) -> dict[str, bytes]:
    """Return the files of a list by name; what has a temporary name is not one of them."""
    return {path.name: path.read_bytes() for path in folder.glob(f"{publication.name}*")}


@pytest.mark.deep
@pytest.mark.parametrize("verb", KILLS)
def test_nothing_is_lost_or_half_written_in_hundreds_of_kills(
    acting: subprocess.Popen[str], tmp_path: Path, long_list: LongList, verb: str
) -> None:
    """Kill at moments spread over the whole act, on a new copy of the office each time."""
    dice = random.Random(verb)  # noqa: S311
    seconds = _unhurt(acting, _copy_of(long_list, tmp_path / "whole"), verb)

    killed = stored = 0
    for turn in range(10 * KILLS[verb]):
        folder = _copy_of(long_list, tmp_path / f"{turn}")
        done = kill_once(acting, folder, str(folder / "office.db"), verb, dice.random() * seconds)
        killed += not done
        seconds *= 0.95 if done else 1.02  # a busy machine may become free, or the other way round
        stored += _survived(long_list, folder, verb, done=done) and not done
        shutil.rmtree(folder)
        if killed >= KILLS[verb]:
            break
    assert killed == KILLS[verb]
    assert 0 < stored < killed or verb == "draft", "killed before and after the list was stored"


def _unhurt(acting: subprocess.Popen[str], folder: Path, verb: str) -> float:
    """Return the seconds that an act takes that nobody kills."""
    begun = time.perf_counter()
    start_act(acting, folder, str(folder / "office.db"), verb)
    assert acting.stdin is not None
    assert acting.stdout is not None
    assert acting.stdout.readline() == "done\n"
    seconds = time.perf_counter() - begun
    print(file=acting.stdin, flush=True)
    assert acting.stdout.readline() == "ended\n"
    return seconds


def _copy_of(long_list: LongList, folder: Path) -> Path:
    shutil.copytree(long_list.folder, folder)
    return folder


def _survived(long_list: LongList, folder: Path, verb: str, *, done: bool) -> bool:
    """Compare an office after a kill with the one before and the one where nobody killed.

    Return whether the list of March is published.
    """
    expected = long_list.expected
    with closing(_open(folder)) as office:
        publications = office_publications(office)
        assert publications[: len(long_list.publications)] == long_list.publications
        new = publications[len(long_list.publications) :]
        assert [publication.digest for publication in new] in (
            [[expected.digest]] if done and verb == "publish" else [[], [expected.digest]]
        )
        assert not new or verb == "publish"
        assert verify(office).intact
        files = _files_of(folder / "lists", expected)
        assert files.items() <= long_list.files.items(), "complete or absent"
        assert not files or new, "no file of a list that is not published"
        assert files.keys() == long_list.files.keys() or not done or verb == "draft"
        again = publish(office, STANDARD, MAR, folder / "lists", kinds=TEXT_KINDS)
        assert (again.digest, again.standings_digest, again.inputs_digest) == (
            expected.digest, expected.standings_digest, expected.inputs_digest,
        )  # fmt: skip
    assert _files_of(folder / "lists", expected) == long_list.files
    return bool(new)


# ------------------------------------------------------------------------------------- several at the same time

# Runs several acts at the same time, each in a process forked from this one, which has loaded all modules. A publisher
# writes the digest of its list to a file with its name.
TOGETHER = """
import json, os, sys
from datetime import UTC, date, datetime
from pathlib import Path
from tests.builders import verbs
from arpad.model.rules import ListName

def send(place, folder, name):
    office = verbs.open_office(place, now=lambda: datetime(2018, 1, 20, 12, tzinfo=UTC), author=name)
    for path in sorted(Path(folder, "incoming").iterdir()):
        sent = verbs.submit(office, path.read_bytes(), path.name)
        if not sent.again:
            verbs.accept(office, sent.report)
    office.close()

def publish(place, folder, name):
    office = verbs.open_office(place, now=lambda: datetime(2018, 2, 1, 12, tzinfo=UTC), author=name)
    Path(folder, name).write_text(verbs.publish(office, ListName.STANDARD, date(2018, 2, 1)).digest)
    office.close()

place, folder, stages = json.loads(sys.argv[1])
for names in stages:
    children = []
    for name in names:
        child = os.fork()
        if child == 0:
            (publish if name.startswith("publisher") else send)(place, folder, name)
            os._exit(0)
        children.append(child)
    if any([os.waitpid(child, 0)[1] for child in children]):
        sys.exit(1)
"""
SENDERS, PUBLISHERS = ("sender 1", "sender 2"), ("publisher 1", "publisher 2")


def run_together(desk: Desk, *stages: tuple[str, ...]) -> list[str]:
    """Let the processes of each stage act at the same time; return the digests that the publishers got."""
    arguments = json.dumps([desk.place, str(desk.folder), stages])
    run = subprocess.run(
        [sys.executable, "-c", TOGETHER, arguments],
        capture_output=True, check=False, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    return [(desk.folder / name).read_text(encoding="utf-8") for name in PUBLISHERS]


@pytest.fixture
def four_waiting(desk: Desk) -> Desk:
    """An office with a list, closed; four reports are in the folder ``incoming``."""
    desk.list(JAN, *[listed(number, 2050 - 50 * number) for number in range(1, 5)])
    incoming = desk.folder / "incoming"
    incoming.mkdir()
    for number in range(4):
        report = event(f"Event {number}", ROUNDS, date(2018, 1, 2 + number))
        report = replace(report, header=replace(report.header, city=f"Town {number}"))
        (incoming / f"{number}.trf").write_bytes(trf(report))
    desk.office.close()
    return desk


@pytest.mark.deep
def test_several_processes_send_then_several_publish(four_waiting: Desk) -> None:
    desk = four_waiting
    digests = run_together(desk, SENDERS, PUBLISHERS)

    assert len(set(digests)) == 1
    filed = reports_on_file(desk.office)
    assert sorted(report.name for report in filed) == [f"Event {number}" for number in range(4)]
    assert {report.status for report in filed} == {"accepted"}
    assert [act.verb for act in ledger(desk.office)].count("publish") == 1
    assert verify(desk.office).intact
    # four times the same four games between equals of the list: each event is counted once
    change = explain(desk.office, 1, STANDARD, FEB).change
    assert change is not None
    assert change.games == 8


@pytest.mark.deep
def test_reports_arrive_while_the_list_is_published(four_waiting: Desk) -> None:
    """Senders and publishers at the same moment: a report is on this list or, too late for it, on the next one."""
    desk = four_waiting
    digests = run_together(desk, (*SENDERS, *PUBLISHERS))
    publish(desk.office, STANDARD, MAR)

    assert digests[0] == digests[1], "both publishers return the same list"
    filed = reports_on_file(desk.office)
    assert sorted(report.name for report in filed) == [f"Event {number}" for number in range(4)]
    played = []
    for day in (FEB, MAR):
        explanation = explain(desk.office, 1, STANDARD, day)
        on_this_list = (
            explanation.since is not None and explanation.since.day == day
        )  # else of an earlier list
        played.append(explanation.change.games if explanation.change and on_this_list else 0)
    assert sum(played) == 8, "four events of two games, each counted once"
    assert verify(desk.office).intact
