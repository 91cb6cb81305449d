"""Answers of the calculators: ratings, K and counts as integers; scores, expectations, changes as decimal texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arpad.web.api.responses import StepOut


@dataclass
class GameOut:
    """A game of a rating change; ``change`` is score minus expectation, without K."""

    opponent: int
    own: int
    event: str
    score: str
    difference: int
    capped: bool
    rated: bool
    expected: str | None
    change: str | None


@dataclass
class ChangeOut:
    """A rating change over one period."""

    edition: str
    list: str
    rating: int
    k: int
    k_applied: int
    games: Sequence[GameOut]
    sum: str
    change: str
    change_rounded: int
    new_rating: int
    steps: Sequence[StepOut]


@dataclass
class EntryOut:
    """An entry rating; ``rating`` is null where the edition gives none yet, ``reason`` says why."""

    edition: str
    list: str
    games: int
    score: str
    average: int | None
    average_exact: Any
    rating: int | None
    computed: int | None
    reason: str
    text: str
    steps: Sequence[StepOut]


@dataclass
class OpponentOut:
    """An opponent in a round robin: the rating they count with; ``score`` is null where only points were given."""

    number: int
    rating: int
    score: str | None


@dataclass
class RoundRobinPlayerOut:
    """A player of a round robin: of a rated one the change, of an unrated one Rc, Ru, Rc (new), Ru (new)."""

    number: int
    name: str
    rating: int | None
    score: str
    removed: bool
    p: str | None
    dp: int | None
    rc: int | None
    ru: int | None
    rc_new: int | None
    ru_new: int | None
    initial: Any
    k: int | None
    k_applied: int | None
    expected: str | None
    sum: str | None
    change: str | None
    change_rounded: int | None
    new_rating: int | None
    opponents: Sequence[OpponentOut]
    steps: Sequence[StepOut]


@dataclass
class RoundRobinOut:
    """A round robin with unrated players; ``rar`` and ``dpa`` are exact, ``ra`` is the average of the tournament."""

    edition: str
    list: str
    cycles: int
    games: int
    rar: Any
    dpa: Any
    ra: int
    removed: Sequence[int]
    findings: Sequence[Any]
    players: Sequence[RoundRobinPlayerOut]
    steps: Sequence[StepOut]


@dataclass
class CoefficientOut:
    """A development coefficient."""

    edition: str
    list: str
    k: int
    steps: Sequence[StepOut]


@dataclass
class ExpectedOut:
    """An expected score."""

    edition: str
    list: str
    rating: int
    opponent: int
    difference: int
    capped: bool
    rated: bool
    expected: str | None
    steps: Sequence[StepOut]


@dataclass
class CapitalOut:
    """A draughts capital after an event."""

    discipline: str
    edition: str
    capital: int
    final: int
    change: int
    scored: str
    expected: str
    deviation: str
    s: int
    variation: str
    added: int
    steps: Sequence[StepOut]


@dataclass
class ConversionOut:
    """Category and capital with which a player begins."""

    discipline: str
    edition: str
    category: str
    capital: int
    steps: Sequence[StepOut]


@dataclass
class GroupsOut:
    """A split into groups, the first group first."""

    discipline: str
    edition: str
    players: int
    rounds: int
    groups: int
    critical: int
    increment: int
    first_group_cap: int
    minimum: int
    sizes: Sequence[int]


@dataclass
class WhatIfOut(ChangeOut):
    """What the next games would bring a player, with the rating and K with which they would be counted."""

    player: int = 0
    name: str = ""
    official_since: str = ""
