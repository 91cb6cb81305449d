"""The inbox of officers for their programs: the waiting reports, and acceptance of all that are clean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get

from arpad.model.cursors import Cursor, parse_cursor
from arpad.office.inbox.accept import MOST_ACCEPTED
from arpad.office.inbox.clean_reports import clean_reports, finding_counts
from arpad.office.inbox.pages import federations_of
from arpad.office.reports.page_rows import reports_page, waiting_without_errors
from arpad.office.users import Role, User
from arpad.web.api.cursors import After
from arpad.web.api.responses import answers
from arpad.web.auth import scope
from arpad.web.desk import worker
from arpad.web.refusals import Refused
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
AT_ONCE = 50
SECURED: dict[str, Any] = {"opt": scope("decide"), "security": [{"token": []}]}


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


ROUTES = (list_inbox, list_clean_reports)
