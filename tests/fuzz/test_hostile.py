"""The program of hostile inputs: it goes on from its log, kills an input that hangs, and finds nothing."""

import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.fuzz import hostile
from tests.fuzz.hostile import add_line, blocks, summed
from tests.paths import ROOT

BLOCK = {
    "first": 0, "end": 1000, "inputs": {"trf": 990, "route": 7, "command": 3}, "statuses": {"404": 7, "exit 2": 3},
    "slowest": [0.3, "17: trf"], "seconds": 1.5, "problems": [],
}  # fmt: skip


def test_a_range_is_cut_into_blocks_at_thousands() -> None:
    assert list(blocks(1500, 3200)) == [(1500, 2000), (2000, 3000), (3000, 3200)]


def test_a_log_is_summed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert summed(log).blocks == set()
    add_line(log, BLOCK)
    add_line(log, {"killed": 1717, "why": "hangs: 11 s of the processor"})
    add_line(log, {**BLOCK, "first": 1000, "end": 2000, "problems": ["1001: trace"], "slowest": [2.1, "x"]})
    total = summed(log)
    assert total.blocks == {(0, 1000), (1000, 2000)}
    assert total.killed == {1717: "hangs: 11 s of the processor"}
    assert total.line() == (
        "2000 inputs (1980 to readers, 14 to routes, 6 to commands) in 3 s of the processor; slowest 2.10 s (x); "
        "2 problems; answers {'404': 14, 'exit 2': 6}"
    )


@pytest.mark.deep
def test_a_process_that_hangs_is_killed(tmp_path: Path) -> None:
    now = tmp_path / "now"
    now.write_text(f"7 {0.01}", encoding="ascii")
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    with patch.object(hostile, "HANGS_AFTER", 0.2):
        why = hostile._watched(child, now)
    assert child.wait() != 0
    assert why.startswith("hangs:")


@pytest.mark.deep
def test_hostile_inputs_find_nothing(tmp_path: Path) -> None:
    """Try other inputs every day; the words name them."""
    first, log = int(time.time() // 86400) * 1000, tmp_path / "log"
    words = ["--first", str(first), "--inputs", "3000", "--log", str(log)]
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.hostile", *words],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-4000:]
    assert summed(log).inputs.total() == 3000
