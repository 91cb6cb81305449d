"""The time of one command: its process from start to exit, by the clock and of the processor."""

from __future__ import annotations

import os
import subprocess
import sys
import time

BARE = [sys.executable, "-c", "pass"]
"""The floor of any command."""


def arpad(*arguments: str) -> list[str]:
    """Return the command ``arpad …`` of this environment."""
    return [sys.executable, "-m", "arpad", *arguments]


def measure(command: list[str], accepted: tuple[int, ...] = (0,)) -> dict[str, float]:
    """Run a command to its end; return its seconds, by the clock and of the processor."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603  our own
    seconds, after = time.perf_counter() - start, os.times()
    if done.returncode not in accepted:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr}")
    worked = after.children_user + after.children_system - before.children_user - before.children_system
    return {"seconds": round(seconds, 4), "processor_s": round(worked, 3)}
