"""The facts by which the players of reports are checked: those of the register, and of the lists in force.

``entrant_lookup`` and ``table_players`` look up the players of reports. The same few queries serve one report or a
thousand; the checks themselves read no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection

from arpad.model.arbiters import Arbiter
from arpad.model.chess import PlayerState
from arpad.model.disciplines import discipline_of
from arpad.model.errors import NoEdition
from arpad.model.federations import is_foreign
from arpad.model.json_values import to_birth
from arpad.model.people import Birth, Person
from arpad.model.rules import Edition, ListName, Rule
from arpad.office.editions.acts import editions_here
from arpad.office.lists import line_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import publication_in_force
from arpad.office.parts import load_arbiters, members_on
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import NumberHolders, NumberRules, ReportNumbers, load_number_rules
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports.entrant_rows import EntrantDecision
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.editions import in_force
from arpad.regulations.membership import Members
from arpad.reports.entrant_match import (
    Numbers,
    Registered,
    is_compatible,
    years_agree,
)
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.report import Entrant, Report
from arpad.store.settings import read_setting

_DEFAULT = PlayerState(0)


class RegisteredPlayer(NamedTuple):
    """The facts of a registered player that checks need."""

    name: str
    born: Birth
    affiliation: str
    died: date | None = None


ListEntry: TypeAlias = KnownPlayer
"""The state of a player on a list, as far as checks need it, without the facts of the register."""

_NOT_LISTED = ListEntry(games=_DEFAULT.games, peak=_DEFAULT.peak)


class ReportToCheck(NamedTuple):
    """A report and the facts of its event."""

    report: Report
    facts: EventFacts

    @property
    def matched_on(self) -> ListName:
        """The list whose schemes the numbers of its players belong to."""
        return self.facts.list or ListName.STANDARD


class EntrantsFound(NamedTuple):
    """The entrants of a report, looked up by their numbers; the lists are in the order of the entrants."""

    meaning: ReportNumbers
    numbers: Sequence[Numbers]
    """Under which they were looked up."""

    holders: Sequence[Sequence[int]]
    """The players who have one of these numbers."""

    certain: Sequence[int | None]
    """The only one of them whose name and birth agree."""


class Memberships(NamedTuple):
    """The members of clubs on a day, and who is a guest."""

    members: frozenset[int]
    home: str
    """The federation that keeps the register; empty if it has no name."""

    federations: Mapping[int, str]
    """The registered federation of each player."""

    def is_guest(self, player: int | None, entered: str) -> bool:
        """Return whether a player is of another federation; a newcomer's is that of the report."""
        federation = entered if player is None else self.federations.get(player, entered)
        return bool(self.home) and is_foreign(federation, self.home)


@dataclass(slots=True)
class PlayerLookup:
    """The players of some reports."""

    merged_into: Mapping[int, int]
    """Dropped player → the player kept in a merge."""

    editions: Sequence[Edition[Any]]
    """The editions that the office's lists follow."""

    rules: NumberRules
    """What the office says about the numbers in reports."""

    arbiters: Sequence[Arbiter] = ()
    """The federation's register of arbiters."""

    holders: NumberHolders = field(default_factory=NumberHolders)
    fide_numbers: frozenset[str] = frozenset()
    """Numbers that are FIDE's, of players who are not in the register."""

    found: dict[int, EntrantsFound] = field(default_factory=dict)
    """By the key of the report."""

    people: dict[int, RegisteredPlayer] = field(default_factory=dict)
    entries: dict[tuple[ListName, date], dict[int, ListEntry]] = field(default_factory=dict)
    """By list and first day: the players on the list then in force, or with a standard rating that counts for it."""

    memberships: dict[date, Memberships] = field(default_factory=dict)
    """The members on the first days of events whose edition requires membership."""

    near: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Name of an entrant who is not certain by number → players with a near name, and how alike the names are."""

    has_reference: bool = False
    """Whether the office keeps a reference list."""

    home: str = ""
    """The federation of the office, if the reference list was searched."""

    listed: dict[str, list[tuple[ListRow, int]]] = field(default_factory=dict)
    """Name of an entrant without a FIDE number → players of the reference list, and how alike the names are."""

    persons: dict[int, Person] = field(default_factory=dict)
    """All facts of the players who may be such entrants."""

    aliases: dict[tuple[str, str], list[EntrantDecision]] = field(default_factory=dict)
    """Simplified name and source → what officers decided about them."""

    unknown_numbers: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Player → numbers of unknown scheme with which reports named them."""

    def numbers_of(self, item: ReportToCheck) -> ReportNumbers:
        """Return the meaning of the numbers of a report."""
        return self.rules.of(item.report, item.facts, discipline_of(item.matched_on))

    def present(self, player: int) -> int:
        """Return the number that a player has now, after merges."""
        return self.merged_into.get(player, player)

    def agreeing(self, entrant: Entrant, players: Sequence[int]) -> int | None:
        """Return the player whose name and birth may be those of an entrant, if there is only one among some."""
        if len(players) == 1:  # nearly always
            (player,) = players
            return player if self._agrees(entrant, self.people[self.present(player)]) else None
        agreeing = [player for player in players if self._agrees(entrant, self.people[self.present(player)])]
        return agreeing[0] if len(agreeing) == 1 else None

    @staticmethod
    def _agrees(entrant: Entrant, person: RegisteredPlayer) -> bool:
        if person.name == entrant.name:
            return entrant.born == person.born or years_agree(entrant.born, person.born)
        return is_compatible(entrant, Registered(0, person.name, born=person.born))

    def registered(self, player: int, entries: Mapping[int, ListEntry]) -> Registered:
        """Return what is compared of a player."""
        person = self.persons[player]
        entry = entries.get(player)
        return Registered(
            player, person.name, person.federation, person.sex, person.born, person.title or person.women_title,
            None if entry is None else entry.rating, person.identifiers, self.unknown_numbers.get(player, ()),
        )  # fmt: skip

    def entries_on(self, on_list: ListName, day: date | None) -> Mapping[int, ListEntry]:
        """Return the entries of the list in force on a day."""
        return self.entries.get((on_list, day), {}) if day else {}

    def uses_standard(self, on_list: ListName, day: date) -> bool:
        """Return whether players unrated on a list take part with their standard rating, in an event of that day."""
        rules = self._rules(on_list, day)
        return isinstance(rules, ChessRules) and rules.entry_takes_standard is not None

    def membership_rule(self, on_list: ListName, day: date) -> Rule[Members] | None:
        """Return which players of an event of that day must be members."""
        rules: ChessRules | DraughtsRules | None = self._rules(on_list, day)
        return None if rules is None else rules.membership

    def _rules(self, on_list: ListName, day: date) -> Any:
        try:
            return in_force(self.editions, on_list, day).on(on_list)
        except NoEdition:
            return None


def new_lookup(connection: Connection) -> PlayerLookup:
    """Return a lookup without players."""
    return PlayerLookup(
        merge_targets(connection),
        editions_here(connection),
        load_number_rules(connection),
        load_arbiters(connection),
    )


def load_present(connection: Connection, lookup: PlayerLookup, ids: set[int]) -> None:
    """Load players as they are now, except those already loaded of whom nothing changed since they registered."""
    ids = ids | {lookup.merged_into[player] for player in lookup.merged_into.keys() & ids}
    ids -= lookup.people.keys() - register.changed_players(connection, lookup.people)
    for player, (name, facts, _) in register.load_people(connection, ids).rows.items():
        died = date.fromisoformat(facts.died) if facts.died else None
        lookup.people[player] = RegisteredPlayer(name, to_birth(facts.born), facts.affiliation, died)


def load_memberships(
    connection: Connection, lookup: PlayerLookup, days: Iterable[tuple[ListName, date]]
) -> None:
    """Load who is a member on the first days of events, where an own edition requires it."""
    for on_list, day in days:
        if day not in lookup.memberships and lookup.membership_rule(on_list, day):
            federations = {
                number: facts.federation
                for number, (_, facts, _) in register.load_people(
                    connection, lookup.people, on=day
                ).rows.items()
            }
            members = frozenset(members_on(connection, day))
            home = read_setting(connection, "federation")
            lookup.memberships[day] = Memberships(members, home, federations)


def lists_of_days(
    connection: Connection, lookup: PlayerLookup, days: Iterable[tuple[ListName, date]]
) -> dict[tuple[ListName, date], tuple[lists.Publication | None, lists.Publication | None]]:
    """Return the lists in force on some days, with the standard list if its ratings count for those without one."""
    publications = {
        name: lists.all_publications(connection, name)
        for name in {ListName.STANDARD, *(it[0] for it in days)}
    }
    return {
        (on_list, day): (
            publication_in_force(publications[on_list], day),
            publication_in_force(publications[ListName.STANDARD], day)
            if lookup.uses_standard(on_list, day)
            else None,
        )
        for on_list, day in days
    }


def load_list_entries(
    connection: Connection, lookup: PlayerLookup, days: Iterable[tuple[ListName, date]]
) -> None:
    """Load the entries of all players of the lookup on the lists in force on some days."""
    ids = sorted(lookup.people)
    by_publication: dict[int, dict[int, ListEntry]] = {}

    def entries_on(publication: lists.Publication | None) -> dict[int, ListEntry]:
        if publication is None:
            return {}
        if publication.id not in by_publication:
            by_publication[publication.id] = {
                player: ListEntry(rating, k, games, peak, None, False, counted)  # noqa: FBT003  in order: half the time
                for player, rating, k, games, peak, counted in list_rows.chess_figures(
                    connection, publication, ids
                )
            }
        return by_publication[publication.id]

    for key, (own, standard) in lists_of_days(connection, lookup, {*days} - lookup.entries.keys()).items():
        entries = entries_on(own)
        lookup.entries[key] = _add_standard(entries, entries_on(standard)) if standard else entries


def _add_standard(
    entries: Mapping[int, ListEntry], standard: Mapping[int, ListEntry]
) -> dict[int, ListEntry]:
    """Give the players without a rating on a list their standard rating; all else stays."""
    added = {
        player: entries.get(player, _NOT_LISTED)._replace(rating=entry.rating, from_standard=True)
        for player, entry in standard.items()
        if entry.rating is not None and entries.get(player, _NOT_LISTED).rating is None
    }
    return {**entries, **added}
