"""The inbox of officers for their programs: the waiting reports, and acceptance of all that are clean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, get, post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.model.cursors import Cursor, parse_cursor
from arpad.office.inbox.accept import accept_many
from arpad.office.inbox.clean_reports import clean_reports, finding_counts
from arpad.office.inbox.pages import MOST_ACCEPTED, federations_of
from arpad.office.inbox.results import Accepted
from arpad.office.reports.page_rows import reports_page, waiting_without_errors
from arpad.office.reports.pages import officers_own
from arpad.office.users import Role, User
from arpad.web.api.cursors import After
from arpad.web.api.parameters import Note
from arpad.web.api.responses import answers
from arpad.web.auth import scope
from arpad.web.desk import desk_of, worker
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
AT_ONCE = 50
SECURED: dict[str, Any] = {"opt": scope("decide"), "security": [{"token": []}]}

Reports = Annotated[
    list[int],
    QueryParameter(
        description="The number of a report, once for each.",
        examples=[Example(value=[1])],
        min_items=1,
        max_items=MOST_ACCEPTED,
    ),
]


@dataclass
class WaitingOut:
    """A report that waits for an officer."""

    report: int
    name: str
    federation: str
    list: str | None
    sender: str
    received: str
    first_day: str | None
    last_day: str | None
    players: int
    rounds: int
    errors: int
    warnings: int


@dataclass
class InboxOut:
    """A page of the waiting reports, the latest first."""

    reports: Sequence[WaitingOut]
    next: str
    more: bool


@dataclass
class CleanOut:
    """A waiting report that could be accepted as it is."""

    report: int
    name: str
    newcomers: int
    warnings: int


@dataclass
class CleanReportsOut:
    """The waiting reports without errors and doubtful players."""

    reports: Sequence[CleanOut]


@dataclass
class LeftOut:
    """A report that stays in the inbox."""

    report: int
    code: str
    detail: str


@dataclass
class LateOut:
    """An accepted report whose event belongs to a closed year of draughts, and how it can be rated in that year."""

    report: int
    code: str
    message: str


@dataclass
class AcceptedOut:
    """The reports that were accepted, those that stay in the inbox, and accepted ones that come too late."""

    accepted: Sequence[int]
    left: Sequence[LeftOut]
    late: Sequence[LateOut]


def _officer(request: Asked) -> User:
    user = worker(request)
    if not user.has(Role.OFFICER):
        raise Refused(403, "not-yours")
    return user


@get(
    "/inbox", sync_to_thread=True, summary="Waiting reports", **SECURED,
    responses=answers(InboxOut, "GET /api/v1/inbox", 400, 401, 403, 404),
)  # fmt: skip
def list_inbox(request: Asked, after: After = "") -> InboxOut:
    """The reports that wait for an officer, with their errors and warnings, the latest first."""
    office, user = require_office(request), _officer(request)
    federations = federations_of(user)
    with office.store.reading() as connection:
        shown = reports_page(
            connection, 1, AT_ONCE, author=None if "" in federations else user.login, federations=federations,
            waiting=True, older=parse_cursor(after).item if after else None,
        )  # fmt: skip
        counts = finding_counts(connection, [filed for filed, _ in shown.reports])
    listed = [
        WaitingOut(
            it.id, it.name, it.federation, None if it.undecided else str(it.list), sender, str(it.received),
            str(it.first_day) if it.first_day else None, str(it.last_day) if it.last_day else None, it.players,
            it.rounds, counts[it.id].errors, counts[it.id].warnings,
        )
        for it, sender in shown.reports
    ]  # fmt: skip
    return InboxOut(listed, str(Cursor(listed[-1].report)) if listed else after, shown.pages > 1)


@get(
    "/inbox/clean", sync_to_thread=True, summary="Reports that can be accepted", **SECURED,
    responses=answers(CleanReportsOut, "GET /api/v1/inbox/clean", 401, 403, 404),
)  # fmt: skip
def list_clean_reports(request: Asked) -> CleanReportsOut:
    """The waiting reports that could be accepted as they are; nothing is written."""
    office, user = require_office(request), _officer(request)
    with office.store.reading() as connection:
        numbers = waiting_without_errors(connection, federations_of(user), MOST_ACCEPTED)
    clean = clean_reports(office, numbers)
    return CleanReportsOut([CleanOut(it.filed.id, it.filed.name, it.newcomers, it.warnings) for it in clean])


@post(
    "/inbox/accept", status_code=200, sync_to_thread=True, summary="Accept several reports", **SECURED,
    responses=answers(AcceptedOut, "POST /api/v1/inbox/accept", 400, 401, 403, 404),
)  # fmt: skip
def accept_reports(request: Asked, report: Reports, reason: Note = "") -> AcceptedOut:
    """Accept waiting reports; those with errors or doubtful players stay in the inbox."""
    for number in report:
        officers_own(request, number)
    words, office = words_for(request), desk_of(request)
    results = list(accept_many(office, sorted(set(report)), reason=reason, processes=1))
    return AcceptedOut(
        [it.report for it in results if isinstance(it, Accepted)],
        [
            LeftOut(it.report, it.error.code, words.error(it.error))
            for it in results
            if not isinstance(it, Accepted)
        ],
        [
            LateOut(it.report, finding.code, words.cited_finding(finding))
            for it in results
            if isinstance(it, Accepted)
            for finding in it.late
        ],
    )


ROUTES = (list_inbox, list_clean_reports, accept_reports)
