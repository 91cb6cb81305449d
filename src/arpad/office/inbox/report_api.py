"""Reports from programs: checked and rated on the spot; or, with a token, sent in and followed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Concatenate, ParamSpec

from litestar import Response, post
from litestar.concurrency import sync_to_thread
from litestar.openapi.spec import Example, OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import QueryParameter

from arpad.explain.documents import worded_document
from arpad.explain.norm_documents import ReportNormsDocument
from arpad.explain.rated_report import CheckedReportDocument, RatedPageDocument
from arpad.model.cursors import parse_cursor
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_among
from arpad.office.declared import Reading, perform
from arpad.office.inbox import jobs as looking
from arpad.office.inbox.acts import OwnReport, get_report, own_report, receipt_document
from arpad.office.inbox.jobs import run_job
from arpad.office.inbox.report_pages import send_upload
from arpad.office.office import Office
from arpad.office.reports.status import report_on_file
from arpad.office.users import arbiter
from arpad.rating.norm_arguments import norm_options
from arpad.reports.event_facts import EventFacts, read_facts
from arpad.web.api.responses import After, Format, answers
from arpad.web.declared_routes import FORMATS, MEDIA_TYPES, add_media_types
from arpad.web.limited_process import Bounds, OfficeLocation, bounds
from arpad.web.reader import COSTLY, PUBLIC, caller_of, permitted, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import settings_of
from arpad.web.uploads import Upload, clean_name

P = ParamSpec("P")

EXAMPLE = (
    "012 Open\n042 2018/04/28\n052 2018/04/28\n001    1 m    Rossi, Mario                      2000 ITA\n"
)


@dataclass
class Described(Operation):
    """The body is the file itself, whatever its format."""

    def __post_init__(self) -> None:
        """Describe it in the OpenAPI document."""
        text = OpenAPIMediaType(schema=Schema(type="string", format="binary"), example=EXAMPLE)  # type: ignore[arg-type]  # the library writes the example as it is
        self.request_body = RequestBody(
            description="The file itself, as it is.",
            content={"application/octet-stream": text},
            required=True,
        )


@dataclass
class DescribedList(Described):
    """The answer is a list in one of three formats."""

    def __post_init__(self) -> None:
        """Describe it in the OpenAPI document."""
        super().__post_init__()
        add_media_types(self)


FileName = Annotated[
    str, QueryParameter(description="The file's name.", max_length=120, examples=[Example(value="open.trf")])
]
Facts = Annotated[
    str,
    QueryParameter(
        description="What the report does not say, as TOML (see the reference).",
        max_length=4000,
        examples=[Example(value="registered = 2018-04-01")],
    ),
]


_KEY = "The key of a proposed correction, or all."
Applied = Annotated[str, QueryParameter(description=_KEY, max_length=120, examples=[Example(value="all")])]
Replaces = Annotated[
    int | None,
    QueryParameter(
        description="A report of one's own that this one corrects.",
        ge=1,
        le=2**31 - 1,
        examples=[Example(value=7)],
    ),
]


def _norm_text(description: str, example: str) -> Any:
    return QueryParameter(
        description=description, max_length=40, examples=[Example(summary=example, value=example)]
    )


NormTitles = Annotated[
    list[str] | None,
    QueryParameter(
        description="GM, IM, WGM or WIM, within reach or not; default: the titles within reach.",
        examples=[Example(value=["WIM"])],
        max_items=4,
    ),
]
NormSystem = Annotated[
    str | None,
    _norm_text(
        "swiss, round-robin, double-round-robin, team or knockout; default: as the report shows.", "swiss"
    ),
]
NormKind = Annotated[
    str | None,
    _norm_text(
        "world-team, world-cup, national-championship, national-team or zonal.", "national-championship"
    ),
]
NormHost = Annotated[str | None, _norm_text("The federation of the event.", "ITA")]
NormRounds = Annotated[str | None, _norm_text("The rounds of the event.", "9")]
NormEdition = Annotated[
    str | None, _norm_text("A title edition; default that of the first day.", "titles-2024")
]


async def _worked(
    request: WebRequest,
    name: str,
    facts: str,
    job: Callable[Concatenate[Bounds, Upload, Office | OfficeLocation | None, looking.Given, P], bytes],
    *arguments: P.args,
    **named: P.kwargs,
) -> bytes:
    sent = Upload(clean_name(name), await request.body())

    def work() -> bytes:
        event_facts = read_facts(facts) if facts.strip() else EventFacts()
        given = looking.Given(event_facts, words_for(request).language, settings_of(request).editions)
        return run_job(bounds("visitor"), sent, None, job, given, *arguments, **named)

    return await sync_to_thread(work)


@post(
    "/check", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Check a report",
    responses=answers(CheckedReportDocument, "POST /api/v1/check", 400, 422, 503),
)  # fmt: skip
async def check_report(
    request: WebRequest, name: FileName = "report.trf", facts: Facts = ""
) -> Response[bytes]:
    """Check a report, and propose corrections; nothing is stored."""
    data = await _worked(request, name, facts, looking.check_document)
    return Response(data, media_type="application/json")


@post(
    "/check/corrected", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Correct a report",
    media_type="application/octet-stream",
    responses=answers(
        bytes, "POST /api/v1/check/corrected", 400, 422, 503,
        file=("The corrected file", "application/octet-stream"),
    ),
)  # fmt: skip
async def correct_report(
    request: WebRequest, name: FileName = "report.trf", apply: Applied = "all"
) -> Response[bytes]:
    """The report with the corrections that a check proposes: all, or the one whose key is given."""
    data = await _worked(request, name, "", looking.corrected_file, apply)
    return Response(data, media_type="application/octet-stream")


@post(
    "/rate", opt=PUBLIC | COSTLY, status_code=200, operation_class=DescribedList, summary="Rate a report",
    responses=answers(RatedPageDocument, "POST /api/v1/rate", 400, 422, 503),
)  # fmt: skip
async def rate_report(
    request: WebRequest,
    name: FileName = "report.trf",
    facts: Facts = "",
    after: After = "",
    format: Format = "json",  # noqa: A002  the name that every list has
) -> Response[bytes]:
    """Rate a report: the change of every player and game, with the findings; nothing is stored.

    A very large report comes in pages.
    """
    shape = check_among(format, "format", FORMATS)
    data = await _worked(request, name, facts, looking.rated_document, parse_cursor(after), shape)
    return Response(data, media_type=MEDIA_TYPES[shape])


@post(
    "/norms", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Title norms of a report",
    responses=answers(ReportNormsDocument, "POST /api/v1/norms", 400, 404, 422, 503),
)  # fmt: skip
async def find_report_norms(
    request: WebRequest,
    name: FileName = "report.trf",
    facts: Facts = "",
    title: NormTitles = None,
    system: NormSystem = None,
    kind: NormKind = None,
    host: NormHost = None,
    rounds: NormRounds = None,
    edition: NormEdition = None,
) -> Response[bytes]:
    """Find the title norms of a report: with which games, or which requirement failed; nothing is stored."""
    if edition is not None and edition.endswith(".toml"):
        raise BadInput("value-unknown", option="edition", value=edition, accepted="titles-2024")
    options = norm_options(
        edition=edition, system=system, kind=kind, host=host, rounds=rounds, titles=title or (),
        editions=settings_of(request).title_editions,
    )  # fmt: skip
    data = await _worked(request, name, facts, looking.norms_document, options)
    return Response(data, media_type="application/json")


@post(
    "/reports", status_code=201, operation_class=Described, summary="Send a report in",
    opt=permitted(arbiter("submit")), security=[{"token": []}],
    responses=answers(OwnReport, "POST /api/v1/reports", 400, 401, 403, 404, 409, 422, 503, status=201),
)  # fmt: skip
async def submit_report(
    request: WebRequest, name: FileName = "report.trf", facts: Facts = "", replaces: Replaces = None
) -> Response[Any]:
    """Submit a report, or a correction of another one; the same bytes twice change nothing."""
    data = await request.body()

    def work() -> Response[Any]:
        event_facts = read_facts(facts) if facts.strip() else None
        if replaces is not None:  # one's own: programs do not learn which others there are
            perform(get_report, require_office(request), caller_of(request), {"number": replaces})
        sent = send_upload(request, Upload(clean_name(name), data), event_facts, replaces)
        with require_office(request).store.reading() as connection:
            reading = Reading(require_office(request), connection, caller_of(request))
            filed = report_on_file(connection, sent.report)
            shown = own_report(connection, filed, sent.findings, again=sent.again)
            shown = replace(shown, receipt=receipt_document(reading, sent.report))
        return Response(worded_document(shown, words_for(request)), status_code=201)

    return await sync_to_thread(work)
