"""Run tasks on a Dask cluster: that of an address, or one made of processes of this machine.

Workers must run the same Arpad; a scheduler that cannot be reached, has no workers or runs another version is refused
within seconds. The scheduler gives the tasks of a lost worker to another one; tasks that it drops run in this process.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import dask
from distributed import Client, KilledWorker, LocalCluster, Security
from distributed.comm.core import CommClosedError
from distributed.comm.core import connect as open_comm

from arpad.model.errors import BadInput
from arpad.model.version import VERSION
from arpad.system.batches import run_ahead

HOST = "127.0.0.1"
Task = TypeVar("Task")
Result = TypeVar("Result")

QUEUED = 4
"""Tasks that wait for each worker."""

PATIENCE = 10
"""Seconds until a scheduler that does not answer, or that has no worker, is refused."""

ACCEPTED = "local, local:N, HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT"
_ADDRESS = re.compile(r"((tcp|tls)://)?[\w.\-\[\]:]*[\w.\-\]]:\d{1,5}")
_LOCAL = re.compile(r"local(?::([1-9]\d{0,2}))?")

MEMORY = {
    "MALLOC_TRIM_THRESHOLD_": "268435456",
    "MALLOC_MMAP_THRESHOLD_": "268435456",
    "OMP_NUM_THREADS": "1",
}
"""For workers: keep memory between tasks. Dask's own setting returns every column at once, which is slow."""

LOST = (KilledWorker, CommClosedError, CancelledError, asyncio.CancelledError, TimeoutError, OSError)
"""Exceptions that mean a task was lost."""


class Cluster:
    """Run tasks on the workers of a scheduler."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    def _alive(self) -> bool:
        """Whether a worker is left that could run a task."""
        if self._client.status != "running":
            return False
        try:
            return bool(self._client.nthreads())
        except LOST:
            return False

    @contextmanager
    def broadcast(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """Copy the value to every worker; it is also kept here for tasks that are lost with all their workers."""
        remote = None
        if self._alive():
            with suppress(*LOST):
                remote = self._client.scatter(value, broadcast=True, hash=False)
        try:
            yield value, remote
        finally:
            if remote is not None:
                with suppress(*LOST):
                    remote.release()

    def map(
        self, work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task]
    ) -> Iterator[Result]:
        """Run several tasks at a time, on the workers that the scheduler chooses."""
        value, remote = shared

        def start(task: Task) -> Any:
            if remote is None or remote.cancelled() or self._client.status != "running":
                return None
            try:
                return self._client.submit(work, remote, task, pure=False)
            except LOST:
                return None

        def finish(task: Task, started: Any) -> Result:
            while started is not None:
                try:
                    result: Result = started.result(timeout=PATIENCE)
                except LOST:
                    started = started if started.status == "pending" and self._alive() else None
                else:
                    return result
            return work(value, task)

        return run_ahead(tasks, start, finish, self.count * QUEUED)


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Connect to the cluster of an address, or start one of this machine's processes (``local``)."""
    local = _LOCAL.fullmatch(address)
    if local is None and (not _ADDRESS.fullmatch(address) or address.startswith("local:")):
        raise BadInput("cluster-address", option="cluster", value=address, accepted=ACCEPTED)
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with (
            _local_client(int(local[1]) if local[1] else None) if local else _remote_client(address) as client
        ):
            _refuse_other_version(client, address)
            yield Cluster(client)
    finally:
        logger.setLevel(before)


@contextmanager
def _local_client(count: int | None) -> Iterator[Client]:
    with (
        dask.config.set({"distributed.nanny.pre-spawn-environ": MEMORY}),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            host=HOST,
            dashboard_address=f"{HOST}:0",
            silence_logs=logging.CRITICAL + 1,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _remote_client(address: str) -> Iterator[Client]:
    try:
        asyncio.run(asyncio.wait_for(_check_answer(address), PATIENCE))
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError, ImportError, TypeError, RuntimeError) as error:
        raise BadInput("cluster-silent", option="cluster", value=address, seconds=PATIENCE) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise BadInput("cluster-empty", option="cluster", value=address, seconds=PATIENCE) from error
        yield client


async def _check_answer(address: str) -> None:
    """Check that a scheduler answers: a ``Client`` would wait for ever on a port that accepts and stays silent."""
    arguments = Security().get_connection_args("client")
    comm = await open_comm(address, timeout=PATIENCE, **arguments)
    await comm.close()


def _refuse_other_version(client: Client, address: str) -> None:
    """Refuse workers with other code: their lists might differ."""
    ours = _version()
    try:
        theirs = client.run(_version, on_error="return")
    except LOST as error:
        raise BadInput("cluster-silent", option="cluster", value=address, seconds=PATIENCE) from error
    for worker, answer in theirs.items():
        if answer != ours:
            version = answer if isinstance(answer, str) else type(answer).__name__
            raise BadInput("cluster-version", option="cluster", worker=worker, found=version, needed=ours)


def _version() -> str:
    """Return the version and a digest of the code, which may have changed since."""
    digest = sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return f"{VERSION} ({digest.hexdigest()[:12]})"
