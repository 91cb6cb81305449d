# ruff: noqa: T201  this program prints what it finds
"""Try hostile inputs one after the other, and note what each did; ``tests.fuzz.hostile`` starts this and watches it."""

import logging
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.hostile import add_line, arguments, blocks, summed
from tests.fuzz.hostile_commands import Terminal, hostile_command
from tests.fuzz.hostile_site import Request, Site, hostile_request
from tests.fuzz.mutations import mutate
from tests.fuzz.readers import CORPUS, FOUND, READERS, survives

SLOW_SECONDS = 2.0
"""Of the processor's time: how long an input may take."""

SHOWN = 300
RARE = {
    "backup": 0.3, "rating-list": 3, "rated": 10, "workbook": 10, "edition": 10, "games": 15, "trf": 20, "sheet": 20,
    "facts": 25, "bundle": 25,
}  # fmt: skip
"""Readers that take longer than others get fewer inputs; ``OFTEN`` is the share of the others."""

OFTEN = 40


@dataclass
class Block:
    """The figures of a block."""

    first: int
    end: int
    inputs: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Input:
    """A hostile input: what it is, and how it is tried."""

    kind: str
    data: bytes
    shown: str
    tried: Callable[[], tuple[str, str]]
    """Try it; return the status of the answer, and what is wrong with it."""


@cache
def corpus(name: str) -> list[bytes]:
    """Return the valid inputs of a reader, and those that it failed at once."""
    return [path.read_bytes() for folder in (CORPUS, FOUND) for path in sorted((folder / name).glob("*"))]


def hostile_bytes(random: Random) -> tuple[str, bytes]:
    """Return a reader and a hostile input for it."""
    names = list(READERS)
    (name,) = random.choices(names, [RARE.get(each, OFTEN) for each in names])
    other = random.choice(names)
    return name, mutate(random, random.choice(corpus(name)), corpus(other))


class Trial:
    """Tries inputs by number."""

    def __init__(self, asked: Any, folder: Path) -> None:
        self._asked = asked
        self._kept = asked.log.with_name(f"{asked.log.name}.inputs")
        self._now = os.open(asked.now, os.O_WRONLY)
        self._site = Site(_made(folder / "site")) if asked.routes else None
        self._terminal = Terminal(_made(folder / "terminal")) if asked.commands else None

    def run(self, block: Block, killed: dict[int, str]) -> None:
        """Try the inputs of a block except those at which the process was killed."""
        if self._site is not None:
            self._site.renew()
        begun = time.process_time()
        for number in range(block.first, block.end):
            self._try(number, block, skipped=number in killed)
        block.seconds = round(time.process_time() - begun, 2)

    def _try(self, number: int, block: Block, *, skipped: bool) -> None:
        """Try one input, and note a hang, a trace and a 500."""
        drawn = self._input(number)
        if skipped:
            self._keep(number, drawn)
            return
        begun = time.process_time()
        os.pwrite(self._now, f"{number:<20} {begun:<20.6f}".encode(), 0)
        try:
            status, problem = drawn.tried()
        except Exception:  # noqa: BLE001  whatever it is, it is a problem
            status, problem = "", f"trace {traceback.format_exc(limit=-6)}"
        seconds = time.process_time() - begun
        if seconds > SLOW_SECONDS and not problem:
            problem = f"slow, {seconds:.1f} s"
        block.inputs[drawn.kind] += 1
        block.statuses.update([status] if status else [])
        block.slowest = max(block.slowest, (round(seconds, 3), f"{number}: {drawn.shown[:120]}"))
        if problem:
            block.problems.append(f"{number}: {problem}: {drawn.shown}")
            print(block.problems[-1], flush=True)
            self._keep(number, drawn)

    def _input(self, number: int) -> Input:
        """Return the input with a number: a request, a command line, or bytes for a reader."""
        random = Random(f"{self._asked.seed} {number}")  # noqa: S311  a test
        drawn = random.random()
        if self._site is not None and drawn < self._asked.routes:
            request, site = hostile_request(random, self._site), self._site
            return Input("route", repr(request).encode(), request.shown(), lambda: _asked(site, request))
        if self._terminal is not None and drawn > 1 - self._asked.commands:
            terminal = self._terminal
            words = hostile_command(random, terminal.home)
            text = repr(words)
            return Input("command", text.encode(), text[: 3 * SHOWN], lambda: terminal.run(words))
        name, data = hostile_bytes(random)
        return Input(name, data, f"{name} {data[:SHOWN]!r}", lambda: _read(name, data))

    def _keep(self, number: int, drawn: Input) -> None:
        """Store an input that failed."""
        self._kept.mkdir(exist_ok=True)
        (self._kept / f"{number}.{drawn.kind}").write_bytes(drawn.data)


def _asked(site: Site, request: Request) -> tuple[str, str]:
    answer = site.ask(request)
    wrong = answer.status >= 500 or b"Traceback" in answer.body
    return str(answer.status), f"{answer.status} {answer.raised[:SHOWN]}" if wrong else ""


def _read(name: str, data: bytes) -> tuple[str, str]:
    survives(name, data)
    return "", ""


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def main(words: list[str]) -> int:
    """Try the inputs that the log lacks."""
    parser = arguments()
    parser.add_argument(
        "--now", type=Path, required=True, help="where the number of the present input is noted"
    )
    parser.add_argument("--folder", type=Path, required=True)
    asked = parser.parse_args(words)
    logging.disable(logging.CRITICAL)
    watchman, before, trial = os.getppid(), summed(asked.log), Trial(asked, asked.folder)
    for first, end in blocks(asked.first, asked.first + asked.inputs):
        if os.getppid() != watchman:
            return 1  # nobody would notice a hang any more
        if (first, end) not in before.blocks:
            block = Block(first, end)
            trial.run(block, before.killed)
            add_line(asked.log, vars(block))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
