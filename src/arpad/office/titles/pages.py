"""Titles at the desk: the norms of an accepted report with their papers, norms on record, applications, proposals."""

from litestar import Response, get
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath

from arpad.explain.certificates import FACT_NAMES
from arpad.explain.norm_documents import NormWords
from arpad.explain.title_applications import requirement_rows
from arpad.model.typed_values import parse_integer
from arpad.office.declared import Reading, perform
from arpad.office.register.acts import known_player
from arpad.office.register.rows import load_people
from arpad.office.reports.acts import OF_REPORT
from arpad.office.reports.visible import own_players
from arpad.office.titles import acts
from arpad.office.titles.applications import APPLICATION_FACTS, norms_of_report
from arpad.office.titles.rows import norms_on_record
from arpad.web.declared_forms import Unclear, file_answer, file_values, picked_value
from arpad.web.forms import refuse
from arpad.web.reader import COSTLY, OFFICER, caller_of, permitted_office, words_for
from arpad.web.requests import WebRequest, page_number, paginate, require_office
from arpad.web.templates import page

COSTLY_DESK = OFFICER | COSTLY
SHOWN = 50


@get("/desk/reports/{number:int}/norms", opt=COSTLY_DESK, include_in_schema=False, sync_to_thread=True)
def report_norms_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show the norms of an accepted report, the papers, and whether they are on record."""
    office = permitted_office(request, OF_REPORT, report=number)
    with office.store.reading() as connection:
        filed = norms_of_report(connection, number)
        recorded = {(it.player, it.title) for it in norms_on_record(connection) if it.report == number}
    on_record = {
        (player.entrant.number, norm.title)
        for player in filed.result.players
        for norm in player.norms
        if (filed.players[player.entrant.number], norm.title) in recorded
    }
    return page(
        request, "titles/norms.html", norms=filed.result, number=number, on_record=on_record, made=len(filed.made),
        new=len(filed.made) - len(recorded), norm_words=NormWords(words_for(request)), fact_names=FACT_NAMES,
        title_edition=filed.result.edition.id,
    )  # fmt: skip


@get("/desk/reports/{number:int}/it1.pdf", opt=COSTLY_DESK, include_in_schema=False)
async def norm_paper(request: WebRequest, number: FromPath[int]) -> Response[bytes]:
    """Return the certificate of a norm (IT1) as PDF; the button names the norm as ``12:GM``."""
    values = await file_values(request, acts.certificate_paper)
    entrant, _, title = values.pop("norm", "").partition(":")
    named = {"report": number, "entrant": entrant, "title": title}
    return await sync_to_thread(file_answer, request, acts.certificate_paper, values | named)


@get("/desk/titles", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def titles_page(request: WebRequest) -> Response[str]:
    """Show the norms on record, the titles that the newest list gives, and a player's way to the next title."""
    office, words, caller = require_office(request), words_for(request), caller_of(request)
    with office.store.reading() as connection:
        on_record = norms_on_record(connection)
        own = own_players(caller_of(request), connection, {norm.player for norm in on_record})
        kept = [norm for norm in on_record if norm.player in own]
        norms = sorted(kept, key=lambda norm: (norm.last_day, norm.norm), reverse=True)
        on_page, number, pages = paginate(norms, page_number(request.query_params.get("page", "1")), SHOWN)
        names = load_people(connection, {norm.player for norm in on_page})
        proposals = acts.proposals.function(Reading(office, connection, caller)).proposals
    chosen = request.query_params.getall("player", [""])[-1]  # that of a radio button comes after the text
    person, checks, player = None, [], 0
    try:
        player = parse_integer(picked_value(request, "player", chosen, "player"), "player") if chosen else 0
    except Unclear as unclear:
        refuse(request, unclear, {"player": [chosen]}, "/desk/titles", choices=unclear.choices)
    if player:
        titles = perform(acts.next_titles, office, caller, {"player": player}).titles
        with office.store.reading() as connection:
            person = known_player(connection, player)
        checks = [(check, requirement_rows(check.requirements, words)) for check in titles]
    return page(
        request, "titles/desk.html", norms=on_page, names=names, proposals=proposals, person=person, checks=checks,
        fact_names=APPLICATION_FACTS, page_number=number, pages=pages,
        address=lambda to: f"/desk/titles?page={to}",
    )  # fmt: skip
