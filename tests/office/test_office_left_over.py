"""Whatever is killed is completed by running it again, leaves nothing behind, and what is private stays so."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from arpad.store.database import readable_by_others
from tests.builders.chess import event
from tests.builders.offices import FEW, STANDARD, WIN, Clock, Desk, listed
from tests.builders.verbs import backup, export, open_office, restore, verify, withdraw
from tests.builders.verbs import revise as office_revise
from tests.commands import run, run_json

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))

# Runs `revise` for each line of input, in a process forked from this one, which has loaded all modules; it is killed
# at a chosen step: a call of os.fsync or of a rename. Prints the number of steps, or "killed".
KILLED = """
import json, os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from tests.builders import verbs
from arpad.model.rules import ListName

count = 0

def stepping(function, step):
    def stepped(*given, **named):
        global count
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)
    return stepped

def revise(place, out, step):
    os.fsync, os.replace = stepping(os.fsync, step), stepping(os.replace, step)
    Path.replace = stepping(Path.replace, step)
    office = verbs.open_office(place, now=lambda: datetime(2018, 3, 20, 12, tzinfo=UTC), author="Test")
    verbs.revise(office, ListName.STANDARD, Path(out), reason="test", kinds=("canonical", "txt", "xml"))
    print(count, flush=True)

while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        revise(*json.loads(line))
        os._exit(0)
    if os.waitpid(child, 0)[1] == signal.SIGKILL:
        print("killed", flush=True)
"""


@pytest.fixture
def reviser() -> Iterator[subprocess.Popen[str]]:
    """The process that runs ``revise``."""
    command = [sys.executable, "-c", KILLED]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def wrong(sqlite_desk: Desk) -> Desk:
    """An office with two lists that a withdrawn report would change."""
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    desk.publish(MAR)
    withdraw(desk.office, 1, reason="never played")
    return desk


def copied(desk: Desk, place: Path) -> str:
    """The database as it is now, under another name."""
    desk.office.close()
    place.write_bytes(Path(desk.place).read_bytes())
    place.chmod(0o600)
    return str(place)


def revise(reviser: subprocess.Popen[str], place: str, out: Path, step: int) -> str:
    assert reviser.stdin is not None
    assert reviser.stdout is not None
    print(json.dumps([place, str(out), step]), file=reviser.stdin, flush=True)
    return reviser.stdout.readline().strip()


@pytest.mark.deep
@pytest.mark.parametrize("stride", [1, 13])
def test_a_killed_revise_is_completed_by_running_it_again(
    wrong: Desk, reviser: subprocess.Popen[str], tmp_path: Path, stride: int
) -> None:
    """Killed at one step in seven; at each one with the deep tests."""
    whole = tmp_path / "whole"
    steps = int(revise(reviser, copied(wrong, tmp_path / "w.db"), whole, 0))
    expected = {path.name: path.read_bytes() for path in whole.iterdir()}
    assert len(expected) == 2 * (len(FEW) + 1)
    assert steps >= 2 * len(expected)

    for step in {*range(1, steps + 1, stride), steps}:
        place, out = copied(wrong, tmp_path / f"{step}.db"), tmp_path / f"out-{step}"
        assert revise(reviser, place, out, step) == "killed"
        office = open_office(place, now=Clock(date(2018, 3, 20)), author="Test")
        office_revise(office, STANDARD, out, reason="test", kinds=FEW)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == expected, step
        assert verify(office).intact
        office.close()


def test_running_revise_again_says_which_files_it_wrote(
    wrong: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    office_revise(wrong.office, STANDARD, reason="test")
    wrong.office.close()
    asked = ("office", "revise", "standard", "--reason", "x", "--db", wrong.place)
    assert run_json(capsys, *asked)["written_again"] == []
    names = ["standard-2018-02-01-r2", "standard-2018-03-01-r2"]
    assert run_json(capsys, *asked, "--out", str(tmp_path / "o"))["written_again"] == names
    _, said, _ = run(capsys, *asked, "--out", str(tmp_path / "o"), "--lang", "it")
    assert said.splitlines()[1].endswith(", ".join(names))


# --------------------------------------------------------------------------------------------------------- rights


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_handed() -> Iterator[None]:
    """A umask that gives every right to everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_handed")
def test_the_database_and_its_backups_are_their_owners_alone(sqlite_desk: Desk, tmp_path: Path) -> None:
    sqlite_desk.list(JAN, listed(1, 2000))
    saved, folder = tmp_path / "office.zip", tmp_path / "export"
    saved.write_bytes(b"")
    saved.chmod(0o644)
    with sqlite_desk.office.store.writing():
        beside = [path for path in tmp_path.iterdir() if path.name.startswith("office.db")]
        assert {path.name for path in beside} >= {"office.db", "office.db-wal", "office.db-shm"}
        assert {path.name: rights(path) for path in beside} == {path.name: 0o600 for path in beside}
    backup(sqlite_desk.office, saved)
    restore(saved, str(tmp_path / "restored.db"))
    export(sqlite_desk.office, folder)
    assert [rights(path) for path in (saved, tmp_path / "restored.db", folder)] == [0o600, 0o600, 0o700]


def test_a_database_that_others_can_read_is_warned_of(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert readable_by_others(sqlite_desk.place) == ""
    asked = ("office", "lists", "--db", sqlite_desk.place, "--lang")
    assert run(capsys, *asked, "en")[2] == ""
    Path(sqlite_desk.place).chmod(0o644)
    status, out, warning = run(capsys, *asked, "en")
    assert (status, out) == (0, "no lists\n")
    assert f"{sqlite_desk.place} (rights 644)" in warning
    assert warning.count("\n") == 1
    assert "permessi 644" in run(capsys, *asked, "it")[2]
    assert readable_by_others("postgresql://somewhere/office") == ""
