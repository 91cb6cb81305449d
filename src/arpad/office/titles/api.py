"""Titles for officers' programs: norms on record, what an application lacks, and the papers IT1, IT2 and IT3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.explain.certificates import (
    FACT_NAMES,
    CertificateFacts,
    NormCertificate,
    TournamentReport,
    certificate_of,
    read_facts,
    tournament_report,
)
from arpad.explain.norm_documents import ReportNormsDocument, report_norms_document
from arpad.explain.title_applications import ApplicationFacts, TitleApplication
from arpad.model.typed_values import parse_day
from arpad.office.office import Office
from arpad.office.register.acts import known_player
from arpad.office.reports.pages import officers_own
from arpad.office.titles.acts import (
    FiledNorms,
    check_titles,
    norms_of,
    norms_of_report,
    record_norm,
    record_norms,
    revoke_norm,
)
from arpad.office.titles.applications import APPLICATION_FACTS, title_application
from arpad.office.titles.documents import recorded_norm_document, title_check_document
from arpad.office.titles.pages import own_proposals
from arpad.office.titles.rows import RecordedNorm
from arpad.office.users import Role
from arpad.publishing.certificate_pdf import application_pdf, norm_pdf, tournament_pdf
from arpad.rating.norm_arguments import parse_title
from arpad.web.api.parameters import Note, Number
from arpad.web.api.responses import answers, pdf_answers, to_schema
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import for_all, office_of_officer, worker
from arpad.web.language import words_for
from arpad.web.refusals import Refused

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}
COSTLY_SECURED: dict[str, Any] = SECURED | {"opt": dict(scope("register")) | COSTLY}
REPORT = "/reports/{number:int}"
PLAYER = "/players/{number:int}"


def _query(description: str, example: Any, most: int = 200) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


Accepted = Annotated[
    int,
    PathParameter(
        description="The number of an accepted report.", ge=1, le=2**31 - 1, examples=[Example(value=1)]
    ),
]
Title = Annotated[
    str, PathParameter(description="GM, IM, WGM or WIM.", max_length=10, examples=[Example(value="GM")])
]
StartNumber = Annotated[
    int, PathParameter(description="The player's start number.", ge=1, le=99_999, examples=[Example(value=1)])
]
Facts = Annotated[
    list[str] | None,
    QueryParameter(
        description="A fact that the office lacks, as NAME=VALUE, once for each.",
        max_items=40,
        examples=[Example(value=["official=Bianchi, Anna"])],
    ),
]
Day = Annotated[str | None, _query("The day; default: today.", "2025-01-15", 40)]
Reached = Annotated[
    int | None,
    QueryParameter(
        description="A rating reached within a period.", ge=0, le=4000, examples=[Example(value=2500)]
    ),
]
Games = Annotated[
    int,
    QueryParameter(
        description="As how many games the norm counts.", ge=1, le=99, examples=[Example(value=9)]
    ),
]
SingleDays = Annotated[
    int, QueryParameter(description="Days with one round.", ge=0, le=99, examples=[Example(value=9)])
]


def _box(description: str) -> Any:
    return QueryParameter(description=description, examples=[Example(value=False)])


@dataclass
class RecordedNormOut:
    """A norm on record."""

    norm: int
    title: str
    event: str
    place: str
    first_day: str
    last_day: str
    edition: str
    games: int
    normal: bool
    special: bool
    by_bye: bool
    report: int | None


@dataclass
class ApplicationRequirementOut:
    """A requirement of an application; ``confidence`` says how surely the edition's value is known."""

    requirement: str
    article: str
    required: int
    actual: int
    met: bool
    confidence: str


@dataclass
class TitleCheckOut:
    """A title above those that a player holds: the norms that count, and what an application needs."""

    title: str
    edition: str
    complete: bool
    peak: int
    norms: Sequence[int]
    requirements: Sequence[ApplicationRequirementOut]


@dataclass
class PlayerTitlesOut:
    """The norms of a player, and what the next titles lack."""

    player: int
    norms: Sequence[RecordedNormOut]
    titles: Sequence[TitleCheckOut]


@dataclass
class RecordedOut:
    """The numbers of norms that were put on record."""

    norms: Sequence[int]


@dataclass
class RevokedNormOut:
    """A norm that was revoked."""

    norm: int


@dataclass
class ProposalOut:
    """A title that the rating gives to a player."""

    player: int
    name: str
    title: str
    rating: int
    edition: str
    article: str


@dataclass
class ProposalsOut:
    """The titles that the newest standard list gives by rating."""

    proposals: Sequence[ProposalOut]


def _players_office(request: Asked, number: int) -> Office:
    """Return the office if the officer may decide about this player."""
    office = office_of_officer(request)
    with office.store.reading() as connection:
        if not worker(request).may(Role.OFFICER, known_player(connection, number).federation):
            raise Refused(403, "bound-officer")
    return office


def _filed(request: Asked, number: int) -> FiledNorms:
    office = officers_own(request, number)
    with office.store.reading() as connection:
        return norms_of_report(connection, number)


def _certificate(
    request: Asked, number: int, entrant: int, title: str, fact: list[str] | None
) -> NormCertificate:
    facts = CertificateFacts(**read_facts(FACT_NAMES, fact or ()))
    return certificate_of(_filed(request, number).result, entrant, parse_title(title), facts)


def _tournament(request: Asked, number: int, fact: list[str] | None) -> TournamentReport:
    facts = CertificateFacts(**read_facts(FACT_NAMES, fact or ()))
    return tournament_report(_filed(request, number).result, facts, words_for(request))


def _application(
    request: Asked, number: int, title: str, fact: list[str] | None, on: str | None, reached: int | None
) -> TitleApplication:
    facts = ApplicationFacts(**read_facts(APPLICATION_FACTS, fact or ()))
    day = parse_day(on, "on") if on else None
    office = _players_office(request, number)
    return title_application(
        office, number, parse_title(title), words_for(request), facts, on=day, reached=reached
    )


def _pdf(data: bytes) -> Response[bytes]:
    return Response(data, media_type="application/pdf")


# ---------------------------------------------------------------------------------------------------- norms


@get(
    f"{PLAYER}/norms", summary="Norms of a player", **SECURED,
    responses=answers(PlayerTitlesOut, "GET /api/v1/players/{number}/norms", 400, 401, 403, 404),
)  # fmt: skip
def list_player_norms(
    request: Asked, number: Number, on: Day = None, reached: Reached = None
) -> PlayerTitlesOut:
    """The norms of a player on record, and what an application for each higher title lacks (B.01 1.5)."""
    office = _players_office(request, number)
    checks = check_titles(office, number, on=parse_day(on, "on") if on else None, reached=reached)
    return PlayerTitlesOut(
        number,
        [to_schema(RecordedNormOut, recorded_norm_document(norm)) for norm in norms_of(office, number)],
        [to_schema(TitleCheckOut, title_check_document(check)) for check in checks],
    )


@post(
    f"{PLAYER}/norms", status_code=201, summary="Enter a norm", **SECURED,
    responses=answers(RecordedOut, "POST /api/v1/players/{number}/norms", 400, 401, 403, 404, status=201),
)  # fmt: skip
def enter_norm(
    request: Asked,
    number: Number,
    title: Annotated[str, _query("GM, IM, WGM or WIM.", "IM", 10)],
    event: Annotated[str, _query("The tournament.", "Open di Roma")],
    first: Annotated[str, _query("Its first day.", "2024-03-01", 40)],
    last: Annotated[str, _query("Its last day.", "2024-03-09", 40)],
    games: Games,
    place: Annotated[str, _query("Where it was played.", "Roma")] = "",
    single_days: SingleDays = 0,
    *,
    exempt: Annotated[bool, _box("Made with an exemption from 1.4.3 or 1.4.4.")] = False,
    special: Annotated[bool, _box("The tournament is one of 1.5.6.")] = False,
    by_bye: Annotated[bool, _box("Eight games, after a forfeit win or a bye.")] = False,
    reason: Note = "",
) -> RecordedOut:
    """Put a norm that was made elsewhere on record."""
    office = _players_office(request, number)
    days = parse_day(first, "first"), parse_day(last, "last")
    norm = RecordedNorm(
        number, parse_title(title), event, place, *days, "", games, not exempt, single_days, special, by_bye
    )
    return RecordedOut([record_norm(office, norm, reason=reason)])


@post(
    "/norms/{norm:int}/revoke", status_code=200, summary="Revoke a norm", **SECURED,
    responses=answers(RevokedNormOut, "POST /api/v1/norms/{norm}/revoke", 400, 401, 403, 404),
)  # fmt: skip
def revoke_recorded_norm(
    request: Asked,
    norm: Annotated[
        int,
        PathParameter(description="The number of the norm.", ge=1, le=2**31 - 1, examples=[Example(value=1)]),
    ],
    reason: Annotated[str, _query("The reason, for the ledger.", "the tournament was not rated", 500)],
) -> RevokedNormOut:
    """Revoke a norm on record, for officers of all federations."""
    for_all(request)
    revoke_norm(office_of_officer(request), norm, reason)
    return RevokedNormOut(norm)


@get(
    f"{REPORT}/norms", summary="Norms of an accepted report", **COSTLY_SECURED,
    responses=answers(ReportNormsDocument, "GET /api/v1/reports/{number}/norms", 400, 401, 403, 404),
)  # fmt: skip
def list_report_norms(request: Asked, number: Accepted) -> ReportNormsDocument:
    """The title norms of an accepted report, by the edition of its first day in this office."""
    return report_norms_document(_filed(request, number).result, words_for(request))


@post(
    f"{REPORT}/norms", status_code=201, summary="Record the norms of a report", **COSTLY_SECURED,
    responses=answers(RecordedOut, "POST /api/v1/reports/{number}/norms", 400, 401, 403, 404, status=201),
)  # fmt: skip
def record_report_norms(request: Asked, number: Accepted, reason: Note = "") -> RecordedOut:
    """Put the norms of an accepted report on record, except those that are there."""
    return RecordedOut(record_norms(officers_own(request, number), number, reason=reason))


@get(
    "/title-proposals", summary="Titles by rating", **SECURED,
    responses=answers(ProposalsOut, "GET /api/v1/title-proposals", 401, 403, 404),
)  # fmt: skip
def list_title_proposals(request: Asked) -> ProposalsOut:
    """The titles that the newest standard list gives by rating (B.01 1.3)."""
    office_of_officer(request)
    return ProposalsOut([to_schema(ProposalOut, it.document()) for it in own_proposals(request)])


# --------------------------------------------------------------------------------------------------- papers


@get(
    f"{REPORT}/it1/{{entrant:int}}/{{title:str}}", summary="Certificate of a norm (IT1)", **COSTLY_SECURED,
    responses=answers(
        NormCertificate, "GET /api/v1/reports/{number}/it1/{entrant}/{title}", 400, 401, 403, 404
    ),
)  # fmt: skip
def get_norm_certificate(
    request: Asked, number: Accepted, entrant: StartNumber, title: Title, fact: Facts = None
) -> NormCertificate:
    """The certificate of a norm as data; ``missing`` names the facts to be asked for."""
    return _certificate(request, number, entrant, title, fact)


@get(
    f"{REPORT}/it1/{{entrant:int}}/{{title:str}}/it1.pdf", summary="Certificate of a norm as PDF", **COSTLY_SECURED,
    media_type="application/pdf",
    responses=pdf_answers("GET /api/v1/reports/{number}/it1/{entrant}/{title}/it1.pdf", 400, 401, 403, 404),
)  # fmt: skip
def get_norm_certificate_pdf(
    request: Asked, number: Accepted, entrant: StartNumber, title: Title, fact: Facts = None
) -> Response[bytes]:
    """The certificate of a norm as PDF."""
    return _pdf(norm_pdf(_certificate(request, number, entrant, title, fact), words_for(request)))


@get(
    f"{REPORT}/it3", summary="Tournament report (IT3)", **COSTLY_SECURED,
    responses=answers(TournamentReport, "GET /api/v1/reports/{number}/it3", 400, 401, 403, 404),
)  # fmt: skip
def get_tournament_paper(request: Asked, number: Accepted, fact: Facts = None) -> TournamentReport:
    """The report of a tournament as data; ``missing`` names the facts to be asked for."""
    return _tournament(request, number, fact)


@get(
    f"{REPORT}/it3.pdf", summary="Tournament report as PDF", media_type="application/pdf", **COSTLY_SECURED,
    responses=pdf_answers("GET /api/v1/reports/{number}/it3.pdf", 400, 401, 403, 404),
)  # fmt: skip
def get_tournament_paper_pdf(request: Asked, number: Accepted, fact: Facts = None) -> Response[bytes]:
    """The report of a tournament as PDF."""
    return _pdf(tournament_pdf(_tournament(request, number, fact), words_for(request)))


@get(
    f"{PLAYER}/it2/{{title:str}}", summary="Application for a title (IT2)", **COSTLY_SECURED,
    responses=answers(TitleApplication, "GET /api/v1/players/{number}/it2/{title}", 400, 401, 403, 404),
)  # fmt: skip
def get_title_application(
    request: Asked, number: Number, title: Title, fact: Facts = None, on: Day = None, reached: Reached = None
) -> TitleApplication:
    """The application of a player for a title as data; ``missing`` names the facts to be asked for."""
    return _application(request, number, title, fact, on, reached)


@get(
    f"{PLAYER}/it2/{{title:str}}/it2.pdf", summary="Application as PDF", media_type="application/pdf",
    responses=pdf_answers("GET /api/v1/players/{number}/it2/{title}/it2.pdf", 400, 401, 403, 404),
    **COSTLY_SECURED,
)  # fmt: skip
def get_title_application_pdf(
    request: Asked, number: Number, title: Title, fact: Facts = None, on: Day = None, reached: Reached = None
) -> Response[bytes]:
    """The application of a player for a title as PDF."""
    return _pdf(application_pdf(_application(request, number, title, fact, on, reached), words_for(request)))


ROUTES = (
    list_player_norms, enter_norm, revoke_recorded_norm, list_report_norms, record_report_norms, list_title_proposals,
    get_norm_certificate, get_norm_certificate_pdf, get_tournament_paper, get_tournament_paper_pdf,
    get_title_application, get_title_application_pdf,
)  # fmt: skip
