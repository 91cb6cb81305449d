"""An accepted tournament as its pages, files and the API show it: standings, rated score, performance, change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from sqlalchemy import Connection

from arpad.explain.privacy import is_private
from arpad.lists.explanation import (
    AnyExplainedEvent,
    ExplainedChange,
    ExplainedChessEvent,
    ExplainedDraughtsEvent,
    ExplainedSystemEvent,
)
from arpad.model.canonical_json import load
from arpad.model.errors import Missing
from arpad.model.json_values import to_finding
from arpad.model.rules import Edition, Finding, ListName
from arpad.office.editions.acts import editions_here
from arpad.office.lists.in_force import publication_in_force
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.office.parts import live_changes
from arpad.office.players.explain import explain_changes, present_names
from arpad.office.players.page import event_performance
from arpad.office.register import number_rows as hidden_players
from arpad.office.register import rows as register
from arpad.office.reports import rows as report_rows
from arpad.office.reports.page_rows import rating_publications
from arpad.office.reports.rows import Filed, unrated_reports
from arpad.office.reports.tables import ACCEPTED, WITHDRAWN
from arpad.rating.team_table import TeamTable, team_table
from arpad.rating.tie_breaks import FinalTable, final_table
from arpad.regulations.systems import system_of
from arpad.regulations.tie_breaks import TieBreak
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.reports.standings import FinalPlace, final_standings
from arpad.store import ledger
from arpad.system.lru import Lru

_TABLES: Lru[FinalTable] = Lru(32)
"""The final tables used last, by the digest of a report and the tie-breaks chosen; a table has no names."""

_RESULTS: Lru[Mapping[int, TournamentResult | None]] = Lru(32)
"""The results of the tournaments used last, by the digest of the list that rates one, its number and its players."""

_TEAM_TABLES: Lru[TeamTable | None] = Lru(32)
"""The tables of teams used last, by the digest of a report."""


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """The rating change of one player in one tournament."""

    before: int | None
    after: int | None
    score: Fraction
    expected: Fraction | None
    change: Fraction | None
    rounds: dict[int, Fraction]
    """The expected score of each round."""

    rated_games: int = 0
    rated_score: Fraction = Fraction(0)
    """The games that count, and the points scored in them."""

    k: int | None = None
    performance: int | None = None
    """The average of the rated opponents and the difference of the table for the score against them."""


@dataclass(frozen=True)
class TournamentPage:
    """An accepted tournament with its results on the latest list that rates it; hidden players are in ``hidden``."""

    filed: Filed
    report: Report
    players: Sequence[int]
    hidden: frozenset[int]
    rated: Sequence[Publication]
    results: Mapping[int, TournamentResult | None]
    findings: Sequence[Finding]
    hidden_version: str
    others: Sequence[tuple[Publication, Mapping[int, TournamentResult | None]]] = ()
    """The results on the other lists that rate it; ``results`` are those on the last one."""

    used: Publication | None = None
    """The list with whose ratings the games were rated: that in force on the first day."""

    is_live: bool = False
    """Whether the results are those of the live list, since no list rates the tournament yet."""

    chosen: tuple[TieBreak, ...] = ()
    """The tie-breaks that a visitor asks for, in place of those of the report."""

    unrated: str = ""
    """The day of the decision that it is not rated, or of its withdrawal; empty if there is none."""

    @property
    def draughts(self) -> bool:
        """Whether the page shows a draughts board: capitals before and after, and the expectation of each game."""
        return system_of(self.filed.list).rates_again

    @cached_property
    def teams(self) -> TeamTable | None:
        """The final table of the teams, if they played and not the players for themselves."""
        if self.draughts:
            return None
        return _TEAM_TABLES.get(self.filed.digest, lambda: team_table(self.report))

    @cached_property
    def table(self) -> FinalTable | None:
        """The final table with its tie-breaks, which are those of chess (C.07); none for the players of teams."""
        if self.draughts or self.teams:
            return None
        return _TABLES.get((self.filed.digest, self.chosen), lambda: final_table(self.report, self.chosen))

    @cached_property
    def standings(self) -> tuple[FinalPlace, ...]:
        """The entrants by final rank; a draughts game is worth two points."""
        return self.table.places if self.table else final_standings(self.report, 2 if self.draughts else 1)

    def result_at(self, index: int) -> TournamentResult | None:
        """Return the result of the entrant at an index."""
        return self.results.get(self.players[index])

    def changes_at(self, index: int) -> dict[ListName, Fraction | None]:
        """Return the changes of the entrant at an index on the other lists that rate the tournament."""
        parts = ((publication.list, results.get(self.players[index])) for publication, results in self.others)
        return {name: part.change if part else None for name, part in parts}

    @property
    def has_changes(self) -> bool:
        """Whether a list, or the live list, rates a game of it."""
        return any(
            it is not None and (it.change is not None or it.rated_games) for it in self.results.values()
        )

    def is_hidden(self, index: int) -> bool:
        """Return whether the entrant at an index asked not to be shown."""
        return self.players[index] in self.hidden


def withdrawn_on(office: Office, number: int) -> tuple[Filed, str] | None:
    """Return a report that was accepted and is withdrawn, with the day of its withdrawal; None if it is no such one."""
    with office.store.reading() as connection:
        filed = report_rows.filed(connection, [number]).get(number)
        if filed is None or filed.status != WITHDRAWN:
            return None
        history = report_rows.history(connection, number)
        if ACCEPTED not in (status for status, _ in history):
            return None
        return filed, ledger.act(connection, history[-1][1]).at[:10]


def read_tournament(connection: Connection, number: int, *, live: bool = False) -> TournamentPage:
    """Return the tournament of a report, its players named as in the register; without results if it is not rated.

    With ``live`` the results of one that is not rated yet are those of the live list, if visitors see it.
    """
    filed = report_rows.filed(connection, [number]).get(number)
    if filed is None or filed.status != ACCEPTED:
        raise Missing("no-tournament")
    report = read_filed(report_rows.data(connection, number), filed.file)
    players = report_rows.players_of(connection, number)
    names = present_names(connection, players)
    entrants = zip(report.entrants, players, strict=True)
    spelled = tuple(replace(entrant, name=names.get(player, entrant.name)) for entrant, player in entrants)
    hidden = hidden_players.hidden(connection)
    version = snapshot(connection).hidden_version
    hidden_people = register.load_people(connection, [player for player in players if player in hidden])
    rated = rating_publications(connection, [number], still=True)[number]
    unrated = unrated_reports(connection).get(number, "")
    editions = editions_here(connection)
    used = _list_used(connection, rated[-1], report) if rated else None

    def worth(changes: Mapping[int, ExplainedChange]) -> Mapping[int, TournamentResult | None]:
        return {player: _result(it, number, filed.list, editions) for player, it in changes.items()}

    def results_on(publication: Publication) -> Mapping[int, TournamentResult | None]:
        key = (publication.digest, number, tuple(players))
        return _RESULTS.get(key, lambda: worth(explain_changes(connection, publication, players)))

    results: Mapping[int, TournamentResult | None] = {}
    others: list[tuple[Publication, Mapping[int, TournamentResult | None]]] = []
    if not unrated and rated:
        results = results_on(rated[-1])
        by_list = {publication.list: publication for publication in rated}
        others = [(it, results_on(it)) for name, it in by_list.items() if name != rated[-1].list]
    elif not unrated and live:
        results = worth(live_changes(connection, filed.list, number, players))
    hidden_names = [person.name for person in hidden_people.values()]
    findings = _findings_shown(filed, report, [player in hidden for player in players], hidden_names)
    report = replace(report, entrants=spelled)
    return TournamentPage(
        filed,
        report,
        players,
        hidden,
        rated,
        results,
        findings,
        version,
        others,
        used,
        is_live=bool(results) and not rated,
        unrated=unrated,
    )


def _findings_shown(
    filed: Filed, report: Report, hidden: Sequence[bool], hidden_names: Iterable[str]
) -> list[Finding]:
    """Return the findings of a report that name nobody who asked not to be shown, and nothing private."""
    away = [entrant for entrant, is_hidden in zip(report.entrants, hidden, strict=True) if is_hidden]
    numbers, names = {it.number for it in away}, [*(it.name for it in away), *hidden_names]
    return [
        finding
        for finding in map(to_finding, load(filed.findings))
        if not is_private(finding)
        and finding.player not in numbers
        and not any(name in str(dict(finding.facts)) for name in names)
    ]


def _list_used(connection: Connection, rated: Publication, report: Report) -> Publication | None:
    """Return the chess list in force on the first day of a tournament (8.2.1); a draughts event has none."""
    day = report.header.first_day
    if day is None or system_of(rated.list).rates_again:
        return None
    published = [p for p in snapshot(connection).publications if p.list == rated.list]
    return publication_in_force(published, day, newest_revision=rated.revision > 1)


def _result(
    change: ExplainedChange, report: int, on_list: ListName, editions: Sequence[Edition[Any]]
) -> TournamentResult | None:
    """Return what one report was worth to a player, of all that changed with the list."""
    own = [event for event in change.events if isinstance(event, ExplainedSystemEvent)]
    parts = [part for event in own if (part := event.of_report(report))]
    events: Sequence[AnyExplainedEvent] = parts or [it for it in change.events if it.report == report]
    if not events:
        return None
    first, last = events[0], events[-1]
    games = [game for event in events for game in event.games]
    counted = [game for game in games if game.counts]
    expected = [game.expected for game in counted if game.expected is not None]
    points = [event.points for event in events if event.points is not None]
    draughts = isinstance(first, ExplainedDraughtsEvent)
    coefficients = {
        event.contribution.k_applied
        for event in events
        if isinstance(event, ExplainedChessEvent) and event.contribution
    }
    before = change.before
    if isinstance(first, ExplainedDraughtsEvent | ExplainedSystemEvent):
        before = first.capital if isinstance(first, ExplainedDraughtsEvent) else first.own
    return TournamentResult(
        before,
        last.final if isinstance(last, ExplainedDraughtsEvent) else None,
        sum((game.score for game in (counted if draughts else games)), Fraction(0)),
        sum(expected, Fraction(0)) if expected else None,
        sum(points, Fraction(0)) if points else None,
        {game.round: game.expected for game in games if game.expected is not None},
        rated_games=len(counted),
        rated_score=sum((game.score for game in counted), Fraction(0)),
        k=coefficients.pop() if len(coefficients) == 1 else None,
        performance=shown.rating if (shown := event_performance(events, on_list, editions)) else None,
    )
