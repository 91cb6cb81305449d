"""Reports from programs: checked and rated on the spot; or, with a token, sent in and followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Concatenate, ParamSpec, TypeAlias

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.openapi.spec import Example, OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import QueryParameter
from sqlalchemy import Connection

from arpad.explain.documents import finding_document
from arpad.explain.norm_documents import ReportNormsDocument
from arpad.explain.words import Words
from arpad.model.canonical_json import load
from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.model.json_values import to_finding
from arpad.model.rules import Edition, Finding
from arpad.office.inbox import jobs as looking
from arpad.office.inbox.check_report import check as check_with_office
from arpad.office.inbox.decided_report import decided_report
from arpad.office.inbox.jobs import run_job
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.inbox.receipts import receipt_out
from arpad.office.office import Office
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import decisions_in_force
from arpad.office.reports.history import errors_set_aside, report_history
from arpad.office.reports.page_rows import reports_page
from arpad.office.reports.pages import refuse_others
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED
from arpad.rating.norm_arguments import norm_options
from arpad.reports.event_facts import EventFacts, read_facts
from arpad.store import ledger
from arpad.web.api.cursors import After
from arpad.web.api.parameters import ReportNumber
from arpad.web.api.responses import answers, csv_answers, file_answers, to_schema
from arpad.web.api.schemas import (
    CheckOut,
    RatedOut,
    ReceiptOut,
    StatusOut,
    SubmissionOut,
    SubmissionsOut,
)
from arpad.web.auth import COSTLY, PUBLIC, scope
from arpad.web.cost_limits import Bounds, bounds
from arpad.web.desk import desk_of, worker
from arpad.web.language import words_for
from arpad.web.limited_process import OfficeLocation
from arpad.web.refusals import Refused
from arpad.web.requests import require_office
from arpad.web.site_settings import settings_of
from arpad.web.uploads import Upload, clean_name

Asked = Request[Any, Any, Any]
P = ParamSpec("P")
Editions: TypeAlias = Sequence[Edition[Any]]

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
    request: Asked,
    name: str,
    facts: str,
    job: Callable[
        Concatenate[Bounds, Upload, Office | OfficeLocation | None, EventFacts, str, Editions, P], bytes
    ],
    *arguments: P.args,
    **named: P.kwargs,
) -> bytes:
    sent = Upload(clean_name(name), await request.body())

    def work() -> bytes:
        event_facts = read_facts(facts) if facts.strip() else EventFacts()
        language, editions = words_for(request).language, settings_of(request).editions
        return run_job(
            bounds("visitor"), sent, None, job, event_facts, language, editions, *arguments, **named
        )

    return await sync_to_thread(work)


@post(
    "/check", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Check a report",
    responses=answers(CheckOut, "POST /api/v1/check", 400, 422, 503),
)  # fmt: skip
async def check_report(request: Asked, name: FileName = "report.trf", facts: Facts = "") -> Response[bytes]:
    """Check a report, and propose corrections; nothing is stored."""
    data = await _worked(request, name, facts, looking.check_document)
    return Response(data, media_type="application/json")


@post(
    "/check/corrected", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Correct a report",
    media_type="application/octet-stream",
    responses=file_answers("POST /api/v1/check/corrected", "The corrected file", 400, 422, 503),
)  # fmt: skip
async def correct_report(
    request: Asked, name: FileName = "report.trf", apply: Applied = "all"
) -> Response[bytes]:
    """The report with the corrections that a check proposes: all, or the one whose key is given."""
    data = await _worked(request, name, "", looking.corrected_file, apply)
    return Response(data, media_type="application/octet-stream")


@post(
    "/rate", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Rate a report",
    responses=answers(RatedOut, "POST /api/v1/rate", 400, 422, 503),
)  # fmt: skip
async def rate_report(
    request: Asked, name: FileName = "report.trf", facts: Facts = "", after: After = ""
) -> Response[bytes]:
    """Rate a report: the change of every player and game, with the findings; nothing is stored.

    A very large report comes in pages.
    """
    data = await _worked(request, name, facts, looking.rated_document, parse_cursor(after))
    return Response(data, media_type="application/json")


@post(
    "/norms", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, summary="Title norms of a report",
    responses=answers(ReportNormsDocument, "POST /api/v1/norms", 400, 404, 422, 503),
)  # fmt: skip
async def find_report_norms(
    request: Asked,
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
    "/rate.csv", opt=PUBLIC | COSTLY, status_code=200, operation_class=Described, media_type="text/csv",
    responses=csv_answers("POST /api/v1/rate.csv", 400, 422, 503),
    summary="Rate a report, as CSV",
)  # fmt: skip
async def rate_report_csv(
    request: Asked, name: FileName = "report.trf", facts: Facts = ""
) -> Response[bytes]:
    """One row for each player."""
    return Response(await _worked(request, name, facts, looking.rated_csv), media_type="text/csv")


# -------------------------------------------------------------------------------------------------- submissions

SECURED: dict[str, Any] = {"opt": scope("submit"), "security": [{"token": []}]}
SENT = "/api/v1/reports"
AT_ONCE = 50


def submission_out(
    connection: Connection, filed: Filed, findings: tuple[Finding, ...], words: Words, *, again: bool
) -> SubmissionOut:
    """Return a report on file with its findings and history."""
    entries = report_history(connection, filed.id)
    history = [
        StatusOut(
            item.status or ("revoked" if item.revoked else "decided"), item.act.at[:10], item.act.reason,
            item.decision.kind if item.decision else None, item.facts,
        )
        for item in entries
    ]  # fmt: skip
    # who the entrants of an accepted report are was settled when it was accepted
    settled = DOUBTS if any(item.status == ACCEPTED for item in entries) else frozenset()
    return SubmissionOut(
        filed.id, filed.status, None if filed.undecided else str(filed.list), filed.name,
        str(filed.first_day) if filed.first_day else None,
        str(filed.last_day) if filed.last_day else None, str(filed.received), filed.replaces, again,
        [finding_document(finding, words) for finding in findings if finding.code not in settled], history,
        set_aside=sorted(errors_set_aside(entries)),
    )  # fmt: skip


def stored_findings(filed: Filed) -> tuple[Finding, ...]:
    """Return the findings of a report when it was filed."""
    return tuple(to_finding(entry) for entry in load(filed.findings))


def _own(connection: Connection, request: Asked, number: int) -> Filed:
    """Return a report that the token's user submitted."""
    filed = rows.filed(connection, [number]).get(number)
    if filed is None or ledger.act(connection, filed.act).author != worker(request).login:
        raise Refused(404, "no-tournament")
    return filed


@post(
    "/reports", status_code=201, operation_class=Described, summary="Send a report in", **SECURED,
    responses=answers(SubmissionOut, f"POST {SENT}", 400, 401, 403, 404, 409, 422, 503, status=201),
)  # fmt: skip
async def submit_report(
    request: Asked, name: FileName = "report.trf", facts: Facts = "", replaces: Replaces = None
) -> SubmissionOut:
    """Submit a report, or a correction of another one; the same bytes twice change nothing."""
    data = await request.body()

    def work() -> SubmissionOut:
        office = desk_of(request)
        if replaces is not None:
            with office.store.reading() as connection:
                _own(connection, request, replaces)
        event_facts = read_facts(facts) if facts.strip() else None
        sent = Upload(clean_name(name), data)
        submission = run_job(
            bounds("signed_in"), sent, office, looking.submit_upload, event_facts, replaces, among_own=True
        )
        with office.store.reading() as connection:
            if submission.again:
                refuse_others(connection, worker(request), submission.report)
            filed = rows.filed(connection, [submission.report])[submission.report]
            sent_in = submission_out(
                connection, filed, submission.findings, words_for(request), again=submission.again
            )
        return replace(sent_in, receipt=receipt_out(office, submission.report))

    return await sync_to_thread(work)


@get(
    "/reports", sync_to_thread=True, summary="What was sent in", **SECURED,
    responses=answers(SubmissionsOut, f"GET {SENT}", 400, 401, 403, 404),
)  # fmt: skip
def list_submissions(request: Asked, after: After = "") -> SubmissionsOut:
    """The reports that the token's user submitted, the latest first."""
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        older = parse_cursor(after).item if after else None
        shown = reports_page(connection, 1, AT_ONCE, author=worker(request).login, older=older)
        listed = [
            submission_out(connection, filed, stored_findings(filed), words, again=False)
            for filed, _ in shown.reports
        ]
    following = str(Cursor(listed[-1].report)) if listed else after
    return SubmissionsOut(listed, following, shown.pages > 1)


@get(
    "/reports/{number:int}", sync_to_thread=True, summary="One submission", **SECURED,
    responses=answers(SubmissionOut, f"GET {SENT}/{{number}}", 401, 403, 404),
)  # fmt: skip
def get_submission(request: Asked, number: ReportNumber) -> SubmissionOut:
    """The status of a report, with the officer's reasons."""
    office = require_office(request)
    with office.store.reading() as connection:
        filed = _own(connection, request, number)
        return submission_out(connection, filed, stored_findings(filed), words_for(request), again=False)


@get(
    "/reports/{number:int}/receipt", sync_to_thread=True, summary="The receipt for a submission", **SECURED,
    responses=answers(ReceiptOut, f"GET {SENT}/{{number}}/receipt", 401, 403, 404),
)  # fmt: skip
def get_submission_receipt(request: Asked, number: ReportNumber) -> ReceiptOut:
    """The proof that the office took a report in, under the checkpoint of now."""
    office = require_office(request)
    with office.store.reading() as connection:
        _own(connection, request, number)
    receipt = receipt_out(office, number)
    if receipt is None:
        raise Refused(404, "no-receipt")
    return receipt


@get(
    "/reports/{number:int}/preview", sync_to_thread=True, summary="What a submission would change", **SECURED,
    responses=answers(RatedOut, f"GET {SENT}/{{number}}/preview", 400, 401, 403, 404),
)  # fmt: skip
def preview_submission(request: Asked, number: ReportNumber, after: After = "") -> RatedOut:
    """The change of every player with today's ratings and decisions; chess only."""
    office = require_office(request)
    with office.store.reading() as connection:
        filed = _own(connection, request, number)
        checked = check_with_office(
            connection, *decided_report(connection, filed, decisions_in_force(connection))
        )
    if checked.rated is None:
        raise Refused(404, "no-preview")
    rated = replace(checked.rated, findings=checked.findings)
    return to_schema(RatedOut, looking.document_page(rated, words_for(request), parse_cursor(after)))


ROUTES = (
    check_report,
    correct_report,
    rate_report,
    find_report_norms,
    rate_report_csv,
    submit_report,
    list_submissions,
    get_submission,
    preview_submission,
    get_submission_receipt,
)
