# ruff: noqa: T201  this program prints what it finds
"""Hostile inputs to every reader of bytes and every route: none may hang, end in a trace or give a 500.

    python -m tests.fuzz.hostile --inputs 1000000

Every input follows from its number; ``--first`` and ``--inputs`` repeat some. The office behind the routes begins
again with every block of ``BLOCK`` inputs, so an input of a route is repeated with the inputs of its block before it.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz.hostile_site import Answer, Site, hostile_request
from tests.fuzz.mutations import mutate
from tests.fuzz.readers import CORPUS, FOUND, READERS, survives

BLOCK = 1000
SLOW_SECONDS = 2.0
"""Of the processor's time: how long an input may take."""

HANGS_AFTER = 60
SHOWN = 300
MEMORY = Path("/dev/shm")  # noqa: S108  a folder of its own inside
RARE = {"backup": 1, "edition": 4, "rating-list": 4, "workbook": 10, "rated": 20}
"""Readers that take longer than others get fewer inputs; ``OFTEN`` is the share of the others."""

OFTEN = 40
ROUTES = 0.1
"""The share of the inputs that are requests."""


class Hangs(Exception):
    """An input that does not come to an end."""


@dataclass
class Result:
    """The figures of a run."""

    inputs: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        self.problems.append(problem)
        print(problem, flush=True)

    def line(self) -> str:
        return (
            f"{self.inputs.total()} inputs ({self.inputs.total() - self.inputs['route']} to readers, "
            f"{self.inputs['route']} to routes); slowest {self.slowest[0]:.2f} s ({self.slowest[1]}); "
            f"{len(self.problems)} problems; answers {dict(sorted(self.statuses.items()))}"
        )


@contextmanager
def bounded() -> Iterator[None]:
    def late(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(HANGS_AFTER)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


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


def run(inputs: int, *, first: int = 0, seed: int = 1, routes: float = ROUTES, progress: int = 0) -> Result:
    """Try inputs by number; return what happened."""
    result = Result()
    with TemporaryDirectory(prefix="arpad-hostile-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        site = Site(Path(folder)) if routes else None
        for number in range(first, first + inputs):
            if site is not None and number % BLOCK == 0:
                site.renew()
            random = Random(f"{seed} {number}")  # noqa: S311  a test
            _try_one(number, random, site if random.random() < routes else None, result)
            if progress and result.inputs.total() % progress == 0:
                print(result.line(), flush=True)
    return result


def _try_one(number: int, random: Random, site: Site | None, result: Result) -> None:
    """Try one input, on the site if there is one, and note a hang, a trace and a 500."""
    if site is not None:
        request = hostile_request(random, site)
        kind, about = "route", f"{number}: {request.shown()}"
    else:
        kind, data = hostile_bytes(random)
        about = f"{number}: {kind} {data[:SHOWN]!r}"
    begun = time.process_time()
    try:
        with bounded():
            if site is None:
                survives(kind, data)
            else:
                _judge(site.ask(request), about, result)
    except Exception:  # noqa: BLE001  whatever it is, it is a problem
        result.note(f"trace: {about}\n{traceback.format_exc(limit=-6)}")
    seconds = time.process_time() - begun
    result.inputs[kind] += 1
    result.slowest = max(result.slowest, (seconds, about[:120]))
    if seconds > SLOW_SECONDS:
        result.note(f"slow, {seconds:.1f} s: {about}")


def _judge(answer: Answer, about: str, result: Result) -> None:
    result.statuses[answer.status] += 1
    if answer.status >= 500 or b"Traceback" in answer.body:
        result.note(f"{answer.status} {answer.raised[:SHOWN]}: {about}")


def main(words: list[str]) -> int:
    """Run and report; return 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.hostile", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--routes", type=float, default=ROUTES, help="the share of requests")
    asked = parser.parse_args(words)
    logging.disable(logging.CRITICAL)
    result = run(asked.inputs, first=asked.first, seed=asked.seed, routes=asked.routes, progress=10_000)
    print(result.line())
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
