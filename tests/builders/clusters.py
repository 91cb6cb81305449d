"""A Dask cluster in threads of the test process: it starts at once, but its workers cannot be killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import LocalCluster


@contextmanager
def thread_cluster(workers: int) -> Iterator[LocalCluster]:
    """Start a scheduler on a free port, with so many workers."""
    from distributed import LocalCluster  # takes half a second to load

    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=None,
        worker_dashboard_address=None,
        silence_logs=60,
    )
    try:
        yield cluster
    finally:
        cluster.close()
