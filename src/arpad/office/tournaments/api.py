"""Tournaments for programs: all that were accepted, and each with its games, findings and changes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from litestar import Request, Response, get

from arpad.explain.documents import finding_document
from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.exact import decimal_text
from arpad.office.lists.rows import Publication
from arpad.office.reports.decided_rows import unrated_reports
from arpad.office.reports.page_rows import accepted_reports_before, rating_publications
from arpad.office.reports.rows import Filed
from arpad.office.tournaments.page import TournamentPage, read_tournament
from arpad.web.api.cursors import After, next_link
from arpad.web.api.parameters import ReportNumber
from arpad.web.api.responses import answers, csv_answers, csv_text, etagged
from arpad.web.api.schemas import EntrantOut, PlayedOut, TournamentFileOut, TournamentOut, TournamentsOut
from arpad.web.auth import PUBLIC
from arpad.web.language import words_for
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
ONE = "/api/v1/tournaments/{number}"
AT_ONCE = 50
LATEST = "9999"
"""A text after every last day."""

COLUMNS = ("number", "id", "name", "title", "federation", "rating", "score", "expected", "change")


def _tournament(filed: Filed, rated: Sequence[Publication], unrated: str) -> TournamentOut:
    first, last = (str(day) if day else None for day in (filed.first_day, filed.last_day))
    return TournamentOut(
        filed.id,
        filed.name,
        filed.federation,
        str(filed.list),
        first,
        last,
        [p.name for p in rated],
        unrated or None,
    )


@get(
    "/tournaments", opt=PUBLIC, sync_to_thread=True, summary="Tournaments",
    responses=answers(TournamentsOut, "GET /api/v1/tournaments", 400, 404, etag=True),
)  # fmt: skip
def list_tournaments(request: Asked, after: After = "") -> Response[Any]:
    """Accepted tournaments, the latest first."""
    return etagged(request, _page(request, after)[0])


def _page(request: Asked, after: str) -> tuple[TournamentsOut, Cursor]:
    """Return the tournaments after a cursor, which is a last day and a number."""
    office, cursor = require_office(request), parse_cursor(after)
    day = _day(cursor) if after else LATEST
    with office.store.reading() as connection:
        reports = accepted_reports_before(connection, day, cursor.part, AT_ONCE + 1)
        shown, more = reports[:AT_ONCE], len(reports) > AT_ONCE
        rated = rating_publications(connection, [filed.id for filed in shown], still=True)
        unrated = unrated_reports(connection)
    listed = [_tournament(filed, rated[filed.id], unrated.get(filed.id, "")) for filed in shown]
    following = _cursor(shown[-1]) if shown else cursor
    return TournamentsOut(listed, str(following) if shown else after, more), following


def _cursor(filed: Filed) -> Cursor:
    return Cursor(int(f"{filed.last_day:%Y%m%d}") if filed.last_day else 0, filed.id)


def _day(cursor: Cursor) -> str:
    """Return the last day of a cursor as reports are sorted by it; a report without one has an empty text."""
    digits = f"{cursor.item:08d}"
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if cursor.item else ""


@get(
    "/tournaments.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True, summary="Tournaments as CSV",
    responses=csv_answers("GET /api/v1/tournaments.csv", 400, 404, etag=True),
)  # fmt: skip
def list_tournaments_csv(request: Asked, after: After = "") -> Response[Any]:
    """The same page as CSV; the header Link has the address of the next one."""
    out, following = _page(request, after)
    rows = [
        (t.id, t.name, t.federation, t.list, t.first_day, t.last_day, " ".join(t.rated_with))
        for t in out.tournaments
    ]
    heading = ("id", "name", "federation", "list", "first_day", "last_day", "rated_with")
    response = etagged(request, csv_text(heading, rows))
    response.headers.update(next_link(request, following, more=out.more))
    return response


# --------------------------------------------------------------------------------------------------- one of them


def _decimal(value: Fraction | None, places: int | None = None) -> str | None:
    return decimal_text(value, places=places) if value is not None else None


def _entrants(tournament: TournamentPage) -> list[EntrantOut]:
    out = []
    for index, entrant in enumerate(tournament.report.entrants):
        part = tournament.result_at(index)
        games = [
            PlayedOut(
                number, cells.opponents[index] or None, cells.colours[index].strip(), cells.results[index].strip()
            )
            for number, cells in enumerate(tournament.report.rounds, start=1)
        ]  # fmt: skip
        away = tournament.players[index] in tournament.hidden
        out.append(
            EntrantOut(
                entrant.number, None if away else tournament.players[index], "" if away else entrant.name,
                "" if away else entrant.title, entrant.federation, part.before if part else entrant.rating,
                _decimal(part.score) if part else None, _decimal(part.expected, 2) if part else None,
                _decimal(part.change) if part else None, games,
            )
        )  # fmt: skip
    return out


@get(
    "/tournaments/{number:int}", opt=PUBLIC, sync_to_thread=True, summary="A tournament",
    responses=answers(TournamentFileOut, f"GET {ONE}", 404, etag=True),
)  # fmt: skip
def get_tournament(request: Asked, number: ReportNumber) -> Response[Any]:
    """A tournament with its games, the changes of all players, and the findings."""
    event, words = read_tournament(require_office(request), number), words_for(request)
    header = event.report.header
    out = TournamentFileOut(
        _tournament(event.filed, event.rated, event.unrated), header.city, header.time_control,
        len(event.report.rounds), _entrants(event),
        [finding_document(finding, words) for finding in event.findings],
    )  # fmt: skip
    return etagged(request, out)


@get(
    "/tournaments/{number:int}/players.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True,
    summary="A tournament's players as CSV", responses=csv_answers(f"GET {ONE}/players.csv", 404, etag=True),
)  # fmt: skip
def get_tournament_players_csv(request: Asked, number: ReportNumber) -> Response[Any]:
    """One row for each player: rating, score, expectation and change."""
    entrants = _entrants(read_tournament(require_office(request), number))
    return etagged(request, csv_text(COLUMNS, [[getattr(e, name) for name in COLUMNS] for e in entrants]))


ROUTES = (list_tournaments, list_tournaments_csv, get_tournament, get_tournament_players_csv)
