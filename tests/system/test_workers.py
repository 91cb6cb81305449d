"""Tasks give the same results in one process and in several, also when processes are killed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arpad.model.errors import Unreadable
from arpad.system.workers import InProcess, open_workers
from tests.builders.worker_tasks import DeadlyTask, ten_times_unless_two


def test_an_error_of_a_task_is_raised_unchanged() -> None:
    with open_workers(jobs=2) as pool:
        for workers in (InProcess(), pool):
            with workers.broadcast(None) as shared:
                assert list(workers.map(ten_times_unless_two, shared, [1, 3, 4])) == [10, 30, 40]
                with pytest.raises(Unreadable) as raised:
                    list(workers.map(ten_times_unless_two, shared, range(9)))
            assert raised.value.facts["row"] == 2


@pytest.mark.parametrize("times", [1, pytest.param(1000, marks=pytest.mark.deep)])
def test_killed_processes_change_nothing(tmp_path: Path, times: int) -> None:
    deadly = DeadlyTask(tmp_path, os.getpid(), times)

    with open_workers(jobs=2) as mortal, mortal.broadcast(deadly) as shared:
        results = list(mortal.map(DeadlyTask.ten_times, shared, range(20)))

    assert list(tmp_path.iterdir())
    assert results == [number * 10 for number in range(20)]


def test_the_files_of_broadcast_values_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with open_workers(jobs=2) as workers, workers.broadcast([1, 2]):
        assert len(list(tmp_path.glob("arpad-*/*"))) == 1

    assert list(tmp_path.iterdir()) == []


FORKED = """
from arpad.system.workers import can_fork
import polars
before = can_fork()
polars.DataFrame({"number": [1, 2]}).group_by("number").len()
print(before, can_fork())
"""


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted on Linux only")
def test_a_process_whose_columns_have_threads_is_not_forked() -> None:
    """A copy would wait forever for a lock that one of the threads held."""
    answer = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, check=True, text=True)

    assert answer.stdout.split() == ["True", "False"]
