"""The players behind the entrants of a report, for officers' programs: candidates, decisions, acceptance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from litestar import get, post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.office.inbox.accept import accept
from arpad.office.inbox.closed_years import CLOSED_YEAR
from arpad.office.inbox.entrant_decisions import decide_entrants, match_report, read_matches
from arpad.office.inbox.match_documents import match_document
from arpad.office.inbox.report_api import SENT, Asked, officers_office, stored_findings, submission_out
from arpad.office.office import Office
from arpad.office.reports import rows
from arpad.web.api.parameters import Note, ReportNumber
from arpad.web.api.responses import answers, to_schema
from arpad.web.api.schemas import MatchesOut, MatchOut, SubmissionOut
from arpad.web.auth import scope
from arpad.web.language import words_for

Decided = Annotated[
    list[str],
    QueryParameter(
        description="NUMBER=PLAYER, once for each entrant: a start number and a player of the register, fide:NUMBER "
        "for one of the reference list, who is then entered, new, or open.",
        examples=[Example(value=["8=new"])],
        min_items=1,
        max_items=500,
    ),
]
Change = Annotated[
    bool,
    QueryParameter(description="Whether to change what was decided before.", examples=[Example(value=False)]),
]
Overruled = Annotated[
    list[str] | None,
    QueryParameter(
        description="Codes of errors to overrule; needs a reason.",
        max_items=40,
        examples=[Example(value=["count-of-players"])],
    ),
]
InPlaceOf = Annotated[
    int | None,
    QueryParameter(
        description="The report with the same games that this one replaces.",
        ge=1,
        le=2**31 - 1,
        examples=[Example(value=7)],
    ),
]


Means = Annotated[
    list[str] | None,
    QueryParameter(
        description="CODE=CLUB, once for each code that means a club with another code.",
        max_items=100,
        examples=[Example(value=["COR=CORK"])],
    ),
]


@dataclass
class MemberOut:
    """A player who became a member of a club."""

    player: int
    club: str


@dataclass
class ReportClubsOut:
    """The new members of clubs, and the codes of which the register has no club."""

    report: int
    members: Sequence[MemberOut]
    unknown: Sequence[str]


def _matches(office: Office, number: int) -> MatchesOut:
    filed, checked = match_report(office, number)
    matches = [to_schema(MatchOut, match_document(match)) for match in checked.matches]
    return MatchesOut(number, filed.status, sum(match.undecided for match in checked.matches), matches)


@get(
    "/submissions/{number:int}/matches", sync_to_thread=True, summary="Who the entrants are",
    opt=scope("decide"), security=[{"token": []}],
    responses=answers(MatchesOut, f"GET {SENT}/{{number}}/matches", 401, 403, 404),
)  # fmt: skip
def list_matches(request: Asked, number: ReportNumber) -> MatchesOut:
    """Every entrant of a report: certain, doubtful with ranked candidates, or new; for officers."""
    return _matches(officers_office(request, number), number)


@post(
    "/submissions/{number:int}/matches", status_code=201, sync_to_thread=True, summary="Decide who entrants are",
    opt=scope("decide"), security=[{"token": []}],
    responses=answers(MatchesOut, f"POST {SENT}/{{number}}/matches", 400, 401, 403, 404, status=201),
)  # fmt: skip
def decide_matches(
    request: Asked, number: ReportNumber, entrant: Decided, *, change: Change = False, reason: Note = ""
) -> MatchesOut:
    """Decide who entrants of a received report are; the token's user is the officer.

    What is decided is remembered for later reports. What was decided before stays, unless ``change`` is true.
    """
    office = officers_office(request, number)
    decide_entrants(office, number, read_matches(entrant), change=change, reason=reason)
    return _matches(office, number)


@post(
    "/submissions/{number:int}/accept", status_code=201, sync_to_thread=True, summary="Accept a submission",
    opt=scope("decide"), security=[{"token": []}],
    responses=answers(SubmissionOut, f"POST {SENT}/{{number}}/accept", 400, 401, 403, 404, status=201),
)  # fmt: skip
def accept_submission(
    request: Asked,
    number: ReportNumber,
    overrule: Overruled = None,
    replaces: InPlaceOf = None,
    reason: Note = "",
) -> SubmissionOut:
    """Accept a report for the next list; refused while an entrant is doubtful."""
    office = officers_office(request, number)
    if replaces is not None:
        officers_office(request, replaces)
    accepted = accept(office, number, overrule=overrule or (), replaces=replaces, reason=reason)
    with office.store.reading() as connection:
        filed = rows.filed(connection, [number])[number]
        stored = [it for it in stored_findings(filed) if not it.code.startswith(CLOSED_YEAR)]
        return submission_out(connection, filed, (*stored, *accepted.late), words_for(request), again=False)


ROUTES = (list_matches, decide_matches, accept_submission)
