"""The result of computing a list: its text, the state of every player after it, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TypeAlias

from arpad.lists.canonical import read_canonical
from arpad.lists.published import PublishedList
from arpad.lists.standings import EMPTY_STATE, StandingRow, standings_digest
from arpad.model.disciplines import discipline_of
from arpad.model.rules import ListName

Pending: TypeAlias = tuple[tuple[int, str], ...]
"""Unrated players with the code of the condition that they do not meet yet."""


@dataclass(frozen=True)
class ListResult:
    """A list as it would be published, and the state of every player after it."""

    head: str
    lines: Mapping[int, str]
    """The canonical text: its head, and a line for each published player."""

    states: Mapping[int, str]
    ratings: Mapping[int, int | None]
    movements: tuple[tuple[int, int, int], ...] = ()
    """Player, rating before, rating after, if they differ; the largest change first."""

    entered: tuple[int, ...] = ()
    delisted: tuple[int, ...] = ()
    make_pending: Callable[[], Pending] = tuple
    """Computes ``pending``; on a long list that is work that only a draft needs."""

    @cached_property
    def pending(self) -> Pending:
        """Unrated players who do not meet a condition yet."""
        return self.make_pending()

    @property
    def published(self) -> PublishedList:
        """The list as values."""
        return read_canonical(self.text)

    @cached_property
    def text(self) -> bytes:
        """The canonical text."""
        lines = [self.lines[player] for player in sorted(self.lines)]
        return (self.head + "\n".join([*lines, ""])).encode()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text."""
        return sha256(self.text).hexdigest()

    @cached_property
    def standings_digest(self) -> str:
        """SHA-256 over all states."""
        return standings_digest(sorted(self.states.items()))

    def rows(self) -> Iterator[StandingRow]:
        """Yield the rows of the store, by player."""
        states, lines, ratings = self.states, self.lines, self.ratings
        for player in sorted({*states, *lines}):
            yield StandingRow(player, ratings.get(player), states.get(player, EMPTY_STATE), lines.get(player))


def base_result(states: Mapping[int, str], on_list: ListName) -> ListResult:
    """Return a corrected start: the states of all players and no list."""
    rating_of = discipline_of(on_list).rating_of
    ratings = {player: rating_of(state) for player, state in states.items()}
    return ListResult("", {}, states, ratings)
