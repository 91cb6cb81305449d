"""The pages of tournaments: the accepted ones, and each with standings, rounds, grid, rating changes and files."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.tie_breaks import places_of, team_tie_break_words, tie_break_words
from arpad.explain.words import Words
from arpad.model.disciplines import discipline_of
from arpad.model.rules import LISTS, Finding, Severity
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.lists.page_rows import snapshot
from arpad.office.register import number_rows as hidden_players
from arpad.office.register.rows import load_names
from arpad.office.reports.rows import unrated_reports
from arpad.office.tournaments.files import FILE_TYPES, tournament_file
from arpad.office.tournaments.page import TournamentPage, read_tournament, withdrawn_on
from arpad.office.tournaments.rows import SoughtTournaments, tournament_years, tournaments_page, winners
from arpad.rating.tie_breaks import Contribution, FinalTable
from arpad.regulations.tie_breaks import ARTICLES, TieBreak, read_tie_breaks
from arpad.reports.standings import FinalPlace, grid, meets_all, pairings
from arpad.web.cache import fresh_headers
from arpad.web.event_strips import gain_bars, sign_of
from arpad.web.reader import COSTLY, PUBLIC, page_words, words_for
from arpad.web.requests import Refused, WebRequest, page_number, require_office, saved_as
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

LONGEST_WORDS = 60
LONGEST_CODES = 120
MOST_TIE_BREAKS = 8
"""Tie-breaks of one table."""

_RESULT_WORDS = {
    "1": "won", "W": "won", "=": "drawn", "D": "drawn", "0": "lost", "L": "lost", "+": "forfeit-won",
    "-": "forfeit-lost", "H": "half-bye", "F": "full-bye", "U": "full-bye",
}  # fmt: skip


@cache
def cell_words(words: Words) -> Callable[[int, str, str], str]:
    """Return the function that says a cell of a cross-table in words: "white against 17, won"."""

    @lru_cache(maxsize=4096)
    def said(opponent: int, colour: str, result: str) -> str:
        outcome = words.text(f"site.cell-{_RESULT_WORDS.get(result, 'not-played')}")
        if not opponent:
            return outcome
        against = {"w": "white-against", "b": "black-against"}.get(colour, "against")
        return f"{words.text(f'site.cell-{against}', number=opponent)}, {outcome}"

    return said


@get("/tournaments", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_tournaments(request: WebRequest) -> Response[Any]:
    """Show the accepted tournaments, the latest first: all, or those that a visitor looks for."""
    query = request.query_params
    number = page_number(query.get("page", "1"))
    sought = _sought(query)
    with require_office(request).store.reading() as connection:
        headers = fresh_headers(request, "tournaments", snapshot(connection).head, sought, number)
        shown = tournaments_page(connection, sought, number)
        won = winners(connection, [filed.id for filed in shown.reports])
        names = load_names(connection, set(won.values()) - hidden_players.hidden(connection))
        unrated = unrated_reports(connection)
        years = tournament_years(connection)
        published = {publication.list for publication in snapshot(connection).publications}
    asked = {"q": sought.words, "list": sought.list, "year": sought.year or ""}
    kept = {name: text for name, text in asked.items() if text}
    return page(
        request, "tournaments/tournaments.html",
        headers=headers, reports=shown.reports, won=won, names=names, sought=sought,
        unrated=unrated, years=years, lists=[name for name in LISTS if name in published], page_number=shown.page,
        pages=shown.pages, address=lambda to: f"/tournaments?{urlencode({**kept, 'page': to})}",
    )  # fmt: skip


def _sought(query: Mapping[str, str]) -> SoughtTournaments:
    """Return what the parameters of an address look for; values that cannot be meant are left out."""
    words, on_list, year = (query.get(name, "").strip()[:LONGEST_WORDS] for name in ("q", "list", "year"))
    return SoughtTournaments(
        " ".join(words.split()), on_list if on_list in LISTS else "",
        int(year) if re.fullmatch(r"[12][0-9]{3}", year) else None,
    )  # fmt: skip


def _remarks(played: TournamentPage) -> list[Finding]:
    """Return the errors and warnings of a report, except who somebody is: the office decided that on accepting."""
    return [
        finding
        for finding in played.findings
        if finding.severity != Severity.INFO and finding.code not in DOUBTS
    ]


@get("/tournaments/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournament(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show a tournament: the final standings with the rating changes, a round, the grid, the findings."""
    if (withdrawn := withdrawn_on(require_office(request), number)) is not None:
        headers, (filed, day) = fresh_headers(request, *withdrawn), withdrawn
        return page(request, "tournaments/withdrawn.html", headers=headers, filed=filed, withdrawn=day)
    with require_office(request).store.reading() as connection:
        played = _asked(request, read_tournament(connection, number, live=True))
    shown_round = page_number(request.query_params.get("round", "0"))
    if not request.query_params.get("round") or shown_round not in played.report.round_numbers:
        shown_round = 0
    headers = fresh_headers(request, *_version(played), shown_round)
    report, table = played.report, played.table
    return page(
        request, "tournaments/tournament.html", headers=headers, played=played, filed=played.filed, report=report,
        rated=played.rated, remarks=_remarks(played), draughts=played.draughts, table=table,
        teams=played.teams, all_tie_breaks=[TieBreak(name) for name in ARTICLES],
        **_tie_break_words(page_words(request)),
        standings=table.places if table else played.standings,
        sign=sign_of(discipline_of(played.filed.list)), said=cell_words(words_for(request)), shown_round=shown_round,
        games=pairings(report, shown_round) if shown_round else None, bars=gain_bars(
            {player: part.change for player, part in played.results.items() if part is not None}, page_words(request)
        ),
        table_of_all=grid(report) if meets_all(report) else None, files=tuple(FILE_TYPES),
    )  # fmt: skip


def _asked(request: WebRequest, played: TournamentPage) -> TournamentPage:
    """Return a tournament with the tie-breaks that the address names, if it names some that are known."""
    codes = request.query_params.get("tie-breaks", "")[:LONGEST_CODES]
    return replace(played, chosen=read_tie_breaks(codes)[0][:MOST_TIE_BREAKS])


def _version(played: TournamentPage) -> tuple[object, ...]:
    """Return what the page and the files of a tournament depend on."""
    used = played.used.digest if played.used else ""
    return (
        played.filed.id,
        played.filed.status,
        played.unrated,
        *(entrant.name for entrant in played.report.entrants),
        used,
        *(it.code for it in played.chosen),
        *((player, part and part.change) for player, part in played.results.items() if played.is_live),
        *(p.digest for p in played.rated),
        played.hidden_version,
    )


@get(
    "/tournaments/{number:int}/files/{file:str}", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True
)  # fmt: skip
def download(request: WebRequest, number: FromPath[int], file: FromPath[str]) -> Response[Any]:
    """Return a file of a tournament: the report without private data, the standings as CSV or PDF."""
    kind = file.removeprefix(f"{number}.")
    if kind not in FILE_TYPES:
        raise Refused(404, "no-page")
    with require_office(request).store.reading() as connection:
        played = _asked(request, read_tournament(connection, number))
    saved = {"Content-Disposition": saved_as(f"{played.filed.name or number}.{kind}")}
    headers = fresh_headers(request, *_version(played), file, others=saved)
    data = tournament_file(played, kind, page_words(request), settings_of(request).name)
    return Response(data, headers=headers, media_type=FILE_TYPES[kind])


@get(
    "/tournaments/{number:int}/players/{start:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True
)  # fmt: skip
def player_card(request: WebRequest, number: FromPath[int], start: FromPath[int]) -> Response[Any]:
    """Show one player of a tournament: each game with its expectation, and what it adds to the tie-breaks."""
    with require_office(request).store.reading() as connection:
        played = read_tournament(connection, number, live=True)
    index = played.report.places.get(start)
    if index is None or played.is_hidden(index):
        raise Refused(404, "no-page")
    headers = fresh_headers(request, *_version(played), start)
    table = played.table
    standings = table.places if table else played.standings
    return page(
        request, "tournaments/player.html", headers=headers, played=played, filed=played.filed, report=played.report,
        index=index, entrant=played.report.entrants[index], part=played.result_at(index), draughts=played.draughts,
        place=next(it for it in standings if it.index == index), table=table, sums=_sums(table, index) if table else {},
        sign=sign_of(discipline_of(played.filed.list)), games=list(played.report.games(index)),
        **_neighbours(played, standings, index), **_tie_break_words(page_words(request)),
    )  # fmt: skip


def _tie_break_words(words: Words) -> dict[str, Any]:
    """Return what the templates need to say a tie-break in words, and how many places its values have."""
    return {
        "tie_break_words": partial(tie_break_words, words=words), "tie_break_places": places_of,
        "team_tie_break_words": partial(team_tie_break_words, words=words),
    }  # fmt: skip


def _sums(table: FinalTable, index: int) -> dict[str, dict[int, Contribution]]:
    """Return what each round adds to the tie-breaks that are sums over the opponents."""
    return {
        it.code: {entry.round: entry for entry in table.played.contributions(index, it)}
        for it in table.tie_breaks
        if it.name in {"BH", "FB", "SB"}
    }


def _neighbours(played: TournamentPage, standings: Sequence[FinalPlace], index: int) -> dict[str, Any]:
    """Return the start numbers of the players before and after one in the standings who may be shown."""
    shown = [it.index for it in standings if not played.is_hidden(it.index)]
    at = shown.index(index)
    before, after = shown[at - 1 : at], shown[at + 1 : at + 2]
    numbers = [played.report.entrants[it].number for it in (*before, *after)]
    return {"before": numbers[0] if before else None, "after": numbers[-1] if after else None}
