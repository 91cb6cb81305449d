"""The ratings in force of all entrants of a table of reports, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from arpad.checks import FirstEvent
from arpad.model.rules import CHESS_LISTS, ListName
from arpad.office.lists_in_force import publication_in_force
from arpad.office.table_players import TablePlayers
from arpad.rating.preview import Participants, participants_of
from arpad.reports.event_facts import NOTHING_KNOWN, KnownPlayer
from arpad.reports.report import HALF_POINTS, PLAYED
from arpad.reports.report_table import ReportTable, TableReport, letters_among
from arpad.store.list_rows import MANY_PLAYERS, NO_FIGURE, figure_columns
from arpad.store.lists import Publication, all_publications

Array = NDArray[Any]


@dataclass(slots=True)
class TableFields:
    """The ratings in force and the other figures of the entrants of a table, by row."""

    table: ReportTable
    listed: Array
    ratings: Array
    """0 for none, unlike K."""

    ks: Array
    games: Array
    peaks: Array
    counted: Array
    """Whether an event of an unrated player counts already."""

    from_standard: Array
    highest: Sequence[int]
    """By report, as the following ones: the highest rating, 0 for none."""

    highest_k: Sequence[int]
    newcomers: Sequence[int]
    """The number of unrated players without an event that counts."""

    first_events: Sequence[Sequence[FirstEvent]]
    """Their games, if they have played."""

    in_detail: Sequence[bool]
    """Whether the K of a player follows from other facts, or an unrated player has played before."""

    differing: Sequence[bool]
    """Whether a rating is not the one in the report."""

    def ratings_of(self, report: TableReport) -> list[int | None]:
        """Return the ratings in force of the entrants of a report."""
        return [rating or None for rating in self.ratings[self.table.rows(report.index)].tolist()]

    def field(self, report: TableReport) -> tuple[Participants, Mapping[str, KnownPlayer]]:
        """Return the field of a report, and its unrated players who have played before, by start number."""
        index = report.index
        if not self.in_detail[index]:
            return Participants(
                self.highest_k[index], (), self.newcomers[index], self.first_events[index]
            ), {}
        players = self._players(report)
        before = {str(place + 1): player for place, player in enumerate(players) if player.counted_before}
        return participants_of(players), before

    def _players(self, report: TableReport) -> list[KnownPlayer]:
        rows = self.table.rows(report.index)
        columns = (
            self.listed,
            self.ratings,
            self.ks,
            self.games,
            self.peaks,
            self.counted,
            self.from_standard,
        )
        births = report.column("born")
        players = [
            KnownPlayer(
                rating or None, None if k == NO_FIGURE else k, games, peak, counted_before=counted,
                from_standard=from_standard,
            )
            if listed
            else NOTHING_KNOWN
            for listed, rating, k, games, peak, counted, from_standard in zip(
                *(column[rows].tolist() for column in columns), strict=True
            )
        ]  # fmt: skip
        if any(player.rating is not None and player.k is None for player in players):
            # the facts that decide K
            return [player._replace(born=born) for player, born in zip(players, births, strict=True)]
        return players


ListsInForce: TypeAlias = Mapping[tuple[ListName, date], tuple[Publication | None, Publication | None]]


def keep_lists_in_force(connection: Connection, day: date) -> None:
    """Read the chess lists in force on a day as a whole."""
    for name in CHESS_LISTS:
        if publication := publication_in_force(all_publications(connection, name), day):
            figure_columns(connection, publication, range(MANY_PLAYERS))


def keep_lists(connection: Connection, in_force: ListsInForce, tables: Mapping[int, TablePlayers]) -> None:
    """Read the lists in force as a whole if the tables have many players."""
    players = [player for it in tables.values() for player in it.players.tolist()]
    if len(players) >= MANY_PLAYERS:
        for publication in {publication for both in in_force.values() for publication in both if publication}:
            figure_columns(connection, publication, players)


def load_fields(
    connection: Connection,
    in_force: ListsInForce,
    tables: Mapping[int, TablePlayers],
    reports: Mapping[int, TableReport],
    days: Mapping[int, tuple[ListName, date]],
) -> dict[int, TableFields]:
    """Return the figures of all players of tables on the lists in force, by the identity of the table.

    ``days`` has the list and the first day of each report.
    """
    by_source: dict[int, dict[tuple[int, int], tuple[list[int], Publication | None, Publication | None]]] = {}
    for key, report in reports.items():
        own, standard = in_force[days[key]]
        source = own.id if own else 0, standard.id if standard else 0
        of_table = by_source.setdefault(id(report.table), {})
        of_table.setdefault(source, ([], own, standard))[0].append(report.index)
    fields = {}
    for key, sources in by_source.items():
        columns = _Columns(tables[key])
        for indices, own, standard in sources.values():
            columns.take(connection, indices, own, standard)
        fields[key] = columns.fields()
    return fields


class _Columns:
    """Columns of a table that are filled with the figures of one list after the other."""

    def __init__(self, players: TablePlayers) -> None:
        self.table, self.players = players.table, players.players
        count = len(self.players)
        self.listed, self.counted, self.from_standard = (np.zeros(count, np.bool_) for _ in range(3))
        self.ratings, self.games, self.peaks = (np.zeros(count, np.int32) for _ in range(3))
        self.ks = np.full(count, NO_FIGURE, np.int32)

    def take(
        self,
        connection: Connection,
        indices: Sequence[int],
        own: Publication | None,
        standard: Publication | None,
    ) -> None:
        """Take the figures of the players of some reports from a list, and missing ratings from the standard list."""
        chosen = np.zeros(len(self.table.size), np.bool_)
        chosen[indices] = True
        of_reports = np.flatnonzero(np.repeat(chosen, self.table.size) & (self.players > 0))
        players = self.players[of_reports]
        if own is not None:
            columns = figure_columns(connection, own, players.tolist())
            listed = columns.rows(players)
            rows, listed = of_reports[listed >= 0], listed[listed >= 0]
            self.listed[rows] = True
            self.ratings[rows] = np.maximum(columns.ratings[listed], 0)
            self.ks[rows], self.games[rows] = columns.ks[listed], columns.games[listed]
            self.peaks[rows], self.counted[rows] = columns.peaks[listed], columns.counted[listed]
        if standard is not None:
            columns = figure_columns(connection, standard, players.tolist())
            listed = columns.rows(players)
            unrated = (listed >= 0) & (self.ratings[of_reports] == 0)
            rows, ratings = of_reports[unrated], columns.ratings[listed[unrated]]
            rows, ratings = rows[ratings > 0], ratings[ratings > 0]
            self.ratings[rows] = ratings
            self.from_standard[rows] = self.listed[rows] = True

    def fields(self) -> TableFields:
        """Return the columns with what is asked of each report."""
        first, ratings = self.table.first, self.ratings
        rated, unrated = ratings > 0, (ratings == 0) & ~self.counted
        in_detail = (rated & (self.ks == NO_FIGURE)) | self.counted
        differing = ratings != self.table.ratings
        return TableFields(
            self.table, self.listed, ratings, self.ks, self.games, self.peaks, self.counted, self.from_standard,
            np.maximum.reduceat(ratings, first).tolist(),
            np.maximum.reduceat(np.where(rated, self.ks, 0), first).tolist(),
            np.add.reduceat(unrated, first, dtype=np.int32).tolist(),
            self._first_events(np.flatnonzero(unrated)),
            *(np.logical_or.reduceat(column, first).tolist() for column in (in_detail, differing)),
        )  # fmt: skip

    def _first_events(self, rows: Array) -> list[Sequence[FirstEvent]]:
        """Return by report the games of the players in some rows."""
        table = self.table
        opponents, results = table.opponents[rows], table.results[rows]
        report_of_row = table.report_of_row[rows]
        sizes = np.array(table.size)[report_of_row]
        played = _PLAYED[results] & (opponents > 0) & (opponents <= sizes[:, None])
        rated = played & (self.ratings[table.opponent_rows[rows]] > 0)
        halves = _HALF_POINTS[results]
        places = rows - np.array(table.first)[report_of_row]
        figures = (
            places, (halves * played).sum(axis=1), rated.sum(axis=1), (halves * rated).sum(axis=1),
        )  # fmt: skip
        with_games = np.flatnonzero(played.any(axis=1))
        events = list(map(FirstEvent, *(column[with_games].tolist() for column in figures)))
        ends = np.searchsorted(report_of_row[with_games], np.arange(len(table.size) + 1)).tolist()
        return [events[begin:end] for begin, end in pairwise(ends)]


_PLAYED = letters_among(PLAYED)
_HALF_POINTS = np.zeros(256, np.int32)
_HALF_POINTS[[ord(letter) for letter in HALF_POINTS]] = list(HALF_POINTS.values())
"""By the letter of a result."""
