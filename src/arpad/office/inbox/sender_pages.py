"""The desk of an arbiter: the reports they sent, by what happens next with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from litestar import Response
from sqlalchemy import Connection

from arpad.office.drafts.procedures import next_list_day
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.office import Office, today
from arpad.office.reports import rows
from arpad.office.reports.page_rows import ReportFilter, rating_publications, reports_page
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN
from arpad.office.users import User
from arpad.store import ledger
from arpad.web.requests import WebRequest
from arpad.web.templates import page

MOST_SHOWN = 50
SECTIONS = ((RETURNED, "to-correct"), (RECEIVED, "sent"), (ACCEPTED, "accepted"))
CLOSED = (WITHDRAWN, SUPERSEDED)


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report of a sender, with what the sender must know about it."""

    filed: Filed
    reason: str = ""
    """Why it was returned."""

    published: Publication | None = None
    """The list that rates it."""

    next_day: date | None = None
    """The day of the next list, for an accepted report that no list rates yet."""


@dataclass(frozen=True, slots=True)
class Section:
    """The reports of a sender in one status."""

    key: str
    reports: Sequence[SentReport]
    more: bool
    """Whether there are more than are shown."""


def sender_page(request: WebRequest, office: Office, user: User) -> Response[str]:
    """Show an arbiter their reports: to correct, sent, accepted."""
    with office.store.reading() as connection:
        day = today(office, connection)
        sections = [_section(connection, user, status, key, day) for status, key in SECTIONS]
        closed = [
            report for status in CLOSED for report in _section(connection, user, status, "", day).reports
        ]
    return page(request, "inbox/sender.html", sections=sections, closed=closed)


def _section(connection: Connection, user: User, status: str, key: str, day: date) -> Section:
    shown = reports_page(connection, 1, MOST_SHOWN, author=user.login, chosen=ReportFilter(status=status))
    filed = [report for report, author in shown.reports if author == user.login]
    published = rating_publications(connection, [report.id for report in filed]) if filed else {}
    days: dict[str, date] = {}
    reports = [_sent_report(connection, report, published, days, day) for report in filed]
    return Section(key, reports, shown.pages > 1)


def _sent_report(
    connection: Connection,
    filed: Filed,
    published: Mapping[int, Sequence[Publication]],
    days: dict[str, date],
    day: date,
) -> SentReport:
    if filed.status == RETURNED:
        return SentReport(filed, reason=return_reason(connection, filed.id))
    rated_in = published.get(filed.id) or ()
    if filed.status != ACCEPTED or rated_in:
        return SentReport(filed, published=rated_in[-1] if rated_in else None)
    if filed.list not in days:
        last = newest(all_publications(connection, filed.list))
        days[filed.list] = next_list_day(connection, filed.list, last, day)
    return SentReport(filed, next_day=days[filed.list])


def return_reason(connection: Connection, number: int) -> str:
    """Return why a report was last returned to its sender; empty if it never was."""
    returned = [act for status, act in rows.history(connection, number) if status == RETURNED]
    return ledger.act(connection, returned[-1]).reason if returned else ""
