"""The time and memory of one command: its process from start to exit, with those that it starts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

BARE = [sys.executable, "-c", "pass"]
"""The floor of any command."""


def arpad(*arguments: str) -> list[str]:
    """Return the command ``arpad …`` of this environment."""
    return [sys.executable, "-m", "arpad", *arguments]


def measure(command: list[str], accepted: tuple[int, ...] = (0,)) -> dict[str, float]:
    """Run a command to its end; return its seconds by the clock and of the processor, and its peak memory."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)  # noqa: S603  our own
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accepted:
            errors.seek(0)
            message = errors.read().decode(errors="replace")
            sys.exit(f"{' '.join(command)} ended with status {process.returncode}: {message}")
    return {
        "seconds": round(seconds, 4),
        "processor_s": round(used.ru_utime + used.ru_stime, 3),
        "peak_mib": round(used.ru_maxrss / 1024),
    }
