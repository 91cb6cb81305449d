"""Schemas of the API's answers on players, lists, tournaments and reports; calculators use ``explain`` documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


# ------------------------------------------------------------------------------------------------------ changes
