"""The values of a reconciliation: entries of FIDE's lists, players as computed and as published, and causes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from arpad.lists.period import Event, PlayerPeriod
from arpad.model.people import Birth
from arpad.model.rules import Fact, ListName


@dataclass(frozen=True, slots=True)
class FideEntry:
    """The entry of a player on one of FIDE's lists."""

    rating: int | None
    games: int | None = None
    """Games of the period; None if the list does not state them."""

    k: int | None = None
    name: str = ""
    federation: str = ""
    born: Birth = None
    standard: int | None = None
    """The standard rating on a combined list, if this is the rapid or the blitz one."""


@dataclass(frozen=True, slots=True)
class DatedList:
    """A list of FIDE's, by FIDE ID."""

    day: date
    players: Mapping[int, FideEntry]


@dataclass(frozen=True, slots=True)
class Cause:
    """A supposition that explains a difference."""

    code: str
    facts: Mapping[str, Fact] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Return whether it is a cause: a rating that FIDE's own list contradicts only would fit."""
        return self.code not in ("unexplained", "would-fit")


Certainty = Literal["certain", "likely", "open"]
"""Whether FIDE's list itself confirms a cause, or it only fits, or none is known."""

_SEEN = ("not-on-list", "games-not-in-reports", "changed-without-games")
"""Causes that the lists show as they are."""

_ABOUT_EVENTS = ("event-not-rated", "event-of-later-period", "event-of-earlier-period")
"""Causes that the number of games on FIDE's list confirms."""


@dataclass(frozen=True, slots=True)
class ReconciledPlayer:
    """A player: as computed, as published, and why the two differ."""

    player: int
    before: FideEntry | None
    after: FideEntry | None
    period: PlayerPeriod | None
    """The computed period; None if the player has no game in the reports."""

    computed: int | None
    games: int
    causes: tuple[Cause, ...] = ()
    """Each explains the difference on its own."""

    @property
    def published(self) -> int | None:
        """Return the published rating."""
        return self.after.rating if self.after else None

    @property
    def listed(self) -> FideEntry:
        """Return the newest entry of the player on a list, for the name."""
        return self.after or self.before or FideEntry(None)

    @property
    def certainty(self) -> Certainty:
        """Return how sure the causes are: one is certain if it is the only one and FIDE's list confirms it."""
        if not self.causes or not all(cause.known for cause in self.causes):
            return "open"
        first, *others = self.causes
        after = self.after or FideEntry(None)
        confirmed = (
            first.code in _SEEN
            or (first.code in _ABOUT_EVENTS and after.games is not None)
            or (first.code == "other-k" and after.k == first.facts["k"])
        )
        return "certain" if confirmed and not others else "likely"

    @property
    def agrees(self) -> bool:
        """Return whether rating and games are as computed."""
        return agrees((self.computed, self.games), self.after)


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The comparison of a period."""

    on_list: ListName
    opened: date
    day: date
    edition: str
    players: tuple[ReconciledPlayer, ...]
    other_periods: tuple[Event, ...]
    """Events of the reports that belong to another list."""

    before_first_list: tuple[Event, ...]
    """Events that began before the first list given: its ratings were used."""

    def differing(self) -> tuple[ReconciledPlayer, ...]:
        """Return the players whose results differ, the largest difference first."""
        differing = [player for player in self.players if not player.agrees]
        return tuple(sorted(differing, key=lambda player: (-_difference(player), player.player)))


def _difference(player: ReconciledPlayer) -> int:
    return abs((player.computed or 0) - (player.published or 0))


def agrees(result: tuple[int | None, int], published: FideEntry | None) -> bool:
    """Return whether a result is the published one; a player who is not on the list has no rating and no games."""
    rating, games = result
    if published is None:
        return rating is None
    return rating == published.rating and (published.games is None or games == published.games)
