"""Real processes: a worker ends at SIGTERM, and with the server that started it, however that ends."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arpad.office.office import open_office
from arpad.store import jobs
from tests.builders.offices import Clock, Desk


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("office")
    Desk.made(str(folder / "office.db"), folder, Clock()).office.close()
    return str(folder / "office.db")


def run(database: str, *words: str) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARPAD_")}
    return subprocess.Popen(
        [sys.executable, "-m", "arpad", *words],
        env={**environment, "ARPAD_DB": database},
        stderr=subprocess.PIPE,
    )


def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.05)


def ask_for(database: str, kind: str) -> Callable[[], bool]:
    """Enqueue a job; return the question whether it is done."""
    office = open_office(database)
    with office.store.writing() as connection:
        jobs.enqueue(connection, kind, {}, key="test")
    office.close()

    def is_done() -> bool:
        reader = open_office(database)
        with reader.store.reading() as connection:
            (job,) = [job for job in jobs.all_jobs(connection, [kind]) if job.key == "test"]
        reader.close()
        return job.due > datetime.now(UTC)  # a nightly job waits for the next night

    return is_done


def workers_of(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").parent.parent
    return [int(child) for task in children.iterdir() for child in (task / "children").read_text().split()]


def is_running(process: int) -> bool:
    try:
        return (
            "Z" not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        )
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_worker_does_a_job_and_ends_when_it_is_asked_to(database: str) -> None:
    is_done = ask_for(database, "forget-jobs")
    with run(database, "work") as worker:
        wait_until(is_done)
        worker.send_signal(signal.SIGTERM)
        _, message = worker.communicate(timeout=600)
    assert (worker.returncode, message) == (0, b"")


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the children of a process are read from /proc")
@pytest.mark.parametrize(
    "number",
    [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.deep)],
    ids=["killed", "asked to end"],
)
def test_the_worker_of_a_server_ends_with_it(database: str, number: signal.Signals) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    is_done = ask_for(database, "forget-jobs")
    with run(database, "serve", "--port", port) as server:
        wait_until(lambda: bool(workers_of(server.pid)))
        (worker,) = workers_of(server.pid)
        wait_until(is_done)
        server.send_signal(number)
        server.communicate(timeout=600)
    assert server.returncode in (0, -signal.SIGKILL)
    wait_until(lambda: not is_running(worker))
