"""The time and memory of one command: its process from start to exit, with those that it starts.

If nothing is measured (--tiny), a command of Arpad runs in the process of the script.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path

from sizes import is_tiny

BARE = [sys.executable, "-c", "pass"]
"""The floor of any command."""

PROGRAM = [sys.executable, "-m", "arpad"]


def arpad(*arguments: str) -> list[str]:
    """Return the command ``arpad …`` of this environment."""
    return [*PROGRAM, *arguments]


def measure(command: list[str], accepted: tuple[int, ...] = (0,)) -> dict[str, float]:
    """Run a command to its end; return its seconds by the clock and of the processor, and its peak memory."""
    if is_tiny() and command[: len(PROGRAM)] == PROGRAM:
        return _measure_here(command[len(PROGRAM) :], accepted)
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


def _measure_here(arguments: list[str], accepted: tuple[int, ...]) -> dict[str, float]:
    """Run a command of Arpad in this process."""
    from arpad.cli import main

    start, worked, own = time.perf_counter(), time.process_time(), sys.argv
    sys.argv = ["arpad", *arguments]
    try:
        with Path(os.devnull).open("w", encoding="utf-8") as nothing, redirect_stdout(nothing):
            main()
    except SystemExit as end:
        if (end.code or 0) not in accepted:
            sys.exit(f"{' '.join(sys.argv)} ended with status {end.code}")
    finally:
        sys.argv = own
    return {
        "seconds": time.perf_counter() - start,
        "processor_s": time.process_time() - worked,
        "peak_mib": 0,
    }
