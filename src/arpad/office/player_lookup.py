"""Load what checking some reports needs of their players: the register and the lists in force.

The same few queries serve one report or a thousand; the checks themselves read no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.model.arbiters import Arbiter
from arpad.model.chess import Standing
from arpad.model.disciplines import DISCIPLINES, Discipline, discipline_of
from arpad.model.errors import NoEdition
from arpad.model.json_values import to_birth
from arpad.model.people import Birth, Person
from arpad.model.rules import Edition, ListName
from arpad.office.editions import editions_here
from arpad.office.lists_in_force import publication_in_force
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import in_force
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Entrant, Report
from arpad.store import list_rows, lists, register
from arpad.store.arbiters import load_arbiters
from arpad.store.merges import merge_targets
from arpad.store.name_index import spelled
from arpad.store.search import same_names

_DEFAULT = Standing(0)


class RegisteredPlayer(NamedTuple):
    """The facts of a registered player that checks need."""

    name: str
    born: Birth
    affiliation: str
    died: date | None = None


class ListEntry(NamedTuple):
    """The state of a player on a list, as far as checks need it, in the order of ``chess_figures``."""

    rating: int | None
    k: int | None
    games: int
    peak: int
    counted: bool
    """Whether an earlier event of an unrated player counts already."""

    from_standard: bool = False
    """Whether the rating is the standard one: the player has none on this list (RB 7.2.1)."""


_NOT_LISTED = ListEntry(None, None, _DEFAULT.games, _DEFAULT.peak, counted=False)


class ReportToCheck(NamedTuple):
    """A report and the facts of its event."""

    report: Report
    facts: EventFacts

    @property
    def matched_on(self) -> ListName:
        """The list whose schemes the numbers of its players belong to."""
        return self.facts.list or ListName.STANDARD


@dataclass(slots=True)
class PlayerLookup:
    """The players of some reports."""

    merged_into: Mapping[int, int]
    """Dropped player → the player kept in a merge."""

    editions: Sequence[Edition[ChessRules]]
    """The editions that the office's lists follow."""

    arbiters: Sequence[Arbiter] = ()
    """The federation's register of arbiters."""

    numbers: dict[Discipline, dict[str, int]] = field(default_factory=dict)
    """For each discipline: number of another body → player."""

    people: dict[int, RegisteredPlayer] = field(default_factory=dict)
    entries: dict[tuple[ListName, date], dict[int, ListEntry]] = field(default_factory=dict)
    """By list and first day: the players on the list then in force, or with a standard rating that counts for it."""

    same_names: dict[str, list[Person]] = field(default_factory=dict)
    """Simplified name of an entrant without a known number → the registered players with that name."""

    def players(self, on_list: ListName) -> Mapping[str, int]:
        """Return the players by the numbers used in reports for a list."""
        return self.numbers.get(discipline_of(on_list), {})

    def unnumbered(self, item: ReportToCheck) -> list[Entrant]:
        """Return the entrants of a report whose number the register does not know."""
        players = self.players(item.matched_on)
        return [entrant for entrant in item.report.entrants if entrant.id not in players]

    def named(self, name: str) -> Sequence[Person]:
        """Return the registered players with a name."""
        return self.same_names.get(spelled(name), ())

    def uses_standard(self, on_list: ListName, day: date) -> bool:
        """Return whether players unrated on a list take part with their standard rating, in an event of that day."""
        try:
            rules = in_force(self.editions, on_list, day).on(on_list)
        except NoEdition:
            return False
        return rules.entry_takes_standard is not None


def load_players(
    connection: Connection, reports: Iterable[ReportToCheck], chosen: Iterable[int] = ()
) -> PlayerLookup:
    """Load the players of some reports, and the players that an officer chose."""
    reports = list(reports)
    lookup = PlayerLookup(merge_targets(connection), editions_here(connection), load_arbiters(connection))
    for discipline in DISCIPLINES:
        played = [item.report for item in reports if item.matched_on in discipline.lists]
        numbers = {entrant.id for report in played for entrant in report.entrants if entrant.id}
        players: dict[str, int] = {}
        for scheme in discipline.schemes:
            identified = register.identified_players(connection, scheme, numbers - players.keys())
            for identifier, (player, name, born, affiliation) in identified.items():
                players[identifier] = player
                lookup.people[player] = RegisteredPlayer(name, to_birth(born), affiliation)
        lookup.numbers[discipline] = players
    names = {spelled(entrant.name) for item in reports for entrant in lookup.unnumbered(item)}
    lookup.same_names = same_names(connection, names) if names else {}
    ids = {
        *chosen,
        *(person.id for people in lookup.same_names.values() for person in people),
        *lookup.people,
    }
    ids |= {lookup.merged_into[player] for player in lookup.merged_into.keys() & ids}
    ids -= lookup.people.keys() - register.changed_players(connection, lookup.people)
    for player, (name, facts, _) in register.load_people(connection, ids).rows.items():
        died = date.fromisoformat(facts.died) if facts.died else None
        lookup.people[player] = RegisteredPlayer(name, to_birth(facts.born), facts.affiliation, died)
    return lookup


def load_list_entries(
    connection: Connection, lookup: PlayerLookup, days: Iterable[tuple[ListName, date]]
) -> None:
    """Load the entries of all players of the lookup on the lists in force on some days."""
    missing = {*days} - lookup.entries.keys()
    with_standard = {(on_list, day) for on_list, day in missing if lookup.uses_standard(on_list, day)}
    standard = {(ListName.STANDARD, day) for _, day in with_standard} - lookup.entries.keys()
    ids = sorted(lookup.people)
    publications: dict[ListName, tuple[lists.Publication, ...]] = {}
    by_publication: dict[int, dict[int, ListEntry]] = {}
    for on_list, day in missing | standard:
        if on_list not in publications:
            publications[on_list] = lists.all_publications(connection, on_list)
        publication = publication_in_force(publications[on_list], day)
        if publication is not None and publication.id not in by_publication:
            by_publication[publication.id] = {
                player: ListEntry(rating, k, games, peak, counted)
                for player, rating, k, games, peak, counted in list_rows.chess_figures(
                    connection, publication, ids
                )
            }
        lookup.entries[on_list, day] = by_publication[publication.id] if publication is not None else {}
    for on_list, day in with_standard:
        lookup.entries[on_list, day] = _add_standard(
            lookup.entries[on_list, day], lookup.entries[ListName.STANDARD, day]
        )


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
