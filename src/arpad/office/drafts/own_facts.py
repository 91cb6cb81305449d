"""What an office knows of the players and the events of its own lists, by the names that rating systems have for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection

from arpad.lists.inputs import EventInput, Guests
from arpad.model.canonical_json import load
from arpad.model.people import Person
from arpad.model.rules import Fact, ListName
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import AsOf, publication_in_force
from arpad.office.parts import rated_guests
from arpad.office.register.number_rows import with_merged
from arpad.office.register.rows import clubs_of
from arpad.office.reports import rows
from arpad.office.reports.rows import Decision, Filed
from arpad.office.reports.stated_facts import facts_to_check
from arpad.rating.event import control_of
from arpad.rating.event_question import known_facts
from arpad.regulations.rating_system import System
from arpad.regulations.system_fields import read_fields
from arpad.regulations.systems import system_named
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Entrant, Report
from arpad.reports.stages import read_filed
from arpad.store.settings import OwnList
from arpad.system.lru import Lru

_SECONDS = 60

Memberships = Mapping[int, Sequence[tuple[date, date | None]]]
"""Player → the first and the last day of each membership; None if it goes on."""

Ratings = Mapping[date, Guests]
"""First day of an event → FIDE ratings of its players."""


@dataclass(frozen=True, slots=True)
class OwnFacts:
    """What is known of the players and the events of a list."""

    system: System[Any, Any]
    of_list: Mapping[str, Fact]
    """What the federation sets for its list."""

    people: Mapping[int, Person]
    memberships: Memberships
    fide: Ratings
    k: Mapping[int, Sequence[tuple[date, date, Any]]]
    """Player → the decided values of K, each with the days after and until which events end for which it counts."""

    def of_player(self, entrant: Entrant, player: int, event: EventInput, last_day: date) -> dict[str, Fact]:
        """Return the facts of a player of an event."""
        facts: dict[str, Fact] = {}
        for field in self.system.fields:
            value: Any = None
            if field.name == "joined":
                value = min((first for first, _ in self.memberships.get(player, ())), default=None)
            elif field.name == "fide" and event.first_day in self.fide:
                value = self.fide[event.first_day].ratings.get(player)
            elif field.name == self.system.k_field:
                decided = (it for after, until, it in self.k.get(player, ()) if after < last_day <= until)
                value = next(decided, None)
            if value is not None:
                facts[field.name] = field.read(value, field.name)
        return {**known_facts(entrant, self.system.fields), **facts}

    def of_event(self, event: EventInput) -> dict[str, Fact]:
        """Return the facts of an event: those of the list, and those that follow from its report."""
        report = event.report()
        stated = self.system.event_facts(_minutes(report, event.facts), len(report.entrants))
        return {**stated, **self.of_list}

    def unlisted(self, day: date) -> frozenset[int]:
        """Return the players who are not on the list of a day because they are not members, if the system asks."""
        first = self.system.members_since(day) if self.memberships else None
        if first is None:
            return frozenset()
        last = (day.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        members = {
            player
            for player, known in self.memberships.items()
            if any(since <= last and (until is None or until >= first) for since, until in known)
        }
        return frozenset(self.people.keys() - members)


def _minutes(report: Report, facts: EventFacts) -> int:
    """Return the minutes of the whole main time plus the seconds for a move."""
    control = control_of(report, facts)
    main = sum(period.seconds for period in control.periods)
    return main // _SECONDS + (control.periods[0].increment if control.periods else 0)


_MINUTES: Lru[int] = Lru(4096)
"""Those of the reports used last, by digest and the time control that an officer stated."""


def not_in_system(
    connection: Connection, own: OwnList, reports: Iterable[Filed], decided: Sequence[Decision]
) -> set[int]:
    """Return the reports whose time control does not count in the system of a list, as G/10 on a regular list."""
    system = system_named(own.name.system)
    of_list = read_fields(system.unit_facts, load(own.facts), "facts")
    if system.counts_on is None or not of_list:
        return set()
    outside = set()
    for filed in reports:
        facts = facts_to_check(filed, decided)

        def read(filed: Filed = filed, facts: EventFacts = facts) -> int:
            return _minutes(read_filed(rows.data(connection, filed.id), filed.file), facts)

        if not system.counts_on(of_list, _MINUTES.get((filed.digest, facts.time_control), read)):
            outside.add(filed.id)
    return outside


def load_memberships(
    connection: Connection, players: Iterable[int], merged: Mapping[int, int], as_of_act: int | None
) -> Memberships:
    """Return the memberships of players in clubs, as known at an act; of merged players under the number kept."""
    changes: dict[int, dict[date, str]] = {}
    for player, since, club in clubs_of(connection, with_merged({*players}, merged), as_of_act):
        changes.setdefault(merged.get(player, player), {})[since] = club
    return {player: [*_memberships(sorted(of_player.items()))] for player, of_player in changes.items()}


def _memberships(changes: Sequence[tuple[date, str]]) -> Iterable[tuple[date, date | None]]:
    following: list[date | None] = [since - timedelta(days=1) for since, _ in changes[1:]]
    for (since, club), until in zip(changes, [*following, None], strict=True):
        if club:
            yield since, until


def load_fide_ratings(
    connection: Connection,
    events: Iterable[EventInput],
    rated: Iterable[int],
    as_of: AsOf,
    merged: Mapping[int, int],
) -> Ratings:
    """Return the FIDE ratings of newcomers on the first days of events.

    They are those of FIDE's list that the office keeps, else those of its own standard list; a list that is computed
    again takes those that it had.
    """
    if as_of.guests is not None:
        return {
            day: Guests(
                {merged.get(player, player): it for player, it in known.ratings.items()},
                known.source,
                known.day,
                known.digest,
            )
            for day, known in as_of.guests.items()
        }
    known_before, players_of = set(rated), dict[date, set[int]]()
    for event in events:
        players_of.setdefault(event.first_day, set()).update(set(event.players) - known_before)
    standard = [it for it in lists.all_publications(connection, ListName.STANDARD) if as_of.sees(it)]
    ratings: dict[date, Guests] = {}
    for day, players in sorted(players_of.items()):
        reference = rated_guests(connection, players, ListName.STANDARD, day, takes_standard=False)
        in_force = publication_in_force(standard, day)
        if reference is not None:
            ratings[day] = reference
        elif in_force is not None and players:
            own = list_rows.ratings(connection, in_force.id, players)
            ratings[day] = Guests({it: own[it] for it in sorted(own)}, "", in_force.day, in_force.digest)
    return ratings


def decided_k(
    decisions: Iterable[Decision], on_list: ListName, days: Iterable[date], first: date
) -> dict[int, list[tuple[date, date, Any]]]:
    """Return the decided values of K: each counts for the events of a list that the list before did not have.

    ``days`` are those of the published lists, ``first`` the day after which the first event counts.
    """
    known = sorted({first, *days})
    decided: dict[int, list[tuple[date, date, Any]]] = {}
    for it in decisions:
        if it.kind == "k" and it.player is not None and it.list == str(on_list) and it.day:
            until = date.fromisoformat(it.day)
            after = max((day for day in known if day < until), default=first)
            decided.setdefault(it.player, []).append((after, until, load(it.value)["k"]))
    return decided
