"""The answers of the API: ratings, K and counts as integers; scores, expectations, changes as exact decimal texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example

T = TypeVar("T")


def made(kind: type[T], document: Any) -> T:
    """A document as a typed answer; what the type does not name is left out."""
    return msgspec.convert(document, kind)


@dataclass
class Sentence:
    """What went wrong."""

    code: str
    message: str


@dataclass
class Problem:
    """A refusal."""

    error: Sentence


def _problem(code: str, message: str) -> list[Example]:
    return [Example(summary=code, value={"error": {"code": code, "message": message}})]


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, for its description."""
    told = {
        400: ("out-of-range", "rating is 5000; it must lie between 0 and 4000"),
        401: ("token-needed", "A valid token with the scope submit is needed, in the header Authorization."),
        403: ("scope-needed", "The token lacks the scope submit."),
        404: ("no-player", "No player has this number, or he asked not to be shown."),
        408: ("too-slow", "a request must be sent within 60 seconds"),
        413: ("too-large", "at most 8388608 bytes can be sent to this address"),
        429: ("http-429", "Too many requests in a short time: try again in a minute."),
    }
    return {
        status: ResponseSpec(
            Problem, generate_examples=False, description="Refused", examples=_problem(*told[status])
        )
        for status in (*statuses, 408, 413, 429)
    }


# --------------------------------------------------------------------------------------------------- derivations


@dataclass
class StepOut:
    """One step of a derivation, with its article and in words."""

    article: str
    quantity: str
    value: Any
    text: str


@dataclass
class FindingOut:
    """Something a check has to say."""

    severity: str
    code: str
    article: str | None
    line: int | None
    column: int | None
    player: int | None
    round: int | None
    message: str


# -------------------------------------------------------------------------------------------------- calculations


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


# --------------------------------------------------------------------------------------------------- regulations


@dataclass
class EditionOut:
    """What identifies an edition."""

    id: str
    body: str
    effective: str
    by_name_only: bool
    base: str | None
    source: str
    checked: str
    lists: Sequence[str]
    digest: str
    about: str


@dataclass
class EditionsOut:
    """All editions, oldest first."""

    editions: Sequence[EditionOut]


@dataclass
class RuleOut:
    """A value and its article."""

    value: Any
    article: str


@dataclass
class EditionRulesOut:
    """An edition in full: list → rule → value and article."""

    edition: EditionOut
    rules: dict[str, dict[str, RuleOut | None]]


@dataclass
class DifferenceOut:
    """One rule that differs."""

    list: str
    rule: str
    old: RuleOut | None
    new: RuleOut | None


@dataclass
class EditionDifferenceOut:
    """What changed between two editions."""

    old: str
    new: str
    changes: Sequence[DifferenceOut]


# ------------------------------------------------------------------------------------------------------- reports


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
    """A report, rated."""

    players: Sequence[RatedPlayerOut] = field(default_factory=list)


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
    again: bool
    findings: Sequence[FindingOut]


@dataclass
class SubmissionsOut:
    """Everything that was sent with this token's user."""

    submissions: Sequence[SubmissionOut]


# -------------------------------------------------------------------------------------------------------- office


@dataclass
class PlayerOut:
    """A player of the register; of the birth only the year."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    born: int | None
    identifiers: dict[str, str]


@dataclass
class FoundOut:
    """Players that were found."""

    players: Sequence[PlayerOut]


@dataclass
class StandingOut:
    """A player on one list."""

    list: str
    day: str
    revision: int
    rating: int | None
    games: int
    k: int | None
    inactive: bool


@dataclass
class PlayerFileOut:
    """A player and where he stands on each list."""

    player: PlayerOut
    standings: Sequence[StandingOut]


@dataclass
class HistoryOut:
    """A player on every list, each in its newest revision."""

    player: int
    history: Sequence[StandingOut]


@dataclass
class ListOut:
    """One revision of one published list."""

    name: str
    list: str
    day: str
    revision: int
    edition: str
    digest: str
    players: int
    in_force: bool
    corrects: str | None


@dataclass
class ListsOut:
    """Published lists, by name, day and revision."""

    lists: Sequence[ListOut]


@dataclass
class RowOut:
    """One row of a ranking; somebody who asked not to be shown has no id and no name."""

    rank: int
    id: int | None
    name: str
    federation: str
    title: str
    category: str
    rating: int | None
    games: int
    k: int | None
    born: int | None
    inactive: bool


@dataclass
class RankingOut:
    """A page of a list."""

    list: ListOut
    cut: str
    page: int
    pages: int
    total: int
    rows: Sequence[RowOut]


@dataclass
class TournamentOut:
    """An accepted tournament."""

    id: int
    name: str
    federation: str
    list: str
    first_day: str | None
    last_day: str | None
    rated_with: Sequence[str]


@dataclass
class TournamentsOut:
    """A page of tournaments, the latest first."""

    page: int
    pages: int
    tournaments: Sequence[TournamentOut]
