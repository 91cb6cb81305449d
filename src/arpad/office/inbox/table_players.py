"""Look up the entrants of reports of tables: as columns, with objects only for those who are not as registered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from arpad.model.json_values import to_birth
from arpad.model.names import all_spelled
from arpad.office.inbox.player_candidates import UncertainEntrant, load_candidates
from arpad.office.inbox.player_lookup import PlayerLookup, RegisteredPlayer, load_present
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import ReportNumbers
from arpad.office.register.number_rows import SCHEME, RegisterNumbers, kept_numbers
from arpad.reports.duplicates import RESULTS
from arpad.reports.entrant_match import years_agree
from arpad.reports.mark_columns import marks_of_table, player_digests
from arpad.reports.report import Entrant
from arpad.reports.report_table import ReportTable, TableReport

Array = NDArray[Any]


class OtherEntrant(NamedTuple):
    """An entrant who is not exactly as registered."""

    place: int
    entrant: Entrant
    holders: Sequence[int]
    """The players who have the number."""

    player: int | None
    """The one of them whose name and birth agree."""

    decided: int | None = None
    """The player, or ``NEW``, if an officer decided it."""


@dataclass(slots=True)
class TablePlayers:
    """The players of the reports of a table."""

    table: ReportTable
    players: Array
    """By row: the player who has the number, the name and the year of birth of the entrant, or 0."""

    digests: Array
    """By row: the digests of which the marks of games are made; valid for the rows that are ``in_columns``."""

    in_columns: Array
    """By row: whether the player is from the columns of the register."""

    names: dict[int, str] = field(default_factory=dict)
    """By row: the name in the register, if it differs from that in the report."""

    def note(self, row: int, player: int, name: str) -> None:
        """Note the player of an entrant who is not exactly as registered."""
        self.players[row], self.names[row] = player, name

    def forget(self, row: int) -> None:
        """Look at an entrant in detail, whoever has the number."""
        self.players[row], self.in_columns[row] = 0, False

    def marks(self) -> list[bytes]:
        """Return the marks of the games of each report."""
        rows = np.flatnonzero(~self.in_columns).tolist()
        names = self.table.names
        self.digests[rows] = player_digests(all_spelled([self.names.get(row, names[row]) for row in rows]))
        return marks_of_table(self.table, self.digests)


class OtherEntrants(NamedTuple):
    """The entrants of a report who are not exactly as registered; its numbers are all of one scheme."""

    meaning: ReportNumbers
    others: Sequence[OtherEntrant]
    """In the order of places."""


def load_table_players(
    connection: Connection,
    lookup: PlayerLookup,
    reports: Mapping[int, TableReport],
    meanings: Mapping[int, ReportNumbers],
    decided: Mapping[int, Mapping[int, int]],
) -> tuple[dict[int, TablePlayers], dict[int, OtherEntrants]]:
    """Load the players of reports whose numbers are of one scheme, and candidates for everybody in doubt.

    Return the players by the identity of the table, and what is left to look at by the key of the report.
    ``decided`` maps start numbers to the players that an officer chose, by the key of the report.
    """
    by_identity = {id(report.table): report.table for report in reports.values()}
    schemes: dict[int, list[str]] = {key: [""] * len(table.size) for key, table in by_identity.items()}
    for key, report in reports.items():
        schemes[id(report.table)][report.index] = meanings[key].column
    registered = kept_numbers(connection)
    tables = {
        key: _in_columns(connection, lookup, registered, table, [scheme == SCHEME for scheme in schemes[key]])
        for key, table in by_identity.items()
    }
    for key, report in reports.items():
        for number in report.places.keys() & decided[key].keys():
            tables[id(report.table)].forget(report.first + report.places[number])
    left = {
        key: _EntrantsLeft(
            report, meanings[key].column, _places_left(tables[id(report.table)], report), decided[key]
        )
        for key, report in reports.items()
    }
    _look_up(connection, lookup, tables, left.values())
    chosen = {player for by_number in decided.values() for player in by_number.values() if player}
    load_present(connection, lookup, chosen | lookup.people.keys())
    others = {
        key: OtherEntrants(meanings[key], list(_others(lookup, tables[id(it.report.table)].players, it)))
        for key, it in left.items()
    }
    uncertain = [
        UncertainEntrant(it.entrant, in_report.meaning, it.holders)
        for in_report in others.values()
        for it in in_report.others
        if it.player is None and it.decided is None
    ]
    if uncertain:
        load_candidates(connection, lookup, uncertain)
    return tables, others


def _in_columns(
    connection: Connection,
    lookup: PlayerLookup,
    columns: RegisterNumbers | None,
    table: ReportTable,
    of_scheme: Sequence[bool],
) -> TablePlayers:
    """Return the players of a table who are in the columns of the register; some reports have numbers of its scheme."""
    count = len(table.names)
    if columns is None or not any(of_scheme):
        nobody = np.zeros(count, np.int64)
        return TablePlayers(table, nobody, np.zeros((count, len(RESULTS)), np.uint64), nobody > 0)
    known = columns.rows(table.numbers)
    rows = np.maximum(known, 0)
    same = (known >= 0) & np.repeat(of_scheme, table.size)
    same &= columns.have_names(rows, "\n".join([*table.names, ""]).encode())
    years, registered = table.birth_days // 10_000, columns.years[rows]
    same &= (years == registered) | (years == 0) | (registered == 0)
    changed = [value for scheme, value, *_ in register.changes_of_identifiers(connection) if scheme == SCHEME]
    if changed:
        same &= ~np.isin(table.numbers, [int(value) for value in changed if value.isdecimal()])
    players = np.where(same, columns.players[rows], 0)
    if gone := register.changed_players(connection, players[same].tolist()) | lookup.merged_into.keys():
        players[np.isin(players, list(gone))] = 0
    return TablePlayers(table, players, columns.digests[rows], players > 0)


def _places_left(players: TablePlayers, report: TableReport) -> list[int]:
    places: list[int] = np.flatnonzero(players.players[report.table.rows(report.index)] == 0).tolist()
    return places


class _EntrantsLeft(NamedTuple):
    """The entrants of a report who are not in columns, or about whom an officer decided."""

    report: TableReport
    scheme: str
    places: Sequence[int]
    decided: Mapping[int, int]
    """By start number."""


def _look_up(
    connection: Connection,
    lookup: PlayerLookup,
    tables: Mapping[int, TablePlayers],
    left: Iterable[_EntrantsLeft],
) -> None:
    """Look up the numbers of the other entrants; of a player who is not as in the report, put all into the lookup."""
    wanted: dict[str, set[str]] = {}
    with_number: list[tuple[TableReport, str, int, str, bool]] = []
    for report, scheme, places, decided in left:
        table, first = report.table, report.first
        for place in places:
            if table.numbers[first + place]:
                number = table.read_texts(first + place).id
                with_number.append((report, scheme, first + place, number, place + 1 in decided))
                wanted.setdefault(scheme, set()).add(number)
    identified = {
        scheme: register.identified_players(connection, scheme, values) for scheme, values in wanted.items()
    }
    holders = {row[0] for by_value in identified.values() for row in by_value.values()}
    changed = register.changed_players(connection, holders) | lookup.merged_into.keys()
    for report, scheme, row, number, is_decided in with_number:
        registered = identified[scheme].get(number)
        if registered is None:
            continue
        player, name, born, affiliation = registered
        birth, year = to_birth(born), int(report.table.birth_days[row]) // 10_000
        same = name == report.table.names[row] and years_agree(year, birth) and player not in changed
        if same and not is_decided:
            tables[id(report.table)].players[row] = player
        else:
            lookup.holders.players[scheme, number] = player
            lookup.people[player] = RegisteredPlayer(name, birth, affiliation)


def _others(lookup: PlayerLookup, players: Array, left: _EntrantsLeft) -> Iterable[OtherEntrant]:
    """Yield the entrants of a report who are not exactly as registered."""
    for place in left.places:
        if players[left.report.first + place]:
            continue
        entrant = left.report.entrant(place)
        holder = lookup.holders.players.get((left.scheme, entrant.id))
        holders = () if holder is None else (holder,)
        if entrant.number in left.decided:
            yield OtherEntrant(place, entrant, holders, None, left.decided[entrant.number])
        else:
            yield OtherEntrant(place, entrant, holders, lookup.agreeing(entrant, holders))
