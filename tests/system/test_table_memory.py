"""The memory of a table is used again for the next one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arpad.system.table_memory import SETTING

TABLES = """
import resource, time
from arpad.system.table_memory import keep_table_memory
if {keep}:
    keep_table_memory()
import polars as pl
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    pl.int_range(4_000_000, eager=True)
    for _ in range(60):
        time.sleep(0.008)
        pl.int_range(2_000, eager=True)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
"""Five long columns, half a second apart, with short ones between them."""


def _page_faults(*, keep: bool) -> int:
    """Return how often the system gave a page of memory while the columns were made."""
    run = [sys.executable, "-c", TABLES.format(keep=keep)]
    unset = {name: value for name, value in os.environ.items() if name != SETTING}  # which Polars sets too
    return int(subprocess.run(run, capture_output=True, text=True, check=True, env=unset).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="Polars has another allocator elsewhere")
def test_a_column_takes_the_memory_of_the_one_before() -> None:
    assert _page_faults(keep=True) < _page_faults(keep=False) / 2
