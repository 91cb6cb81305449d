"""The pages of tournaments: the accepted ones, and each with its cross-table and rating changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.lists.explanation import ExplainedChange, ExplainedDraughtsEvent
from arpad.model.canonical_json import load
from arpad.model.disciplines import Discipline, discipline_of
from arpad.model.json_values import to_finding
from arpad.model.rules import Finding
from arpad.office.explain import explain_changes
from arpad.office.office import Office
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import hidden_players, register
from arpad.store import reports as report_rows
from arpad.store.lists import Publication
from arpad.store.pages import accepted_reports, rating_publications, snapshot
from arpad.store.reports import Filed
from arpad.web.auth import PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.privacy import is_private
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, page_number, require_office
from arpad.web.templates import page

SIGNS = {
    "1": "1",
    "=": "½",
    "0": "0",
    "+": "+",
    "-": "−",
    "W": "1",
    "D": "½",
    "L": "0",
    "H": "½",
    "F": "1",
    "U": "1",
}
DRAUGHTS_SIGNS = {"1": "2", "=": "1", "0": "0", "+": "+", "-": "−", "W": "+", "D": "=", "L": "−"}


def sign_of(discipline: Discipline) -> Callable[[str], str]:
    """Return the function that gives the sign of a result in a cross-table."""
    signs = DRAUGHTS_SIGNS if discipline.by_season else SIGNS
    return lambda result: signs.get(result, "–")


@get("/tournaments", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_tournaments(request: WebRequest) -> Response[Any]:
    """Show the accepted tournaments, the latest first."""
    office = require_office(request)
    number = page_number(request.query_params.get("page", "1"))
    with office.store.reading() as connection:
        reports, pages = accepted_reports(connection, number)
    page_shown = min(max(1, number), pages)
    return page(
        request, "tournaments.html", reports=reports, page_number=page_shown, pages=pages,
        address=lambda to: f"/tournaments?page={to}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
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
    """The version of the set of hidden players."""

    @property
    def draughts(self) -> bool:
        """Whether the page shows a draughts board: capitals before and after, and the expectation of each game."""
        return discipline_of(self.filed.list).by_season

    def result_at(self, index: int) -> TournamentResult | None:
        """Return the result of the entrant at an index."""
        return self.results.get(self.players[index])


def read_tournament(office: Office, number: int) -> TournamentPage:
    """Return the tournament of a report."""
    with office.store.reading() as connection:
        filed = report_rows.filed(connection, [number]).get(number)
        if filed is None or filed.status != report_rows.ACCEPTED:
            raise Refused(404, "no-tournament")
        report = read_filed(report_rows.data(connection, number), filed.file)
        players = report_rows.players_of(connection, number)
        hidden = hidden_players.hidden(connection)
        version = snapshot(connection).hidden_version
        hidden_people = register.load_people(connection, [player for player in players if player in hidden])
        rated = rating_publications(connection, [number])[number]
        changes = explain_changes(connection, rated[-1], players) if rated else {}
    results = {player: _result(change, number) for player, change in changes.items()}
    hidden_numbers = {
        e.number for e, player in zip(report.entrants, players, strict=True) if player in hidden
    }
    hidden_names = [e.name for e, player in zip(report.entrants, players, strict=True) if player in hidden]
    hidden_names += [person.name for person in hidden_people.values()]
    findings = [
        finding
        for finding in map(to_finding, load(filed.findings))
        if not is_private(finding)
        and finding.player not in hidden_numbers
        and not any(name in str(dict(finding.facts)) for name in hidden_names)
    ]
    return TournamentPage(filed, report, players, hidden, rated, results, findings, version)


@get("/tournaments/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournament(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show a tournament: the cross-table, the findings, the rating changes."""
    played = read_tournament(require_office(request), number)
    headers, unchanged = etag_headers(
        request, number, played.filed.status, *(p.digest for p in played.rated), played.hidden_version
    )
    if unchanged:
        return not_modified(headers)
    return page(
        request, "tournament.html", headers=headers, filed=played.filed, report=played.report, players=played.players,
        hidden=played.hidden, rated=played.rated, results=played.results, findings=played.findings,
        draughts=played.draughts, sign=sign_of(discipline_of(played.filed.list)),
    )  # fmt: skip


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


def _result(change: ExplainedChange, report: int) -> TournamentResult | None:
    """Return what one report was worth to a player, of all that changed with the list."""
    events = [event for event in change.events if event.report == report]
    if not events:
        return None
    first, last = events[0], events[-1]
    games = [game for event in events for game in event.games]
    counted = [game for game in games if game.counts]
    expected = [game.expected for game in counted if game.expected is not None]
    points = [event.points for event in events if event.points is not None]
    draughts = isinstance(first, ExplainedDraughtsEvent)
    return TournamentResult(
        first.capital if isinstance(first, ExplainedDraughtsEvent) else change.before,
        last.final if isinstance(last, ExplainedDraughtsEvent) else None,
        sum((game.score for game in (counted if draughts else games)), Fraction(0)),
        sum(expected, Fraction(0)) if expected else None,
        sum(points, Fraction(0)) if points else None,
        {game.round: game.expected for game in games if game.expected is not None},
    )


ROUTES = (all_tournaments, tournament)
