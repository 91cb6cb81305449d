"""Many reports at once have the same result as one by one, even if processes die or other officers act meanwhile."""

import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from sqlalchemy import select

from arpad.model.errors import ArpadError, BadInput
from arpad.office.fide.reference import add_reference
from arpad.office.inbox import report_batch
from arpad.office.inbox import workers as report_workers
from arpad.office.inbox.incoming_files import IncomingFiles
from arpad.office.inbox.prepare_reports import PreparedBatch
from arpad.office.inbox.results import NotAccepted, NotSubmitted
from arpad.office.inbox.workers import REPORTS_PER_TASK, _task_sizes, prepare_in_worker
from arpad.office.office import Office
from arpad.reports.formats import read_report
from arpad.store.declared_tables import META, whole_schema
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL, new_database
from tests.builders.offices import STANDARD, Clock, Desk, trf
from tests.builders.verbs import (
    NEW,
    Accepted,
    accept_many,
    import_list,
    open_office,
    register_player,
    reports_on_file,
    submit,
    submit_many,
    verify,
)
from tests.builders.verbs import accept as office_accept
from tests.commands import refusal, run, run_json
from tests.paths import BENCHMARKS

WORLD = run_path(str(BENCHMARKS / "world.py"), run_name="world")
NOW = date(2025, 6, 28)
KEPT = [table for table in whole_schema().sorted_tables if table.name not in ("settings", "monitor_pages")]


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reports of a small month, with all kinds of odd ones."""
    folder = tmp_path_factory.mktemp("month")
    made, reports = WORLD["world"](300, 1), folder / "reports"
    reports.mkdir()
    texts = [WORLD["report"](made, index, 1)[0] for index in range(8)]
    for index, text in enumerate(texts):
        (reports / f"e{index:02}.trf").write_bytes(text.encode())
    lines = [line for line in WORLD["register_lines"](made) if line[114:118].strip()]
    (folder / "register.txt").write_bytes((WORLD["HEADING"] + "".join(lines)).encode())
    # the same bytes, the same event in other bytes, no report at all, an event that is not over, no days
    (reports / "f1.trf").write_bytes(texts[3].encode())
    (reports / "f2.trf").write_bytes(texts[4].replace("012 Open 5", "012 Another name").encode())
    (reports / "f3.trf").write_bytes(b"this is no report")
    (reports / "f4.trf").write_bytes(texts[5].replace("042 2025/06", "042 2024/06").encode())
    (reports / "f5.trf").write_bytes(texts[6].replace("042 2025", "049 2025").encode())
    # newcomers without a number who are in a later report again, and in another one with another birth
    for index, (name, born) in enumerate((("g1", 2001), ("g2", 2001), ("g3", 1987)), start=26):
        report = read_report(WORLD["report"](made, index, 1)[0].encode())
        *others, one, two = report.entrants
        nameless = (
            replace(one, id="", name="Nobody, Known1", born=born, rating=None, title=""),
            replace(two, id="", name="Nobody, Known2", born=born, rating=None, title=""),
        )
        (reports / f"{name}.trf").write_bytes(trf(replace(report, entrants=(*others, *nameless))))
    return folder


def began(place: str, folder: Path, month: Path) -> Desk:
    """Return an office with the month's register; in SQLite, a copy of the first one."""
    if "://" in place:
        return _made(place, folder, month)
    shutil.copy(_first(month), place)
    clock = Clock(NOW)
    return Desk(open_office(place, now=clock, author="T. Officer"), clock, folder, place)


@cache
def _first(month: Path) -> Path:
    place = month / "first.db"
    _made(str(place), month, month).office.close()
    return place


def _made(place: str, folder: Path, month: Path) -> Desk:
    desk = Desk.made(place, folder, Clock(date(2025, 6, 1)))
    import_list(desk.office, month / "register.txt", STANDARD, date(2025, 6, 1))
    desk.on(NOW)
    return desk


def one_by_one(
    office: Office, folder: Path, *, accept: bool = True, before: Callable[[int], None] = lambda _: None
) -> list[Any]:
    """Submit one report after the other; accept those without errors."""
    told: list[Any] = []
    for index, path in enumerate(sorted(folder.iterdir())):
        before(index)
        try:
            sent = submit(office, path.read_bytes(), path.name)
        except ArpadError as error:
            told.append(error.code)
            continue
        if accept and not sent.errors and not sent.again:
            office_accept(office, sent.report)
        told.append((sent.report, sent.again, sent.findings))
    return told


def at_once(office: Office, *paths: Path, accept: bool = True, **more: Any) -> list[Any]:
    with IncomingFiles(paths) as files:
        results = list(submit_many(office, files, accept=accept, **more))
    return [
        result.error.code
        if isinstance(result, NotSubmitted)
        else (result.report, result.again, result.findings)
        for result in results
    ]


def everything(office: Office) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the tables that reports change."""
    names = (
        "ledger", "players", "identifiers", "name_keys", "reports", "report_statuses", "entrants",
        "player_reports",
    )  # fmt: skip
    with office.store.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in KEPT
            if table.name in names
        }


@pytest.mark.parametrize("count", [1, 61, 62, 124, 830, 4000])
def test_tasks_have_all_reports_and_become_smaller(count: int) -> None:
    sizes = [*_task_sizes(count, 2)]

    assert sum(sizes) == count
    assert max(sizes) <= REPORTS_PER_TASK
    assert min(sizes) >= min(count, 15), "a task of a few reports would not be worth its queries"
    assert sizes[-1] <= max(100, count // 4)
    assert len(sizes) > 1 or count == 1, "each process has a task"


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes, tasks and transactions even for few reports."""
    take_small_steps(monkeypatch, per_task=3, per_transaction=5)


def take_small_steps(monkeypatch: pytest.MonkeyPatch, *, per_task: int, per_transaction: int) -> None:
    monkeypatch.setattr(report_workers, "FEW_REPORTS", 0)
    monkeypatch.setattr(report_workers, "REPORTS_PER_TASK", per_task)
    monkeypatch.setattr(report_batch, "REPORTS_PER_TRANSACTION", per_transaction)


@pytest.fixture
def two(
    place: str, tmp_path: Path, month: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Desk, Desk]]:
    """Two equal offices."""
    other = str(tmp_path / "other.db")
    if "://" in place:
        other = new_database(request.getfixturevalue("postgres_server"))
    desks = began(place, tmp_path, month), began(other, tmp_path, month)
    yield desks
    for desk in desks:
        desk.office.close()


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("accept", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_at_once_is_one_by_one(two: tuple[Desk, Desk], month: Path, *, accept: bool) -> None:
    """Rows, findings, numbers and the ledger's digests are the same; all odd cases occur."""
    one, other = two
    plain = one_by_one(one.office, month / "reports", accept=accept)
    assert at_once(other.office, month / "reports", accept=accept, processes=2) == plain
    assert everything(other.office) == everything(one.office)
    assert verify(other.office, recompute=False).intact
    codes = {finding.code for item in plain if not isinstance(item, str) for finding in item[2]}
    assert {"event-on-file", "no-first-day"} <= codes
    assert sum(isinstance(item, str) for item in plain) == 1
    assert [item[1] for item in plain if not isinstance(item, str)].count(True) == 1
    if accept:
        # Known1 and Known2 are registered with g1; g2 has the same players, g3 others
        with other.office.store.reading() as connection:
            names = connection.execute(select(META.tables["players"].c.name)).scalars().all()
        assert names.count("Nobody, Known1") == 2


@DEEP_ON_POSTGRESQL
def test_in_one_transaction(two: tuple[Desk, Desk], month: Path, tmp_path: Path) -> None:
    """A report that is not written yet is found as a duplicate, also if reports of other days are between."""
    one, other = two
    folder = tmp_path / "three"
    folder.mkdir()
    first, second = (
        (month / "reports" / name).read_text(encoding="utf-8") for name in ("e00.trf", "e01.trf")
    )
    (folder / "a.trf").write_text(first, encoding="utf-8", newline="")
    (folder / "b.trf").write_text(second.replace("2025/06", "2025/05"), encoding="utf-8", newline="")
    (folder / "c.trf").write_text(first.replace("012 Open", "012 Closed"), encoding="utf-8", newline="")
    plain = one_by_one(one.office, folder)
    assert "event-on-file" in {finding.code for finding in plain[-1][2]}
    assert at_once(other.office, folder) == plain
    assert everything(other.office) == everything(one.office)


@pytest.mark.deep
@pytest.mark.usefixtures("small_steps")
def test_in_any_steps_and_from_an_archive(two: tuple[Desk, Desk], month: Path, tmp_path: Path) -> None:
    one, other = two
    archive = tmp_path / "month.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (month / "reports").iterdir():
            packed.write(path, path.name)
    at_once(one.office, month / "reports", processes=1)
    at_once(other.office, archive, processes=3)
    assert everything(other.office) == everything(one.office)


@DEEP_ON_POSTGRESQL
@pytest.mark.usefixtures("small_steps")
def test_the_collector_is_left_as_it_was(two: tuple[Desk, Desk], month: Path) -> None:
    gc.unfreeze()
    at_once(two[0].office, month / "reports", processes=2)
    assert gc.isenabled()
    assert not gc.get_freeze_count()
    gc.freeze()  # as at the start of the tests
    at_once(two[0].office, month / "reports", processes=2)
    assert gc.get_freeze_count()


@pytest.mark.deep
@DEEP_ON_POSTGRESQL
@pytest.mark.usefixtures("small_steps")
def test_another_officer_acts_meanwhile(two: tuple[Desk, Desk], month: Path) -> None:
    """A player is registered between two transactions: reports prepared before are prepared again."""
    one, other = two

    def register(office: Office) -> None:
        register_player(office, "Nobody, Known2", federation="ITA", born=2001)

    one_by_one(one.office, month / "reports", before=lambda at: register(one.office) if at == 10 else None)
    at_once(
        other.office, month / "reports", processes=2,
        progress=lambda done: register(other.office) if done == 10 else None,
    )  # fmt: skip
    assert everything(other.office) == everything(one.office)


@pytest.mark.deep
def test_the_inbox_at_once(two: tuple[Desk, Desk], month: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Accepting all is accepting each in order: those with errors stay, and newcomers of one are known to the next."""
    one, other = two
    for desk in two:
        one_by_one(desk.office, month / "reports", accept=False)
        first = reports_on_file(desk.office)[0]
        decide(desk.office, "official", report=first.id, reason="a test")
    left = []
    for filed in reports_on_file(one.office):
        try:
            office_accept(one.office, filed.id, reason="all")
        except BadInput as error:
            left.append((filed.id, error.facts["codes"]))
    take_small_steps(monkeypatch, per_task=4, per_transaction=6)
    found = list(accept_many(other.office, reason="all", processes=2))
    assert [(item.report, ", ".join(item.codes)) for item in found if isinstance(item, NotAccepted)] == left
    assert left, "some are left"
    assert everything(other.office) == everything(one.office)


@DEEP_ON_POSTGRESQL
def test_a_corrected_report_supersedes_the_first(two: tuple[Desk, Desk], month: Path) -> None:
    one, other = two
    data = (month / "reports" / "e00.trf").read_bytes()
    for desk in two:
        submit(desk.office, data, "first.trf")
        office_accept(desk.office, 1)
        submit(desk.office, data.replace(b"022 Town 1", b"022 Town 2"), "second.trf", replaces=1)
    office_accept(one.office, 2)
    (found,) = accept_many(other.office)
    assert isinstance(found, Accepted)
    assert found.superseded == 1
    assert everything(other.office) == everything(one.office)


@DEEP_ON_POSTGRESQL
def test_doubts_are_decided_report_by_report(two: tuple[Desk, Desk], month: Path) -> None:
    desk, _ = two
    at_once(desk.office, month / "reports" / "g1.trf", month / "reports" / "g2.trf", accept=False)
    with pytest.raises(BadInput) as refused:
        list(accept_many(desk.office, matches={1: {1: 999_999}}))
    assert refused.value.code == "no-player"
    number = read_report((month / "reports" / "g2.trf").read_bytes()).entrants[-1].number
    first, left = accept_many(desk.office, matches={2: {number: NEW}})
    assert isinstance(first, Accepted)
    assert isinstance(left, NotAccepted), "a newcomer of the first report may be in the second"
    assert first.players[-2:] == first.newcomers[-2:], "two who were new to the register"
    same = {number - 1: first.players[-2], number: NEW}
    (second,) = accept_many(desk.office, matches={2: same})
    assert isinstance(second, Accepted)
    assert second.players[-2] == first.players[-2], "the second report means the same"
    assert second.players[-1] in second.newcomers, "except the one who is new by the officer's decision"


# ------------------------------------------------------------------------------------- with a reference list


SUBMITTED = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tests.builders import verbs as office
from arpad.office.inbox import workers
workers.FEW_REPORTS, workers.REPORTS_PER_TASK = 0, 3
if __name__ == "__main__":
    desk = office.open_office(sys.argv[1], author="T. Officer", now=lambda: datetime(2025, 6, 28, 12, tzinfo=UTC))
    with office.IncomingFiles([Path(sys.argv[2])]) as files:
        print(len(list(office.submit_many(desk, files, accept=True, processes=2))))
"""


def test_processes_read_a_reference_list(tmp_path: Path, month: Path) -> None:
    """A new process has no threads yet, so that others are forked from it; Polars hangs in a copy of its threads."""
    desk = began(str(tmp_path / "office.db"), tmp_path, month)
    add_reference(desk.office, month / "register.txt", date(2025, 6, 1))
    desk.office.close()
    done = subprocess.run(
        [sys.executable, "-c", SUBMITTED, desk.place, str(month / "reports")],
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, b"16"), done.stderr


# -------------------------------------------------------------------------------------------- cut short, or killed


KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from tests.builders import verbs as office
from arpad.office.inbox import report_batch, workers as report_workers
report_workers.FEW_REPORTS, report_workers.REPORTS_PER_TASK = 0, 3
report_batch.REPORTS_PER_TRANSACTION = 5
desk = office.open_office(sys.argv[1], author="T. Officer", now=lambda: datetime(2025, 6, 28, 12, tzinfo=UTC))
def killed(done):
    if done == 10:
        os.kill(os.getpid(), signal.SIGKILL)
with office.IncomingFiles([Path(sys.argv[2])]) as files:
    list(office.submit_many(desk, files, accept=True, processes=2, progress=killed))
"""


@pytest.mark.deep
@pytest.mark.usefixtures("small_steps")
def test_killed_in_the_middle_and_run_again(two: tuple[Desk, Desk], month: Path) -> None:
    one, other = two
    at_once(one.office, month / "reports", processes=1)
    run = subprocess.run(
        [sys.executable, "-c", KILLED, other.place, str(month / "reports")],
        capture_output=True, check=False, timeout=1800,
    )  # fmt: skip
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert len(reports_on_file(other.office)) == 9, "ten, of which one is there twice"
    assert verify(other.office, recompute=False).intact
    again = at_once(other.office, month / "reports", processes=2)
    assert [item[1] for item in again[:10]] == [True] * 10
    assert everything(other.office) == everything(one.office)


def _dies(prepare: Any, batch: Any, options: Any) -> PreparedBatch:
    """In another process: kill the process in the first task."""
    flag = Path(os.environ["ARPAD_TEST_FLAG"])
    if not flag.exists():
        flag.touch()
        os._exit(1)
    return prepare_in_worker(prepare, batch, options)


@pytest.mark.deep
@pytest.mark.usefixtures("small_steps")
def test_a_process_that_dies_changes_nothing(
    two: tuple[Desk, Desk], month: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    at_once(one.office, month / "reports", processes=1)
    monkeypatch.setenv("ARPAD_TEST_FLAG", str(tmp_path / "died"))
    monkeypatch.setattr(report_workers, "prepare_in_worker", _dies)
    at_once(other.office, month / "reports", processes=2)
    assert (tmp_path / "died").exists()
    assert everything(other.office) == everything(one.office)


# ---------------------------------------------------------------------------------------------------------- memory


MEASURED = """
import re, resource, sys
from datetime import UTC, datetime
from pathlib import Path
from tests.builders import verbs as office
desk = office.open_office(sys.argv[1], author="T. Officer", now=lambda: datetime(2025, 6, 28, 12, tzinfo=UTC))
with office.IncomingFiles([Path(sys.argv[2])]) as files:
    found = list(office.submit_many(desk, files, accept=True, processes=2))
own = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]
print(sum(one.accepted is not None for one in found), own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Submit a folder; print how many were accepted, and the most memory of this process and of a worker, in KiB.

Resident memory, since Polars reserves many addresses that it never uses; VmHWM, since ``ru_maxrss`` of a process
includes what its parent held.
"""


@pytest.mark.deep
@pytest.mark.parametrize("count", [40, 100])
def test_memory_is_bounded(sqlite_place: str, tmp_path: Path, month: Path, count: int) -> None:
    """Hundreds of games in each report, in 256 MiB of memory for each process, its code included."""
    began(sqlite_place, tmp_path, month).office.close()
    folder = tmp_path / "many"
    folder.mkdir()
    made = WORLD["world"](20_000, 1)
    for index in range(count):
        (folder / f"{index:03}.trf").write_bytes(WORLD["report"](made, index, 1)[0].encode())
    run = subprocess.run(
        [sys.executable, "-c", MEASURED, sqlite_place, str(folder)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    accepted, *kibibytes = map(int, run.stdout.split())
    assert accepted > count // 2
    assert 0 < max(kibibytes) < 256 << 10
    assert len(read_report((folder / "000.trf").read_bytes()).entrants) > 0


# -------------------------------------------------------------------------------------------------------- commands


@pytest.fixture
def at_the_desk(sqlite_place: str, tmp_path: Path, month: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    began(sqlite_place, tmp_path, month).office.close()
    monkeypatch.setenv("ARPAD_DB", sqlite_place)
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    return month / "reports"


NOON = ("--now", "2025-06-28T12:00:00Z", "--lang")


def test_many_reports_by_commands(capsys: pytest.CaptureFixture[str], at_the_desk: Path) -> None:
    """One line for an unreadable file, a table of errors, the figures at the end."""
    status, out, err = run(capsys, "office", "submit", str(at_the_desk), "--accept", *NOON, "en")
    assert (status, err) == (2, "")
    assert f"{at_the_desk}/f3.trf: line 1, column 1" in out
    assert "event-on-file" in out
    assert "16 files: 14 reports received, 1 on file already, 1 unreadable." in out
    last = out.splitlines()[-1]
    assert last.endswith("in the inbox.")
    assert "new to the register" in last
    left = int(last.split("; ")[1].split()[0])
    status, out, err = run(capsys, "office", "accept", "--all", *NOON, "it")
    assert (status, err) == (1, "")
    assert out.splitlines()[0].startswith("0 rapporti accettati")
    assert out.splitlines()[1] == f"{left} rapporti restano in attesa:"
    assert "scegliere un giocatore" in out
    assert run(capsys, "office", "verify", "--quick")[0] == 0


def test_many_reports_as_json(capsys: pytest.CaptureFixture[str], at_the_desk: Path) -> None:
    status, out, _ = run(
        capsys, "office", "submit", str(at_the_desk), *NOON, "en", "--json", "--processes", "1"
    )
    document = json.loads(out)
    assert (status, document["schema"]) == (2, "arpad.office-submit/1")
    assert document["summary"] == {
        "files": 16, "received": 14, "again": 1, "unreadable": 1, "accepted": 0, "newcomers": 0,
        "errors": sum(_wrong(one) for one in document["reports"]),
    }  # fmt: skip
    assert [one["file"] for one in document["reports"]] == sorted(map(str, at_the_desk.iterdir()))
    status, out, _ = run(capsys, "office", "accept", "--all", *NOON, "en", "--json")
    document = json.loads(out)
    assert (status, document["schema"]) == (1, "arpad.office-accept-all/1")
    assert len(document["accepted"]) + len(document["left"]) == 14


def _wrong(one: dict[str, Any]) -> bool:
    new = "error" not in one and not one["again"]
    return new and any(finding["severity"] == "error" for finding in one["findings"])


def test_what_the_commands_refuse(
    capsys: pytest.CaptureFixture[str], at_the_desk: Path, tmp_path: Path
) -> None:
    (tmp_path / "half.zip").write_bytes(b"PK\x03\x04 and no more")
    folder, report = str(at_the_desk), str(at_the_desk / "e00.trf")
    assert "half.zip is not a complete archive" in refusal(
        capsys, "office", "submit", str(tmp_path / "half.zip")
    )
    assert "a single report" in refusal(capsys, "office", "submit", folder, "--replaces", "1", "--lang", "en")
    assert "processes" in refusal(capsys, "office", "submit", report, "--processes", "0", "--lang", "en")
    assert "--all" in refusal(capsys, "office", "accept", "--lang", "en")
    assert "--overrule" in refusal(capsys, "office", "accept", "1", "--all", "--lang", "en")
    assert verbs_on_file(capsys) == 0, "nothing was filed"


def verbs_on_file(capsys: pytest.CaptureFixture[str]) -> int:
    return len(run_json(capsys, "office", "reports")["reports"])
