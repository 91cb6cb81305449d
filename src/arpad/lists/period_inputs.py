"""The inputs of a period: events, facts of the register, rules, and how a player takes part in an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from arpad.model.chess import Entry, Performance, PlayerState
from arpad.model.errors import NoEdition
from arpad.model.people import Birth
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import in_force as edition_in_force
from arpad.regulations.fide.entry_rating import entry_rating
from arpad.regulations.fide.rules import ChessRules, Meanwhile
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report

InForce: TypeAlias = Callable[[int, date], int | None]
"""The rating of a player on the list in force on a day."""


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament that falls into the period."""

    id: str
    report: Report
    players: tuple[int, ...]
    """The register's id of each entrant, by place."""

    edition: Edition[ChessRules]
    """In force on its first day."""

    facts: EventFacts = field(default_factory=EventFacts)

    @property
    def first_day(self) -> date:
        """Return the day that decides the edition and the ratings; a report without one is not accepted."""
        return self.report.header.first_day or date.min

    @property
    def last_day(self) -> date:
        """Return the day that decides the list it falls into, and the order of events."""
        return self.report.header.last_day or date.min


@dataclass(frozen=True, slots=True)
class RegisterFacts:
    """What the register and the officers know in addition to the reports."""

    born: Mapping[int, Birth] = field(default_factory=dict)
    affiliated: frozenset[int] = frozenset()
    """Members of IBCA, ICSC or IPCA."""

    dead: frozenset[int] = frozenset()
    """Players who died by the day of the list."""

    k: Mapping[int, int] = field(default_factory=dict)
    """K decided by an officer for this period."""

    standard: Mapping[int, int] = field(default_factory=dict)
    """Standard ratings of the same day, for the lists that look at them."""

    standard_then: InForce | None = None
    """Standard ratings on the list in force on a day; without it, those of ``standard`` for any day."""

    guests: Mapping[date, Mapping[int, int | None]] = field(default_factory=dict)
    """First day of an event → its guests, with their ratings on the reference list; None for none."""

    def standard_on(self, player: int, day: date) -> int | None:
        """Return the standard rating with which a player takes part in an event that begins on that day."""
        return self.standard_then(player, day) if self.standard_then else self.standard.get(player)


def in_order(events: Iterable[Event]) -> list[Event]:
    """Return events in the order in which they ended, regardless of their order of arrival."""
    return sorted(events, key=lambda event: (event.last_day, event.first_day, event.id))


@dataclass(frozen=True, slots=True)
class Frame:
    """What applies to the whole period: the list, its days, and the rules of each edition."""

    on_list: ListName
    day: date
    opened: date
    rules: ChessRules
    """Of the list's day."""

    opening: ChessRules
    """Of the day on which the period began: the K of an imported list follows them."""

    by_edition: Mapping[str, ChessRules]

    @classmethod
    def of(
        cls,
        on_list: ListName,
        day: date,
        opened: date,
        edition: Edition[ChessRules],
        editions: Sequence[Edition[ChessRules]],
    ) -> Frame:
        """Return the frame of a list's period."""
        rules = edition.on(on_list)
        try:
            opening = edition_in_force(editions, on_list, opened).on(on_list)
        except (NoEdition, ValueError):
            opening = rules
        by_edition = {
            event_edition.id: event_edition.on(on_list)
            for event_edition in (*editions, edition)
            if on_list in event_edition.lists
        }
        return cls(on_list, day, opened, rules, opening, by_edition)

    def rules_of(self, performance: Performance) -> ChessRules:
        """Return the rules under which an event of an unrated player was played."""
        return self.by_edition.get(performance.edition, self.rules)

    def entry(self, tranches: Sequence[Performance], *, affiliated: bool) -> Entry:
        """Return the entry rating of an unrated player with pending events."""
        return entry_rating(
            tranches, self.rules, list_day=self.day, affiliated=affiliated, rules_of=self.rules_of
        )


@dataclass(frozen=True, slots=True)
class Participation:
    """How a player takes part in an event."""

    rating_for_opponents: int | None
    """The rating with which the player counts for the opponents; None: unrated."""

    own_rating: int | None
    """The rating from which the player's own change starts; None: the games go into the pool."""

    rated_since: Meanwhile | None = None
    """Unrated when the event began and rated since (8.4, 8.2.4): how the player is computed."""

    uses_standard: bool = False
    """Whether the player takes part with the standard rating, for lack of one on this list."""

    guest: bool = False
    """Whether the player counts only for the opponents."""


def participation(
    player: int,
    now: PlayerState | None,
    event: Event,
    rules: ChessRules,
    in_force: InForce,
    register: RegisterFacts,
) -> Participation:
    """Return how a player takes part in an event: by the list of its first day and by the state now (RB 7.2.1)."""
    listed = in_force(player, event.first_day)
    guests = register.guests.get(event.first_day, {})
    if player in guests:
        return Participation(guests[player] or listed, None, guest=True)
    rating = now.rating if now else None
    if listed is not None:
        return Participation(listed, listed if rating is not None else None)
    if rules.entry_takes_standard and (standard := register.standard_on(player, event.first_day)) is not None:
        return Participation(standard, standard, uses_standard=True)
    if now is None or rating is None:
        return Participation(None, None)
    meanwhile = rules.rated_meanwhile.value(rating, now.entry, now.games)
    return Participation(None, meanwhile.own, meanwhile)


def counts_already(tranches: Iterable[Performance], last_day: date, frame: Frame) -> bool:
    """Return whether an unrated player has an event up to a last day that counts, so that the next is not the first."""
    earlier = [tranche for tranche in tranches if (tranche.last_day or date.min) <= last_day]
    return bool(earlier) and bool(
        entry_rating(earlier, frame.rules, list_day=frame.day, rules_of=frame.rules_of).counted
    )
