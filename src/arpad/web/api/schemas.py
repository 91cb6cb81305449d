"""Schemas of the API's answers on players, lists, tournaments and reports; calculators use ``explain`` documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arpad.explain.calculator_documents import ChangeDocument
from arpad.explain.documents import FindingDocument, ProposalDocument
from arpad.explain.rated_report import RatedPlayerDocument

# ---------------------------------------------------------------------------------- players, lists, tournaments


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
class CategoryOut:
    """How a player reached or lost a national category."""

    list: str
    category: str
    before: str
    day: str
    rating: int | None
    article: str
    lost: bool
    decision: int | None


@dataclass
class LiveRatingOut:
    """A rating as the next list would show it now; not official."""

    list: str
    day: str
    """The day of the next list."""

    computed: str
    official: int | None
    rating: int | None
    change: int | None
    games: int
    events: int
    with_received: int | None
    """The rating with the reports that are not accepted yet too; null if they change nothing."""


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
    """A page of the published lists, by name, day and revision."""

    lists: Sequence[ListOut]
    next: str
    more: bool


@dataclass
class RowOut:
    """One row of a ranking; a player who asked not to be shown has no id and no name; an inactive one no rank."""

    rank: int | None
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
    total: int
    rows: Sequence[RowOut]
    next: str
    more: bool


@dataclass
class LiveRowOut:
    """A player who moved since the official list."""

    id: int
    name: str
    federation: str
    title: str
    official: int | None
    rating: int | None
    change: int | None
    games: int
    events: int


@dataclass
class LiveListOut:
    """A page of a live list; not official."""

    list: str
    official: bool
    """Always false."""

    day: str
    """The day of the next list."""

    computed: str
    reports: str
    """``accepted``, or ``received``: with those that are not accepted yet too."""

    total: int
    rows: Sequence[LiveRowOut]
    next: str
    more: bool


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
    not_rated: str | None = None
    """The day of the decision that it is not rated."""


@dataclass
class TournamentsOut:
    """A page of tournaments, the latest first."""

    tournaments: Sequence[TournamentOut]
    next: str
    more: bool


@dataclass
class PlayedOut:
    """One round of one player: the opponent's start number, the colour, the result as the report has it."""

    round: int
    opponent: int | None
    colour: str
    result: str


@dataclass
class EntrantOut:
    """One player of a tournament; a player who asked not to be shown has no id and no name.

    ``rating`` is the one with which the tournament was rated, ``change`` its share of the period before rounding.
    """

    number: int
    id: int | None
    name: str
    title: str
    federation: str
    rating: int | None
    score: str | None
    expected: str | None
    change: str | None
    games: Sequence[PlayedOut]


@dataclass
class TournamentFileOut:
    """A tournament: games, changes of all players, and findings."""

    tournament: TournamentOut
    city: str
    time_control: str
    rounds: int
    players: Sequence[EntrantOut]
    findings: Sequence[FindingDocument]


@dataclass
class WhatIfOut(ChangeDocument):
    """The change that the next games would bring a player, with the rating and K that would apply."""

    player: int = 0
    name: str = ""
    official_since: str = ""


# ---------------------------------------------------------------------------------------------------- reports


@dataclass
class FindingsOut:
    """A report's findings."""

    event: str
    edition: str | None
    list: str
    format: str
    treated_as: str
    findings: Sequence[FindingDocument]


@dataclass
class CheckOut(FindingsOut):
    """A report's findings, and the corrections that Arpad proposes for them."""

    proposals: Sequence[ProposalDocument] = field(default_factory=list)


@dataclass
class RatedOut(FindingsOut):
    """A rated report; the players of a very large one come in pages, the findings with the first."""

    players: Sequence[RatedPlayerDocument] = field(default_factory=list)
    next: str = ""
    more: bool = False


@dataclass
class StatusOut:
    """A status of a report, with its day and reason."""

    status: str
    day: str
    reason: str
    decision: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class ReceiptOut:
    """The proof that the office took a report in, as arpad verify-receipt reads it."""

    schema: str
    act: dict[str, str | int]
    size: int
    path: list[str]
    checkpoint: str


@dataclass
class SubmissionOut:
    """A report on file."""

    report: int
    status: str
    list: str | None
    """None while it is undecided."""

    event: str
    first_day: str | None
    last_day: str | None
    received: str
    replaces: int | None
    again: bool
    findings: Sequence[FindingDocument]
    history: Sequence[StatusOut]
    receipt: ReceiptOut | None = None
    """Only right after sending; None if the office does not sign its ledger."""

    set_aside: Sequence[str] = ()
    """The codes of errors that an officer set aside when it was accepted."""


@dataclass
class SubmissionsOut:
    """A page of the reports that the token's user submitted, the latest first."""

    submissions: Sequence[SubmissionOut]
    next: str
    more: bool


@dataclass
class CandidateOut:
    """A player who may be an entrant; ``score`` is higher the likelier.

    ``player`` is the number in the register. A player of the reference list who is not in it has none, but a ``fide``
    number, and is named as ``fide:404454`` in a decision.
    """

    player: int | None
    fide: str | None
    name: str
    federation: str
    born: int | None
    title: str
    rating: int | None
    score: int
    reasons: Sequence[str]


@dataclass
class MatchOut:
    """An entrant: certain, doubtful with candidates, or new; ``player`` is given if it is certain."""

    number: int
    name: str
    federation: str
    born: int | None
    title: str
    rating: int | None
    id: str
    outcome: str
    decided: bool
    player: int | None
    candidates: Sequence[CandidateOut]


@dataclass
class MatchesOut:
    """The entrants of a report; it can be accepted when none is undecided."""

    report: int
    status: str
    undecided: int
    matches: Sequence[MatchOut]


# ------------------------------------------------------------------------------------------------------ changes
