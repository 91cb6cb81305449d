"""Reports from programs: checked and rated on the spot; or, with a token, sent in and followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example, OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import PathParameter, QueryParameter

from arpad import office as verbs
from arpad.facts import EventFacts, read_facts
from arpad.formats import read_report
from arpad.model import Finding
from arpad.papers.rated import csv_text, document, finding_document
from arpad.rate import RatedReport, rate
from arpad.store import reports as rows
from arpad.store.reports import Filed
from arpad.store.values import load, to_finding
from arpad.web import queries
from arpad.web.access import PUBLIC, scope
from arpad.web.api.models import (
    CheckOut,
    FindingOut,
    RatedOut,
    SubmissionOut,
    SubmissionsOut,
    made,
    refusals,
)
from arpad.web.desk import desk_of, worker
from arpad.web.errors import Refused
from arpad.web.language import say_of
from arpad.web.uploads import clean_name
from arpad.web.visiting import office_here

Asked = Request[Any, Any, Any]
T = TypeVar("T")

EXAMPLE = (
    "012 Open\n042 2018/04/28\n052 2018/04/28\n001    1 m    Rossi, Mario                      2000 ITA\n"
)


class _Described(Operation):
    """The body is the file itself, whatever its format."""

    def __post_init__(self) -> None:
        """Say so in the OpenAPI document."""
        text = OpenAPIMediaType(schema=Schema(type="string", format="binary"), example=EXAMPLE)  # type: ignore[arg-type]
        self.request_body = RequestBody(content={"application/octet-stream": text}, required=True)


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


async def _rated(request: Asked, name: str, facts: str, then: Callable[[RatedReport], T]) -> T:
    data = await request.body()

    def work() -> T:
        known = read_facts(facts) if facts.strip() else EventFacts()
        return then(rate(read_report(data, clean_name(name)), facts=known))

    return await sync_to_thread(work)


@post(
    "/check", opt=PUBLIC, responses=refusals(400), status_code=200, operation_class=_Described, summary="Check a report"
)  # fmt: skip
async def check(request: Asked, name: FileName = "report.trf", facts: Facts = "") -> CheckOut:
    """Everything there is to say against a report; nothing is kept."""
    say = say_of(request)
    return await _rated(request, name, facts, lambda rated: made(CheckOut, document(rated, say)))


@post(
    "/rate", opt=PUBLIC, responses=refusals(400), status_code=200, operation_class=_Described, summary="Rate a report"
)  # fmt: skip
async def rate_report(request: Asked, name: FileName = "report.trf", facts: Facts = "") -> RatedOut:
    """The change of every player and every game, with the findings; nothing is kept."""
    say = say_of(request)
    return await _rated(request, name, facts, lambda rated: made(RatedOut, document(rated, say)))


@post(
    "/rate.csv", opt=PUBLIC, status_code=200, operation_class=_Described, media_type="text/csv",
    responses={
        200: ResponseSpec(str, generate_examples=False, description="A CSV file", media_type="text/csv"),
        **refusals(400),
    },
    summary="Rate a report, as CSV",
)  # fmt: skip
async def rate_csv(request: Asked, name: FileName = "report.trf", facts: Facts = "") -> Response[str]:
    """One row a player."""
    say = say_of(request)
    text = await _rated(request, name, facts, lambda rated: csv_text(rated, say))
    return Response(text, media_type="text/csv")


# -------------------------------------------------------------------------------------------------- submissions


def _submission(filed: Filed, findings: tuple[Finding, ...], request: Asked, *, again: bool) -> SubmissionOut:
    say = say_of(request)
    return SubmissionOut(
        filed.id, filed.status, str(filed.list), filed.name, str(filed.first_day) if filed.first_day else None,
        str(filed.last_day) if filed.last_day else None, str(filed.received), again,
        [made(FindingOut, finding_document(finding, say)) for finding in findings],
    )  # fmt: skip


@post(
    "/submissions", opt=scope("submit"), responses=refusals(400, 401, 403, 404), status_code=201,
    operation_class=_Described, summary="Send a report in", security=[{"token": []}],
)  # fmt: skip
async def submit(request: Asked, name: FileName = "report.trf", facts: Facts = "") -> SubmissionOut:
    """File a report with the federation; the same bytes twice change nothing."""
    data = await request.body()

    def work() -> SubmissionOut:
        office = desk_of(request)
        known = read_facts(facts) if facts.strip() else None
        found = verbs.submit(office, data, clean_name(name), facts=known)
        with office.store.reading() as connection:
            filed = rows.filed(connection, [found.report])[found.report]
        return _submission(filed, found.findings, request, again=found.again)

    return await sync_to_thread(work)


@get(
    "/submissions", opt=scope("submit"), responses=refusals(401, 403, 404), sync_to_thread=True,
    summary="What was sent in", security=[{"token": []}],
)  # fmt: skip
def submissions(request: Asked) -> SubmissionsOut:
    """Everything that the token's user has sent, the latest first."""
    office = office_here(request)
    with office.store.reading() as connection:
        found = queries.sent_by(connection, worker(request).login)
    return SubmissionsOut([_submission(filed, _said(filed), request, again=False) for filed, _ in found])


def _said(filed: Filed) -> tuple[Finding, ...]:
    return tuple(to_finding(entry) for entry in load(filed.findings))


@get(
    "/submissions/{number:int}", opt=scope("submit"), responses=refusals(401, 403, 404), sync_to_thread=True,
    summary="One submission", security=[{"token": []}],
)  # fmt: skip
def submission(
    request: Asked,
    number: Annotated[int, PathParameter(description="The report's number.", ge=1, le=2**31 - 1)],
) -> SubmissionOut:
    """What became of a report."""
    office = office_here(request)
    with office.store.reading() as connection:
        mine = {filed.id: filed for filed, _ in queries.sent_by(connection, worker(request).login)}
    if number not in mine:
        raise Refused(404, "no-tournament")
    return _submission(mine[number], _said(mine[number]), request, again=False)


ROUTES = (check, rate_report, rate_csv, submit, submissions, submission)
