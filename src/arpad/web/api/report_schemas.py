"""Answers about reports: checked, rated, sent in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arpad.web.api.responses import FindingOut


@dataclass
class CheckOut:
    """A report's findings."""

    event: str
    edition: str | None
    list: str
    format: str
    treated_as: str
    findings: Sequence[FindingOut]


@dataclass
class InitialOut:
    """What an event gives an unrated player."""

    rating: int | None
    computed: int | None
    games: int
    score: str
    reason: str
    text: str


@dataclass
class RatedGameOut:
    """One round of one player."""

    round: int
    opponent: int | None
    opponent_rating: int | None
    score: str
    rated: bool
    reason: str | None
    article: str | None
    text: str | None
    difference: int | None
    expected: str | None
    change: str | None


@dataclass
class RatedPlayerOut:
    """What an event is worth to one player."""

    number: int
    id: str | None
    name: str
    rating: int | None
    k: int | None
    k_applied: int | None
    score: str
    rated_games: int
    expected: str | None
    change: str | None
    change_rounded: int | None
    new_rating: int | None
    initial: InitialOut | None
    games: Sequence[RatedGameOut]


@dataclass
class RatedOut(CheckOut):
    """A report, rated; the players of a very large one come page by page, the findings with the first."""

    players: Sequence[RatedPlayerOut] = field(default_factory=list)
    page: int = 1
    pages: int = 1


@dataclass
class StatusOut:
    """What became of a report on a day, and why."""

    status: str
    day: str
    reason: str
    decision: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class SubmissionOut:
    """A report on file."""

    report: int
    status: str
    list: str
    event: str
    first_day: str | None
    last_day: str | None
    received: str
    replaces: int | None
    again: bool
    findings: Sequence[FindingOut]
    history: Sequence[StatusOut]


@dataclass
class SubmissionsOut:
    """A page of what the token's user has sent, the latest first."""

    page: int
    pages: int
    submissions: Sequence[SubmissionOut]
