"""Load the registered players whom the entrants that are not certain by number may be: those with a near name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.model.names import spelled
from arpad.model.people import birth_year
from arpad.office.inbox.player_lookup import PlayerLookup, RegisteredPlayer
from arpad.office.parts import load_listed
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import ReportNumbers, known_fide_numbers
from arpad.office.register.name_rows import register_names
from arpad.office.register.scheme_rows import unknown_numbers_of
from arpad.office.register.search_rows import same_names
from arpad.office.reports.entrant_rows import aliases
from arpad.reports.entrant_match import may_be_doubtful, most_other_points
from arpad.reports.report import Entrant


class UncertainEntrant(NamedTuple):
    """An entrant who is not certain by number, and the players who have the number."""

    entrant: Entrant
    meaning: ReportNumbers
    holders: Sequence[int]


def load_candidates(
    connection: Connection, lookup: PlayerLookup, uncertain: Sequence[UncertainEntrant]
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
