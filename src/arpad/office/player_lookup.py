"""Load what checking some reports needs of their players: the register and the lists in force.

The same few queries serve one report or a thousand; the checks themselves read no database.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection

from arpad.model.arbiters import Arbiter
from arpad.model.chess import Standing
from arpad.model.disciplines import discipline_of
from arpad.model.errors import NoEdition
from arpad.model.json_values import to_birth
from arpad.model.names import spelled
from arpad.model.people import Birth, Person, birth_year
from arpad.model.rules import Edition, ListName, Rule
from arpad.office.editions import editions_here
from arpad.office.entrant_numbers import (
    NumberHolders,
    NumberRules,
    ReportNumbers,
    known_fide_numbers,
    load_number_rules,
    numbers_by_scheme,
)
from arpad.office.lists_in_force import publication_in_force
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.editions import in_force
from arpad.regulations.membership import Members
from arpad.reports.entrant_match import (
    Numbers,
    Registered,
    is_compatible,
    may_be_doubtful,
    years_agree,
)
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.report import Entrant, Report
from arpad.store import list_rows, lists, register
from arpad.store.arbiters import load_arbiters
from arpad.store.clubs import members_on
from arpad.store.entrant_decisions import EntrantDecision, aliases
from arpad.store.merges import merge_targets
from arpad.store.number_schemes import unknown_numbers_of
from arpad.store.register_names import register_names
from arpad.store.search import same_names
from arpad.store.settings import read_setting

_DEFAULT = Standing(0)


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


class ColumnsFound(NamedTuple):
    """The entrants of a report of a table, looked up by their numbers, which are all of one scheme."""

    meaning: ReportNumbers
    players: list[int | None]
    """By place: the player who has the number, if name and birth agree; None for the others."""

    names: list[str]
    """By place: the name in the register, or in the report if the entrant is not certain."""

    uncertain: Mapping[int, tuple[Entrant, Sequence[int]]]
    """By place: an entrant who is not certain, and the players who have the number."""


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
        return bool(self.home and federation) and federation != self.home


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

    in_columns: dict[int, ColumnsFound] = field(default_factory=dict)
    """By the key of the report, those that are looked up in columns."""

    exact: set[int] = field(default_factory=set)
    """The players whose number, name and year of birth are those of an entrant in such a report."""

    people: dict[int, RegisteredPlayer] = field(default_factory=dict)
    entries: dict[tuple[ListName, date], dict[int, ListEntry]] = field(default_factory=dict)
    """By list and first day: the players on the list then in force, or with a standard rating that counts for it."""

    memberships: dict[date, Memberships] = field(default_factory=dict)
    """The members on the first days of events whose edition requires membership."""

    near: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Name of an entrant who is not certain by number → players with a near name, and how alike the names are."""

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


def load_players(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]] | None = None,
    in_columns: Collection[int] = (),
) -> PlayerLookup:
    """Load the players of some reports, the players that an officer chose, and candidates for everybody in doubt.

    ``matches`` maps start numbers to the chosen players, by the key of the report. The reports of tables whose keys are
    ``in_columns`` are looked up in columns, if all their numbers are of one scheme; nothing is decided about them.
    """
    decided = {key: (matches or {}).get(key, {}) for key in reports}
    chosen = {player for by_number in decided.values() for player in by_number.values() if player}
    rules = load_number_rules(connection)
    lookup = PlayerLookup(
        merge_targets(connection), editions_here(connection), rules, load_arbiters(connection)
    )
    meanings = {key: lookup.numbers_of(item) for key, item in reports.items()}
    tables = {
        key: item.report for key, item in reports.items() if key in in_columns and meanings[key].is_plain
    }
    others = {key: item.report for key, item in reports.items() if key not in tables}
    numbers = {key: meanings[key].possible(report) for key, report in others.items()}
    wanted = numbers_by_scheme(chain.from_iterable(numbers.values()))
    identified = {
        scheme: register.identified_players(connection, scheme, values) for scheme, values in wanted.items()
    }
    for scheme, by_value in identified.items():
        for value, (player, name, born, affiliation) in by_value.items():
            lookup.holders.players[scheme, value] = player
            lookup.people[player] = RegisteredPlayer(name, to_birth(born), affiliation)
    exact = _exact_players(connection, lookup, tables, meanings)
    _load_present(connection, lookup, chosen | lookup.people.keys())
    uncertain: list[_Uncertain] = []
    for key, report in tables.items():
        in_report = _found_in_columns(lookup, report, meanings[key], exact[key])
        lookup.in_columns[key] = in_report
        uncertain += (
            _Uncertain(entrant, meanings[key], holders) for entrant, holders in in_report.uncertain.values()
        )
    for key, report in others.items():
        holders = lookup.holders.holding(numbers[key])
        certain = list(map(lookup.agreeing, report.entrants, holders))
        lookup.found[key] = EntrantsFound(meanings[key], numbers[key], holders, certain)
        uncertain += (
            _Uncertain(entrant, meanings[key], players)
            for entrant, players, player in zip(report.entrants, holders, certain, strict=True)
            if player is None and entrant.number not in decided[key]
        )
    if uncertain:
        _load_candidates(connection, lookup, uncertain)
    return lookup


class _Uncertain(NamedTuple):
    """An entrant who is not certain by number, and the players who have the number."""

    entrant: Entrant
    meaning: ReportNumbers
    holders: Sequence[int]


def _exact_players(
    connection: Connection,
    lookup: PlayerLookup,
    reports: Mapping[int, Report],
    meanings: Mapping[int, ReportNumbers],
) -> dict[int, list[int | None]]:
    """Return by report and place the player who has the number, the name and the year of birth of an entrant.

    An unknown year is no contradiction. The players with the numbers of the other entrants are put into the lookup.
    """
    ids = {key: report.column("id") for key, report in reports.items()}
    wanted: dict[str, set[str]] = {}
    for key, numbers in ids.items():
        wanted.setdefault(meanings[key].column, set()).update(numbers)
    identified = {
        scheme: register.identified_players(connection, scheme, values - {""})
        for scheme, values in wanted.items()
    }
    holders = {row[0] for by_value in identified.values() for row in by_value.values()}
    changed = register.changed_players(connection, holders) | lookup.merged_into.keys()
    exact: dict[int, list[int | None]] = {}
    for key, report in reports.items():
        scheme = meanings[key].column
        rows = list(map(identified[scheme].get, ids[key]))
        exact[key] = players = [
            row[0]
            if row
            and row[1] == name
            and (row[2][:4] == year or not row[2] or not year)
            and row[0] not in changed
            else None
            for row, name, year in zip(rows, report.column("name"), report.column("birth_year"), strict=True)
        ]
        lookup.exact.update(player for player in players if player is not None)
        for value, row, player in zip(ids[key], rows, players, strict=True):
            if player is None and row is not None:
                lookup.holders.players[scheme, value] = row[0]
                lookup.people[row[0]] = RegisteredPlayer(row[1], to_birth(row[2]), row[3])
    return exact


def _found_in_columns(
    lookup: PlayerLookup, report: Report, meaning: ReportNumbers, exact: Sequence[int | None]
) -> ColumnsFound:
    """Look at the entrants of a report who are not exactly as registered."""
    players, names = list(exact), list(report.column("name"))
    uncertain: dict[int, tuple[Entrant, Sequence[int]]] = {}
    for place in [place for place, player in enumerate(exact) if player is None]:
        entrant = report.entrant(place)
        holder = lookup.holders.players.get((meaning.column, entrant.id))
        holders = () if holder is None else (holder,)
        players[place] = player = lookup.agreeing(entrant, holders)
        if player is None:
            uncertain[place] = entrant, holders
        else:
            names[place] = lookup.people[player].name
    return ColumnsFound(meaning, players, names, uncertain)


def _load_present(connection: Connection, lookup: PlayerLookup, ids: set[int]) -> None:
    """Load players as they are now, except those already loaded of whom nothing changed since they registered."""
    ids = ids | {lookup.merged_into[player] for player in lookup.merged_into.keys() & ids}
    ids -= lookup.people.keys() - register.changed_players(connection, lookup.people)
    for player, (name, facts, _) in register.load_people(connection, ids).rows.items():
        died = date.fromisoformat(facts.died) if facts.died else None
        lookup.people[player] = RegisteredPlayer(name, to_birth(facts.born), facts.affiliation, died)


def _search_names(
    connection: Connection, lookup: PlayerLookup, births: Mapping[str, set[int]], scheme: str
) -> None:
    """Search the register for names near some others, and for the same names if they have numbers of a scheme."""
    names = register_names(connection, scheme)
    near = [
        (name, [(names.table.players[row], likeness, names.years[row]) for row, likeness in rows])
        for name, rows in names.table.near(list(births))
    ]
    # the years of the others are those with which they were registered
    changed = register.changed_players(connection, {player for _, rows in near for player, _, _ in rows})
    changed |= lookup.merged_into.keys()
    for name, rows in near:
        years = births[name]
        lookup.near.setdefault(name, []).extend(
            (lookup.present(player), likeness)
            for player, likeness, year in rows
            if (likeness >= _ALIKE or (year and year in years))
            and (player in changed or any(may_be_doubtful(likeness, year, other) for other in years))
        )
    if scheme:
        same = same_names(connection, {spelled(name) for name in births})
        for name in births:
            lookup.near[name] += [(person.id, 100) for person in same[spelled(name)]]


_ALIKE = 72
"""From this likeness on a name is compared in detail, whatever the birth."""


def _load_candidates(connection: Connection, lookup: PlayerLookup, uncertain: Sequence[_Uncertain]) -> None:
    """Load the players whom the entrants that are not certain by number may be."""
    births: dict[str, set[int]] = {}
    schemes: dict[str, set[str]] = {}
    for entrant, meaning, _ in uncertain:
        births.setdefault(entrant.name, set()).add(birth_year(entrant.born) or 0)
        known = meaning.known(entrant)
        schemes.setdefault(entrant.name, set()).add(known[0][0] if known else "")
    for scheme in sorted({scheme for several in schemes.values() for scheme in several}):
        # a number of a known scheme tells people apart: only players without one may be the entrant
        searched = {name: births[name] for name in births if scheme in schemes[name]}
        _search_names(connection, lookup, searched, scheme)
    keys = {spelled(name) for name in births}
    for decision in aliases(connection):
        if (key := spelled(decision.name)) in keys:
            lookup.aliases.setdefault((key, decision.source), []).append(decision)
    players = {player for near in lookup.near.values() for player, _ in near}
    players |= {
        lookup.present(decision.player)
        for decided in lookup.aliases.values()
        for decision in decided
        if decision.player is not None
    }
    players |= {
        lookup.present(player) for entrant, _, holders in uncertain if entrant.id for player in holders
    }
    lookup.persons |= register.load_people(connection, players)
    lookup.near = {
        name: [pair for pair in near if pair[0] in lookup.persons] for name, near in lookup.near.items()
    }
    for player, person in lookup.persons.items():
        lookup.people[player] = RegisteredPlayer(person.name, person.born, person.affiliation, person.died)
    unknown: dict[int, list[str]] = {}
    for number in unknown_numbers_of(connection, players):
        unknown.setdefault(lookup.present(number.player), []).append(number.value)
    lookup.unknown_numbers = {player: tuple(values) for player, values in unknown.items()}
    lookup.fide_numbers = known_fide_numbers(
        connection, [item.entrant for item in uncertain if item.entrant.id]
    )


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


def load_list_entries(
    connection: Connection, lookup: PlayerLookup, days: Iterable[tuple[ListName, date]]
) -> None:
    """Load the entries of all players of the lookup on the lists in force on some days."""
    missing = {*days} - lookup.entries.keys()
    with_standard = {(on_list, day) for on_list, day in missing if lookup.uses_standard(on_list, day)}
    standard = {(ListName.STANDARD, day) for _, day in with_standard} - lookup.entries.keys()
    ids = sorted(lookup.people.keys() | lookup.exact)
    publications: dict[ListName, tuple[lists.Publication, ...]] = {}
    by_publication: dict[int, dict[int, ListEntry]] = {}
    for on_list, day in missing | standard:
        if on_list not in publications:
            publications[on_list] = lists.all_publications(connection, on_list)
        publication = publication_in_force(publications[on_list], day)
        if publication is not None and publication.id not in by_publication:
            by_publication[publication.id] = {
                player: ListEntry(rating, k, games, peak, None, False, counted)  # noqa: FBT003  in order: half the time
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
