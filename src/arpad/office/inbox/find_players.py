"""Find out who is who: the registered players whom the entrants of reports are by number, or may be by name.

The same few queries serve one report or a thousand. ``match_players`` decides with what is found here.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.model.disciplines import discipline_of
from arpad.model.federations import known_federation
from arpad.model.json_values import to_birth
from arpad.model.names import spelled, stored_form
from arpad.model.people import Arbiter, Birth, Person, birth_year
from arpad.model.rules import Edition, ListName
from arpad.office.editions.acts import editions_here
from arpad.office.parts import load_arbiters, load_listed
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import (
    NumberRules,
    ReportNumbers,
    holders_in_order,
    known_fide_numbers,
    load_number_rules,
    numbers_by_scheme,
)
from arpad.office.register.name_rows import register_names
from arpad.office.register.number_rows import merge_targets, unknown_numbers_of
from arpad.office.register.search_rows import same_names
from arpad.office.reports.entrant_rows import DecidedEntrant, EntrantDecision, aliases
from arpad.regulations.systems import system_of
from arpad.reports.entrant_match import (
    Numbers,
    Registered,
    is_compatible,
    may_be_doubtful,
    most_newcomer_points,
    most_other_points,
    rank,
    years_agree,
)
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.name_candidates import NameTable
from arpad.reports.name_scores import highest_score_with_other_letters, name_letters
from arpad.reports.report import Entrant, Report


class RegisteredPlayer(NamedTuple):
    """The facts of a registered player that checks need."""

    name: str
    born: Birth
    affiliation: str
    died: date | None = None


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


@dataclass(slots=True)
class PlayerLookup:
    """The players of some reports."""

    merged_into: Mapping[int, int]
    """Dropped player → the player kept in a merge."""

    editions: Sequence[Edition[Any]]
    rules: NumberRules
    """What the office says about the numbers in reports."""

    arbiters: Sequence[Arbiter] = ()
    asked: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    """The numbers under which the entrants were looked up, by scheme."""

    holders: dict[tuple[str, str], int] = field(default_factory=dict)
    """Scheme and number → player."""

    fide_numbers: frozenset[str] = frozenset()
    """Numbers that are FIDE's, of players who are not in the register."""

    found: dict[int, EntrantsFound] = field(default_factory=dict)
    """By the key of the report."""

    people: dict[int, RegisteredPlayer] = field(default_factory=dict)
    near: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Name of an entrant who is not certain by number → players with a near name, and how alike the names are."""

    has_reference: bool = False
    """Whether the office keeps a reference list."""

    home: str = ""
    """The federation of the office, if the reference list was searched."""

    listed: dict[str, list[tuple[ListRow, int]]] = field(default_factory=dict)
    """Name of an entrant without a FIDE ID → players of the reference list, and how alike the names are."""

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

    def registered(self, player: int, entries: Mapping[int, KnownPlayer]) -> Registered:
        """Return what is compared of a player."""
        person = self.persons[player]
        entry = entries.get(player)
        return Registered(
            player, person.name, person.federation, person.sex, person.born, person.title or person.women_title,
            None if entry is None else entry.rating, person.identifiers, self.unknown_numbers.get(player, ()),
        )  # fmt: skip


def load_players(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]] | None = None,
    left_out: AbstractSet[int] = frozenset(),
) -> PlayerLookup:
    """Load the players of some reports, the players that an officer chose, and candidates for everybody in doubt.

    ``matches`` maps start numbers to the chosen players, by the key of the report; nobody in ``left_out`` is found.
    """
    decided = {key: (matches or {}).get(key, {}) for key in reports}
    chosen = {player for by_number in decided.values() for player in by_number.values() if player}
    lookup = PlayerLookup(
        merge_targets(connection),
        editions_here(connection),
        load_number_rules(connection),
        load_arbiters(connection),
    )
    meanings = {key: lookup.numbers_of(item) for key, item in reports.items()}
    numbers = {key: meanings[key].possible(item.report) for key, item in reports.items()}
    lookup.asked = numbers_by_scheme(chain.from_iterable(numbers.values()))
    identified = {
        scheme: register.identified_players(connection, scheme, values)
        for scheme, values in lookup.asked.items()
    }
    for scheme, by_value in identified.items():
        for value, (player, name, born, affiliation) in by_value.items():
            if player in left_out:
                continue
            lookup.holders[scheme, value] = player
            lookup.people[player] = RegisteredPlayer(name, to_birth(born), affiliation)
    # as they are now, except those of whom nothing changed since they registered
    ids = chosen | lookup.people.keys()
    ids |= {lookup.merged_into[player] for player in lookup.merged_into.keys() & ids}
    ids -= lookup.people.keys() - register.changed_players(connection, lookup.people)
    for player, (name, facts, _) in register.load_people(connection, ids).rows.items():
        died = date.fromisoformat(facts.died) if facts.died else None
        lookup.people[player] = RegisteredPlayer(name, to_birth(facts.born), facts.affiliation, died)
    uncertain: list[_UncertainEntrant] = []
    for key, (report, _) in reports.items():
        holders = holders_in_order(lookup.holders, numbers[key])
        certain = list(map(lookup.agreeing, report.entrants, holders))
        lookup.found[key] = EntrantsFound(meanings[key], numbers[key], holders, certain)
        uncertain += (
            _UncertainEntrant(entrant, meanings[key], players)
            for entrant, players, player in zip(report.entrants, holders, certain, strict=True)
            if player is None and entrant.number not in decided[key]
        )
    if uncertain:
        _load_candidates(connection, lookup, uncertain, left_out)
    return lookup


class _UncertainEntrant(NamedTuple):
    """An entrant who is not certain by number, and the players who have the number."""

    entrant: Entrant
    meaning: ReportNumbers
    holders: Sequence[int]


def _load_candidates(
    connection: Connection,
    lookup: PlayerLookup,
    uncertain: Sequence[_UncertainEntrant],
    left_out: AbstractSet[int],
) -> None:
    """Load the players whom the entrants that are not certain by number may be."""
    facts: dict[str, set[tuple[int, int]]] = {}
    schemes: dict[str, set[str]] = {}
    for entrant, meaning, _ in uncertain:
        year = birth_year(entrant.born) or 0
        facts.setdefault(entrant.name, set()).add((year, most_other_points(entrant)))
        known = meaning.known(entrant)
        schemes.setdefault(entrant.name, set()).add(known[0][0] if known else "")
    for scheme in sorted({scheme for several in schemes.values() for scheme in several}):
        # a number of a known scheme tells people apart: only players without one may be the entrant
        searched = {name: facts[name] for name in facts if scheme in schemes[name]}
        _search_names(connection, lookup, searched, scheme)
    keys = {spelled(name) for name in facts}
    for decision in aliases(connection):
        if (key := spelled(decision.name)) in keys and decision.player not in left_out:
            lookup.aliases.setdefault((key, decision.source), []).append(decision)
    players = {player for near in lookup.near.values() for player, _ in near} - left_out
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
    load_listed(connection, lookup, ((item.entrant, item.meaning) for item in uncertain if not item.holders))


def _search_names(
    connection: Connection, lookup: PlayerLookup, facts: Mapping[str, set[tuple[int, int]]], scheme: str
) -> None:
    """Search the register for names near some others, and for the same names if they have numbers of a scheme.

    ``facts`` has the year of birth of each entrant with the name, and the points that other facts can add.
    """
    names = register_names(connection, scheme)
    players, years = names.table.players, names.years
    changed = {*lookup.merged_into}
    """The players whose years of birth may not be those with which they were registered."""

    def likely(name: str, row: int, likeness: int = 100) -> bool:
        year = years[row]
        for other in facts[name]:  # noqa: SIM110  a generator takes twice as long
            if may_be_doubtful(likeness, year, *other):
                return True
        return False

    def matter(rows_of: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        asked = (players[row] for rows in rows_of.values() for row in rows)
        changed.update(register.changed_players(connection, asked))
        return {
            name: [row for row in rows if players[row] in changed or likely(name, row)]
            for name, rows in rows_of.items()
        }

    for name, rows in names.table.near(list(facts), matter=matter):
        years_of_name = {year for year, _ in facts[name]}
        lookup.near.setdefault(name, []).extend(
            (lookup.present(players[row]), likeness)
            for row, likeness in rows
            if (likeness >= _ALIKE or (years[row] and years[row] in years_of_name))
            and (players[row] in changed or likely(name, row, likeness))
        )
    if scheme:
        same = same_names(connection, {spelled(name) for name in facts})
        for name in facts:
            lookup.near[name] += [(person.id, 100) for person in same[spelled(name)]]


_ALIKE = 72
"""From this likeness on a name is compared in detail, whatever the birth."""


def newcomer(entrant: Entrant, number: int, on_list: ListName, numbers: Numbers, home: str) -> Person:
    """Return a new player of the register, as the player's first report describes them.

    ``home`` is the office's own federation. A code that is no federation's, as that of a club, is left out.
    """
    women = entrant.title.startswith("W")
    return Person(
        number,
        stored_form(entrant.name) or f"#{number}",
        known_federation(entrant.federation, home),
        {"m": "M", "w": "F"}.get(entrant.sex, ""),
        entrant.born,
        title="" if women or not system_of(on_list).has_titles else entrant.title,
        women_title=entrant.title if women else "",
        identifiers=tuple(sorted(numbers)),
    )


def given_numbers(numbers: Iterable[tuple[int, Numbers, str]]) -> Mapping[int, Numbers]:
    """Return the numbers of known scheme that the entrants at some places get, each number only once."""
    given: dict[int, Numbers] = {}
    taken: set[tuple[str, str]] = set()
    for place, pairs, _ in numbers:
        by_scheme = dict(pair for pair in reversed(pairs) if pair not in taken)
        if by_scheme:
            given[place] = tuple(sorted(by_scheme.items()))
            taken.update(given[place])
    return given


@dataclass(slots=True)
class Newcomers:
    """The players who were new in a batch of reports, and the names that others got, with the acts."""

    people: dict[int, Registered] = field(default_factory=dict)
    names: NameTable = field(default_factory=NameTable)
    years: list[int] = field(default_factory=list)
    """The year of birth of each row of names, 0 if unknown."""

    _rows_with: defaultdict[int | str | frozenset[str], list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Year of birth, federation, or the letters of a name → rows of names, in order."""

    _likely: dict[tuple[int, int, int], set[int]] = field(default_factory=dict)
    """Likeness, year of birth and other points of an entrant → the years of birth of players who may be the entrant."""

    acts: list[int] = field(default_factory=list)
    """The act of each row of names."""

    numbers: dict[str, int] = field(default_factory=dict)
    """Number of any scheme → act."""

    aliases: dict[tuple[str, str], int] = field(default_factory=dict)
    """Simplified name and source of an entrant whom an officer decided to be a player → act."""

    def add(self, people: Iterable[Person], act: int) -> None:
        """Add players of a report."""
        for person in people:
            self.people[person.id] = Registered(
                person.id, person.name, person.federation, person.sex, person.born,
                person.title or person.women_title, None, person.identifiers,
            )  # fmt: skip
            year = birth_year(person.born) or 0
            if year not in self._rows_with:
                for (likeness, *entrant), years in self._likely.items():
                    if may_be_doubtful(likeness, year, *entrant):
                        years.add(year)
            for key in (year, person.federation, name_letters(person.name)):
                self._rows_with[key].append(len(self.names))
            self.years.append(year)
            self.names.add([person.id], [person.name])
            self.acts.append(act)
            self.add_numbers((value for _, value in person.identifiers), act)

    def add_numbers(self, numbers: Iterable[str], act: int) -> None:
        """Add numbers that players got."""
        self.numbers.update(dict.fromkeys(numbers, act))

    def add_aliases(self, decided: Iterable[DecidedEntrant], act: int) -> None:
        """Add the names that an officer decided to be those of players."""
        for _, player, name, _, source in decided:
            if player:
                self.aliases[spelled(name), source] = act

    def hold(self, values: Iterable[str], last_act: int) -> bool:
        """Return whether a player got one of these numbers after an act."""
        return any(self.numbers.get(value, 0) > last_act for value in values)

    def concern(self, unmatched: Sequence[tuple[Entrant, Numbers]], source: str, last_act: int) -> bool:
        """Return whether an unmatched entrant of a report may be a player who was new or got the name after an act."""
        if self.aliases and any(
            self.aliases.get((spelled(entrant.name), source), 0) > last_act for entrant, _ in unmatched
        ):
            return True
        if not unmatched or (not self.people and not self.numbers):
            return False
        values = {entrant.id for entrant, _ in unmatched} | {
            value for _, numbers in unmatched for _, value in numbers
        }
        if self.hold(values, last_act):
            return True
        first = bisect_right(self.acts, last_act)
        return first < len(self.acts) and any(
            self._may_be(entrant, numbers, first) for entrant, numbers in unmatched
        )

    def _may_be(self, entrant: Entrant, numbers: Numbers, first: int) -> bool:
        """Return whether an entrant may be one of the players from a row on."""
        rows = [*self._likely_rows(entrant, first)]
        near = self.names.all_near(entrant.name, rows) if rows else {}
        players = self.names.players
        return bool(rank(entrant, numbers, [(self.people[players[row]], near[row]) for row in near]))

    def _likely_rows(self, entrant: Entrant, first: int) -> set[int]:
        """Return the rows from ``first`` on whose players may be an entrant.

        Their names have the same letters, or so much else agrees that names of other letters can be near enough.
        """
        year, most = birth_year(entrant.born) or 0, highest_score_with_other_letters(entrant.name)
        same, other = most_newcomer_points(entrant)
        likely = self._likely_years(most, year, same)
        rows = {
            row
            for federation in {entrant.federation, ""}
            for row in self._from(first, federation)
            if self.years[row] in likely
        }
        rows.update(self._from(first, name_letters(entrant.name)))
        return rows.union(*(self._from(first, own) for own in self._likely_years(most, year, other)))

    def _from(self, first: int, key: int | str | frozenset[str]) -> list[int]:
        """Return the rows with a year, federation or letters from ``first`` on."""
        rows = self._rows_with.get(key, [])
        return rows[bisect_left(rows, first) :]

    def _likely_years(self, likeness: int, year: int, points: int) -> set[int]:
        """Return the years of birth of players who may be an entrant, if the names are so much alike."""
        key = likeness, year, points
        if key not in self._likely:
            years = {*self.years}
            self._likely[key] = {own for own in years if may_be_doubtful(likeness, own, year, points)}
        return self._likely[key]
