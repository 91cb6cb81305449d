"""Titles at the desk: the norms of an accepted report with their papers, norms on record, applications, proposals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from arpad.explain.certificates import FACT_NAMES, CertificateFacts, certificate_of, tournament_report
from arpad.explain.norm_documents import NormWords
from arpad.explain.title_applications import ApplicationFacts, requirement_rows
from arpad.model.typed_values import parse_day, parse_integer
from arpad.office.office import Office
from arpad.office.rating_titles import TitleProposal, proposed_titles
from arpad.office.register import known_player
from arpad.office.title_applications import APPLICATION_FACTS, title_application
from arpad.office.titles import (
    FiledNorms,
    check_titles,
    norms_of_report,
    record_norm,
    record_norms,
    revoke_norm,
)
from arpad.publishing.certificate_pdf import application_pdf, norm_pdf, tournament_pdf
from arpad.rating.norm_arguments import parse_title
from arpad.regulations.chess.titles.rules import NormTitle
from arpad.store.norms import RecordedNorm, norms_on_record
from arpad.store.register import load_people
from arpad.web.auth import COSTLY, OFFICER
from arpad.web.fees import attachment
from arpad.web.forms import Done, act_and_redirect, form_texts, number_field
from arpad.web.language import words_for
from arpad.web.own_federation import own_players, reads, require_players
from arpad.web.reports_inbox import desk_of, for_all, is_for_all, officers_own
from arpad.web.requests import WebRequest, page_number, paginate, require_office
from arpad.web.templates import page

COSTLY_DESK = {**OFFICER, **COSTLY}
SHOWN = 50
LONGEST_FACT = 200

# ------------------------------------------------------------------------------------------ norms of a report


@get("/desk/reports/{number:int}/norms", opt=COSTLY_DESK, include_in_schema=False, sync_to_thread=True)
def report_norms_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show the norms of an accepted report, the papers, and whether they are on record."""
    return _report_norms_page(request, number)


def _report_norms_page(request: WebRequest, number: int) -> Response[str]:
    office = officers_own(request, number)
    filed = _filed_norms(office, number)
    with office.store.reading() as connection:
        recorded = {(it.player, it.title) for it in norms_on_record(connection) if it.report == number}
    on_record = {
        (player.entrant.number, norm.title)
        for player in filed.result.players
        for norm in player.norms
        if (filed.players[player.entrant.number], norm.title) in recorded
    }
    return page(
        request, "desk_norms.html", norms=filed.result, number=number, on_record=on_record, made=len(filed.made),
        new=len(filed.made) - len(recorded), norm_words=NormWords(words_for(request)), fact_names=FACT_NAMES,
        title_edition=filed.result.edition.id,
    )  # fmt: skip


def _filed_norms(office: Office, number: int) -> FiledNorms:
    with office.store.reading() as connection:
        return norms_of_report(connection, number)


@post("/desk/reports/{number:int}/norms", opt=OFFICER, include_in_schema=False, status_code=200)
async def record_report(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Put the norms of an accepted report on record."""
    texts = await form_texts(request)

    def act() -> Done:
        numbers = record_norms(officers_own(request, number), number, reason=texts.get("reason", ""))
        return Done(f"/desk/reports/{number}/norms", "norms-recorded", str(len(numbers)))

    return await act_and_redirect(request, act, lambda: _report_norms_page(request, number))


def _certificate_facts(asked: Mapping[str, str]) -> CertificateFacts:
    given = {name: asked.get(f"fact-{name}", "").strip()[:LONGEST_FACT] for name in FACT_NAMES}
    return CertificateFacts(**given)


@get("/desk/reports/{number:int}/it3.pdf", opt=COSTLY_DESK, include_in_schema=False, sync_to_thread=True)
def tournament_paper(request: WebRequest, number: FromPath[int]) -> Response[bytes]:
    """Return the report of the tournament (IT3) as PDF."""
    words, result = words_for(request), _filed_norms(officers_own(request, number), number).result
    paper = tournament_report(result, _certificate_facts(request.query_params), words)
    return attachment(tournament_pdf(paper, words), "application/pdf", f"it3-{number}.pdf")


@get("/desk/reports/{number:int}/it1.pdf", opt=COSTLY_DESK, include_in_schema=False, sync_to_thread=True)
def norm_paper(request: WebRequest, number: FromPath[int]) -> Response[bytes]:
    """Return the certificate of a norm (IT1) as PDF; the norm is named as ``12:GM``."""
    result = _filed_norms(officers_own(request, number), number).result
    entrant, _, title = request.query_params.get("norm", "").partition(":")
    facts = _certificate_facts(request.query_params)
    paper = certificate_of(result, parse_integer(entrant, "norm"), parse_title(title), facts)
    return attachment(
        norm_pdf(paper, words_for(request)),
        "application/pdf",
        f"it1-{number}-{entrant}-{paper.title.lower()}.pdf",
    )


# ----------------------------------------------------------------------------------------- norms and applications


@get("/desk/titles", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def titles_page(request: WebRequest) -> Response[str]:
    """Show the norms on record, the titles that the newest list gives, and a player's way to the next title."""
    return _titles_page(request)


def _titles_page(request: WebRequest) -> Response[str]:
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        on_record = norms_on_record(connection)
        own = own_players(request, connection, {norm.player for norm in on_record})
        kept = [norm for norm in on_record if norm.player in own]
        norms = sorted(kept, key=lambda norm: (norm.last_day, norm.id), reverse=True)
        on_page, number, pages = paginate(norms, page_number(request.query_params.get("page", "1")), SHOWN)
        names = load_people(connection, {norm.player for norm in on_page})
    chosen = request.query_params.get("player", "")
    person, checks = None, []
    if chosen:
        player = parse_integer(chosen, "player")
        with office.store.reading() as connection:
            person = known_player(connection, player)
            require_players(request, connection, player)
        checks = [
            (check, requirement_rows(check.requirements, words)) for check in check_titles(office, player)
        ]
    return page(
        request, "desk_titles.html", norms=on_page, names=names, proposals=own_proposals(request), person=person,
        checks=checks, titles=[(str(it), str(it)) for it in NormTitle],
        fact_names=APPLICATION_FACTS, may_revoke=is_for_all(request), page_number=number, pages=pages,
        address=lambda to: f"/desk/titles?page={to}",
    )  # fmt: skip


def own_proposals(request: WebRequest) -> list[TitleProposal]:
    """Return the titles that the newest list gives to players whom the officer may read."""
    may = reads(request)
    return [it for it in proposed_titles(require_office(request)) if may(it.player.federation)]


def _may_decide(request: WebRequest, player: int) -> Office:
    """Return the office if the officer may decide about a player."""
    office = desk_of(request)
    with office.store.reading() as connection:
        require_players(request, connection, player)
    return office


@post("/desk/titles/norms", opt=OFFICER, include_in_schema=False, status_code=200)
async def enter_norm(request: WebRequest) -> Response[Any]:
    """Put a norm that was made elsewhere on record."""
    texts = await form_texts(request)

    def act() -> Done:
        player = number_field(texts, "player")
        office = _may_decide(request, player)
        norm = RecordedNorm(
            player, parse_title(texts.get("title", "")), texts.get("event", ""), texts.get("place", ""),
            parse_day(texts.get("first", ""), "first"), parse_day(texts.get("last", ""), "last"), "",
            number_field(texts, "games"), "exempt" not in texts,
            parse_integer(texts.get("single_days") or "0", "single_days"), "special" in texts, "by_bye" in texts,
        )  # fmt: skip
        record_norm(office, norm, reason=texts.get("reason", ""))
        return Done(f"/desk/titles?player={player}", "norms-recorded", "1")

    return await act_and_redirect(request, act, lambda: _titles_page(request))


@post("/desk/titles/norms/{number:int}/revoke", opt=OFFICER, include_in_schema=False, status_code=200)
async def revoke_recorded(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Revoke a norm on record."""
    texts = await form_texts(request)

    def act() -> str:
        for_all(request)
        revoke_norm(desk_of(request), number, texts.get("reason", ""))
        return "/desk/titles"

    return await act_and_redirect(request, act, lambda: _titles_page(request))


@get("/desk/titles/it2.pdf", opt=COSTLY_DESK, include_in_schema=False, sync_to_thread=True)
def application_paper(request: WebRequest) -> Response[bytes]:
    """Return the application of a player for a title (IT2) as PDF."""
    asked, words = request.query_params, words_for(request)
    player = parse_integer(asked.get("player", ""), "player")
    given = {name: asked.get(f"fact-{name}", "").strip()[:LONGEST_FACT] for name in APPLICATION_FACTS}
    reached = parse_integer(asked["reached"], "reached") if asked.get("reached") else None
    paper = title_application(
        _may_decide(request, player), player, parse_title(asked.get("title", "")), words, ApplicationFacts(**given),
        reached=reached,
    )  # fmt: skip
    return attachment(
        application_pdf(paper, words), "application/pdf", f"it2-{player}-{paper.title.lower()}.pdf"
    )


ROUTES = (
    report_norms_page, record_report, tournament_paper, norm_paper, titles_page, enter_norm, revoke_recorded,
    application_paper,
)  # fmt: skip
