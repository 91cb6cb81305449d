"""The tournaments that were accepted, and each with its cross-table and what it was worth to everyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad import accounts
from arpad.lists.explanation import ExplainedChange, ExplainedDraughtsEvent
from arpad.model.disciplines import discipline_of
from arpad.model.json_values import load, to_finding
from arpad.model.rules import Finding
from arpad.office.explain import explain_changes
from arpad.office.office import Office
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import register
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


@get("/tournaments", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_tournaments(request: WebRequest) -> Response[Any]:
    """Tournaments that were accepted, the latest first."""
    office = require_office(request)
    number = page_number(request.query_params.get("page", "1"))
    with office.store.reading() as connection:
        found, pages = accepted_reports(connection, number)
    shown = min(max(1, number), pages)
    return page(
        request, "tournaments.html", found=found, page_number=shown, pages=pages,
        address=lambda to: f"/tournaments?page={to}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """An accepted tournament, with what a list made of it; whoever asked not to be shown is ``away``."""

    filed: Filed
    report: Report
    players: Sequence[int]
    away: frozenset[int]
    rated: Sequence[Publication]
    parts: Mapping[int, TournamentResult | None]
    findings: Sequence[Finding]
    hidden_version: str
    """The version of who is hidden."""

    @property
    def draughts(self) -> bool:
        """Whether the page shows a draughts board: capitals before and after, and the expectation of each game."""
        return discipline_of(self.filed.list).by_season

    def part_at(self, place: int) -> TournamentResult | None:
        """What it was worth to the player of a place."""
        return self.parts.get(self.players[place])


def read_tournament(office: Office, number: int) -> TournamentPage:
    """A tournament by the number of its report."""
    with office.store.reading() as connection:
        filed = report_rows.filed(connection, [number]).get(number)
        if filed is None or filed.status != report_rows.ACCEPTED:
            raise Refused(404, "no-tournament")
        report = read_filed(report_rows.data(connection, number), filed.file)
        players = report_rows.players_of(connection, number)
        away = accounts.hidden(connection)
        version = snapshot(connection).hidden_version
        known = register.load_people(connection, [player for player in players if player in away])
        rated = rating_publications(connection, [number])[number]
        changes = explain_changes(connection, rated[-1], players) if rated else {}
    parts = {player: _part(change, number) for player, change in changes.items()}
    veiled = {e.number for e, player in zip(report.entrants, players, strict=True) if player in away}
    named = [e.name for e, player in zip(report.entrants, players, strict=True) if player in away]
    named += [person.name for person in known.values()]
    findings = [
        finding
        for finding in map(to_finding, load(filed.findings))
        if not is_private(finding)
        and finding.player not in veiled
        and not any(name in str(dict(finding.facts)) for name in named)
    ]
    return TournamentPage(filed, report, players, away, rated, parts, findings, version)


@get("/tournaments/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournament(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """A tournament: the cross-table, what the checks said, what it was worth to everyone."""
    found = read_tournament(require_office(request), number)
    signs = DRAUGHTS_SIGNS if found.draughts else SIGNS
    headers, known = etag_headers(
        request, number, found.filed.status, *(p.digest for p in found.rated), found.hidden_version
    )
    if known:
        return not_modified(headers)
    return page(
        request, "tournament.html", headers=headers, filed=found.filed, report=found.report, players=found.players,
        away=found.away, rated=found.rated, parts_of=found.parts, findings=found.findings,
        draughts=found.draughts, sign=lambda result: signs.get(result, "–"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What one tournament was worth to one player."""

    before: int | None
    after: int | None
    score: Fraction
    expected: Fraction | None
    change: Fraction | None
    rounds: dict[int, Fraction]
    """What was expected of each game."""


def _part(change: ExplainedChange, report: int) -> TournamentResult | None:
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
