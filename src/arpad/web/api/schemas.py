"""Schemas of the API's answers on players, lists, tournaments and reports; calculators use ``explain`` documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arpad.explain.documents import FindingDocument, ProposalDocument
from arpad.explain.rated_report import RatedPlayerDocument

# ---------------------------------------------------------------------------------- players, lists, tournaments


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


# ------------------------------------------------------------------------------------------------------ changes
