# ruff: noqa: T201  this program prints what it finds
"""Hostile inputs to every reader of bytes, every command and every route: none may hang, end in a trace or give a 500.

    python -m tests.fuzz.hostile --inputs 1000000 --log build/hostile.log

Every input follows from its number; ``--first`` and ``--inputs`` repeat some. Inputs are tried in another process,
which is killed if one input takes ``HANGS_AFTER`` seconds of the processor. The log has a line for each block; a call
with the same log goes on where the last one ended. Beside the log is a folder with the inputs that failed.

The office behind routes begins again with every block, so a request is repeated with the inputs of its block before it.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BLOCK = 1000
HANGS_AFTER = 10.0
"""Of the processor's time; an input that takes less and comes to an end is measured by the process that tries it."""

SLEEPS_AFTER = 300.0
"""How long a process may wait for something without using the processor."""

LOOKS = 0.5
ROUTES, COMMANDS = 0.01, 0.005
"""The shares of the inputs that are requests and command lines; they take about 15 times as long as others."""

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Sum:
    """The figures of all blocks of a log."""

    blocks: set[tuple[int, int]] = field(default_factory=set)
    inputs: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    seconds: float = 0.0
    killed: dict[int, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def line(self) -> str:
        total, routes, commands = self.inputs.total(), self.inputs["route"], self.inputs["command"]
        return (
            f"{total} inputs ({total - routes - commands} to readers, {routes} to routes, {commands} to commands) in "
            f"{self.seconds:.0f} s of the processor; slowest {self.slowest[0]:.2f} s ({self.slowest[1]}); "
            f"{len(self.problems) + len(self.killed)} problems; answers {dict(sorted(self.statuses.items()))}"
        )


def summed(log: Path) -> Sum:
    """Return the sum of a log; empty if there is none yet."""
    total = Sum()
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        entry: dict[str, Any] = json.loads(line)
        if "killed" in entry:
            total.killed[entry["killed"]] = entry["why"]
            continue
        total.blocks.add((entry["first"], entry["end"]))
        total.inputs.update(entry["inputs"])
        total.statuses.update(entry["statuses"])
        total.slowest = max(total.slowest, (entry["slowest"][0], entry["slowest"][1]))
        total.seconds += entry["seconds"]
        total.problems += entry["problems"]
    return total


def blocks(first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks of a range of inputs."""
    while first < end:
        until = min(end, (first // BLOCK + 1) * BLOCK)
        yield first, until
        first = until


def add_line(log: Path, entry: Any) -> None:
    """Append an entry to a log."""
    with log.open("a", encoding="utf-8") as out:
        print(json.dumps(entry), file=out)


# ---------------------------------------------------------------------------------------------------- the watchman


def watch(words: list[str], log: Path, first: int, end: int) -> Sum:
    """Try all inputs that the log lacks, in a process that is started again whenever an input hangs it."""
    while set(blocks(first, end)) - (before := summed(log)).blocks:
        command = [sys.executable, "-m", "tests.fuzz.hostile_inputs", *words, "--log", str(log)]
        with TemporaryDirectory(prefix="arpad-hostile-") as folder:
            now = Path(folder) / "now"
            now.write_text("0 0", encoding="ascii")
            child = subprocess.Popen([*command, "--now", str(now), "--folder", folder])
            why = _watched(child, now)
            child.wait()
            number = int(now.read_text(encoding="ascii").split()[0])
        if why or child.returncode:
            why = why or f"the process ended with {child.returncode}"
            if number in before.killed or number < first:
                raise SystemExit(
                    f"{number}: {why}"
                )  # it is skipped already, or nothing was tried: go no further
            print(f"{number}: {why}", flush=True)
            add_line(log, {"killed": number, "why": why})
    return summed(log)


def _watched(child: subprocess.Popen[bytes], now: Path) -> str:
    """Wait for the end of a process; kill it and return why if an input hangs it."""
    last, since = ("", 0.0), time.monotonic()
    while child.poll() is None:
        time.sleep(LOOKS)
        try:
            used = _processor_seconds(child.pid)
            number, begun = now.read_text(encoding="ascii").split()
        except (OSError, ValueError):  # it has just ended, or it writes the number now
            continue
        if (number, used) != last:
            last, since = (number, used), time.monotonic()
        if float(begun) and used - float(begun) > HANGS_AFTER:
            child.kill()
            return f"hangs: {used - float(begun):.0f} s of the processor"
        if time.monotonic() - since > SLEEPS_AFTER and _state(child.pid) == "S":
            child.kill()
            return f"hangs: waits for {SLEEPS_AFTER:.0f} s"
    return ""


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _state(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]


def arguments() -> argparse.ArgumentParser:
    """Return the options of the watchman and of the process that tries the inputs."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.hostile", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--routes", type=float, default=ROUTES, help="the share of requests")
    parser.add_argument("--commands", type=float, default=COMMANDS, help="the share of command lines")
    parser.add_argument("--log", type=Path, help="note each block here, and try none that is noted")
    return parser


def main(words: list[str]) -> int:
    """Run and report; return 1 if something was found."""
    asked = arguments().parse_args(words)
    with TemporaryDirectory() as folder:
        log = asked.log or Path(folder) / "log"
        given = [
            f"--{name}={getattr(asked, name)}" for name in ("inputs", "first", "seed", "routes", "commands")
        ]
        total = watch(given, log.absolute(), asked.first, asked.first + asked.inputs)
    print(*total.problems, total.line(), sep="\n")
    return 1 if total.problems or total.killed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
