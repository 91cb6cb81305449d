"""Limits on the cost of one request: uploads, responses and files.

Each can be set by an environment variable before ``arpad serve`` starts: ``ARPAD_VISITOR_GAMES=50000``. The guide for
administrators lists them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal

from arpad.model.typed_values import parse_within

Who = Literal["visitor", "signed_in", "file"]

SMALL = 64 * 1024
"""The web worker itself reads a text file up to this size; a limited process reads larger files and workbooks."""

MOST_CELLS_SHOWN = 6_000
"""Rounds of players that a page shows; a report of 500 players and eleven rounds has 5,500."""

MOST_CELLS_ANSWERED = 10_000
"""The same for one page of the API, which takes about four megabytes."""

MIB = 1024 * 1024
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one job."""

    games: int
    """Games of a report."""

    seconds: int
    """Seconds of the processor; by the clock three times as many."""

    memory: int
    """MiB of address space."""

    answer: int
    """MiB of the response."""

    @property
    def patience(self) -> int:
        """Return how many seconds by the clock a job may take."""
        return 3 * self.seconds


_USUAL: dict[Who, Bounds] = {
    "visitor": Bounds(games=25_000, seconds=20, memory=768, answer=16),
    "signed_in": Bounds(games=100_000, seconds=120, memory=2048, answer=32),
    "file": Bounds(games=_MOST, seconds=300, memory=4096, answer=1024),
}

_AT_ONCE = {"ARPAD_REPORTS_AT_ONCE": 2, "ARPAD_FILES_AT_ONCE": 1, "ARPAD_COSTLY_A_MINUTE": 60}


@cache
def bounds(who: Who) -> Bounds:
    """Return the limits for a visitor, for a user, or for making one file of a list."""
    usual = _USUAL[who]
    return Bounds(**{
        item.name: _number(f"ARPAD_{who.upper()}_{item.name.upper()}", getattr(usual, item.name))
        for item in fields(Bounds)
    })  # fmt: skip


@cache
def reports_at_once() -> int:
    """Return how many large reports one web worker reads at the same time."""
    return _number("ARPAD_REPORTS_AT_ONCE", _AT_ONCE["ARPAD_REPORTS_AT_ONCE"])


@cache
def files_at_once() -> int:
    """Return how many large files of lists one web worker makes at the same time."""
    return _number("ARPAD_FILES_AT_ONCE", _AT_ONCE["ARPAD_FILES_AT_ONCE"])


@cache
def costly_a_minute() -> int:
    """Return how many costly requests a minute one address may send."""
    return _number("ARPAD_COSTLY_A_MINUTE", _AT_ONCE["ARPAD_COSTLY_A_MINUTE"])


def check_environment() -> None:
    """Refuse a limit that is not a number before the server starts."""
    for who in _USUAL:
        bounds(who)
    reports_at_once(), files_at_once(), costly_a_minute()


def _number(name: str, usual: int) -> int:
    text = os.environ.get(name, "")
    return parse_within(text, name, 1, _MOST) if text else usual
