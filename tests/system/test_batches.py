"""Threads that work with tables."""

import subprocess
import sys

LOADED = """
import polars._dependencies as known
before = known.numpy
from arpad.system.batches import table_threads
with table_threads(1) as threads:
    threads.submit(int).result()
print(vars(before).get("ndarray") is not None)
"""


def test_polars_has_loaded_numpy_before_threads_start() -> None:
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)

    assert run.stdout == "True\n"
