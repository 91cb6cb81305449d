"""Parts done on a Dask cluster: that of an address, or one made of processes of this machine.

Workers must run the same Arpad; a scheduler that cannot be reached, has no workers or runs another version is refused
in one sentence within seconds. The scheduler gives the parts of a lost worker to another one, and what it gives up on
is done here.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arpad.model.errors import BadInput
from arpad.system.workers import AHEAD, Done, Task, in_flight

if find_spec("distributed") is None:
    raise BadInput("extra-missing", extra="cluster", package="distributed")

import dask
from distributed import Client, KilledWorker, LocalCluster, Security
from distributed.comm.core import CommClosedError, connect

HOST = "127.0.0.1"
PATIENCE = 10
"""Seconds until a scheduler that does not answer, or that has no worker, is given up."""

ACCEPTED = "local, local:N, HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT"
_ADDRESS = re.compile(r"((tcp|tls)://)?[\w.\-\[\]:]*[\w.\-\]]:\d{1,5}")
_LOCAL = re.compile(r"local(?::([1-9]\d{0,2}))?")

MEMORY = {
    "MALLOC_TRIM_THRESHOLD_": "268435456",
    "MALLOC_MMAP_THRESHOLD_": "268435456",
    "OMP_NUM_THREADS": "1",
}
"""For workers: memory is kept between parts. Dask's own setting gives every column back at once, which is slow."""

LOST = (KilledWorker, CommClosedError, CancelledError, asyncio.CancelledError, TimeoutError, OSError)
"""What befalls a part whose workers, or whose scheduler, are gone."""


class Cluster:
    """The workers of a scheduler."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    def _alive(self) -> bool:
        """Whether anybody is left who could still do a part."""
        if self._client.status != "running":
            return False
        try:
            return bool(self._client.nthreads())
        except LOST:
            return False

    @contextmanager
    def sharing(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """A copy for every worker; the value itself stays at hand for parts that are lost with all their workers."""
        held = None
        if self._alive():
            with suppress(*LOST):
                held = self._client.scatter(value, broadcast=True, hash=False)
        try:
            yield value, held
        finally:
            if held is not None:
                with suppress(*LOST):
                    held.release()

    def each(self, work: Callable[[Any, Task], Done], shared: Any, tasks: Iterable[Task]) -> Iterator[Done]:
        """Several at a time, wherever the scheduler sends them."""
        value, held = shared

        def begin(task: Task) -> Any:
            if held is None or held.cancelled() or self._client.status != "running":
                return None
            try:
                return self._client.submit(work, held, task, pure=False)
            except LOST:
                return None

        def end(task: Task, begun: Any) -> Done:
            while begun is not None:
                try:
                    done: Done = begun.result(timeout=PATIENCE)
                except LOST:
                    begun = begun if begun.status == "pending" and self._alive() else None
                else:
                    return done
            return work(value, task)

        return in_flight(tasks, begin, end, self.count * AHEAD)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster of an address, or one of our own while it is needed."""
    local = _LOCAL.fullmatch(address)
    if local is None and (not _ADDRESS.fullmatch(address) or address.startswith("local:")):
        raise BadInput("cluster-address", option="cluster", value=address, accepted=ACCEPTED)
    quiet = logging.getLogger("distributed")
    before = quiet.level
    quiet.setLevel(logging.CRITICAL + 1)
    try:
        with _own(int(local[1]) if local[1] else None) if local else _client(address) as client:
            _same_arpad(client, address)
            yield Cluster(client)
    finally:
        quiet.setLevel(before)


@contextmanager
def _own(count: int | None) -> Iterator[Client]:
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
def _client(address: str) -> Iterator[Client]:
    try:
        asyncio.run(asyncio.wait_for(_answer(address), PATIENCE))
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError, ImportError, TypeError, RuntimeError) as error:
        raise BadInput("cluster-silent", option="cluster", value=address, seconds=PATIENCE) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise BadInput("cluster-empty", option="cluster", value=address, seconds=PATIENCE) from error
        yield client


async def _answer(address: str) -> None:
    """Knock: a client of its own would wait for ever on somebody who listens and says nothing."""
    arguments = Security().get_connection_args("client")
    comm = await connect(address, timeout=PATIENCE, **arguments)
    await comm.close()


def _same_arpad(client: Client, address: str) -> None:
    """Refuse workers that would compute with other code: their lists could not be trusted to be the same."""
    mine = _versions()
    try:
        theirs = client.run(_versions, on_error="return")
    except LOST as error:
        raise BadInput("cluster-silent", option="cluster", value=address, seconds=PATIENCE) from error
    for worker, told in theirs.items():
        if told != mine:
            found = told if isinstance(told, str) else type(told).__name__
            raise BadInput("cluster-version", option="cluster", worker=worker, found=found, needed=mine)


def _versions() -> str:
    """The version and a digest of the code, which may have changed since."""
    told = sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        told.update(path.read_bytes())
    return f"{version('arpad')} ({told.hexdigest()[:12]})"
