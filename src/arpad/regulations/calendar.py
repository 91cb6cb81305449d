"""Editions that take turns from day to day, and the days on which lists come out under them.

A list follows the edition of its own day (reading 1 of docs/readings.md): whether its month has one is asked of that.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from arpad.model.rules import Edition, ListName
from arpad.regulations.chess.rules import ChessRules, add_months
from arpad.regulations.editions import CHESS, dated

Editions: TypeAlias = Callable[[date], Edition[ChessRules]]
"""The edition in force on a day; if it is the same on two days, it is the same between them."""


@dataclass(frozen=True, slots=True)
class _InTurn:
    """Some editions, each from its own day on; the first also before."""

    editions: tuple[Edition[ChessRules], ...]
    since: tuple[date, ...]

    def __call__(self, day: date) -> Edition[ChessRules]:
        return self.editions[max(0, bisect_right(self.since, day) - 1)]


def always(edition: Edition[ChessRules]) -> Editions:
    """One edition for every day."""
    return _InTurn((edition,), (date.min,))


def in_turn(on_list: ListName, editions: Iterable[Edition[ChessRules]]) -> Editions:
    """Some editions, each from the day on which it begins for a list; the first also before."""
    ordered = sorted(editions, key=lambda edition: edition.starts(on_list))
    return _InTurn(tuple(ordered), tuple(edition.starts(on_list) for edition in ordered))


def by_date(on_list: ListName) -> Editions:
    """The published editions as they came into force."""
    return in_turn(on_list, dated(CHESS, on_list))


def editions_in(editions: Editions) -> tuple[Edition[ChessRules], ...]:
    """The editions that take turns."""
    return editions.editions if isinstance(editions, _InTurn) else ()


# ------------------------------------------------------------------------------------------------ days of lists


def has_list(first: date, on_list: ListName, editions: Editions) -> bool:
    """Whether a list comes out on the first of a month."""
    return first.month in editions(first).on(on_list).list_months.value


def list_in_force(day: date, on_list: ListName, editions: Editions) -> date:
    """The date of the list in force on a day."""
    first = day.replace(day=1)
    while not has_list(first, on_list, editions):
        first = add_months(first, -1)
    return first


def following_list(day: date, on_list: ListName, editions: Editions) -> date:
    """The date of the first list after a day."""
    first = add_months(day.replace(day=1), 1)
    while not has_list(first, on_list, editions):
        first = add_months(first, 1)
    return first
