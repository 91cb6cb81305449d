"""Look up reports on file; return, withdraw and reinstate them."""

from __future__ import annotations

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.office import Office, record_act
from arpad.office.reports import rows
from arpad.office.reports.overlaps import overlaps_on_file
from arpad.office.reports.rows import Filed
from arpad.office.reports.sender_rows import queue_report_mails
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN


def reports_on_file(office: Office, *, status: str = "", on_list: ListName | None = None) -> list[Filed]:
    """Return the reports on file, only those of one status or list if given."""
    with office.store.reading() as connection:
        reports = rows.filed(connection).values()
    return [
        report
        for report in reports
        if (not status or report.status == status) and (on_list is None or report.list == on_list)
    ]


def report_on_file(connection: Connection, number: int) -> Filed:
    """Return a report on file; raise if there is none with this number."""
    report = rows.filed(connection, [number]).get(number)
    if report is None:
        raise BadInput("no-report", option="report", report=number)
    return report


def require_status(report: Filed, *allowed: str) -> None:
    """Raise unless a report has one of the allowed statuses."""
    if report.status not in allowed:
        raise BadInput("report-status", report=report.id, status=report.status, accepted=allowed)


def return_(office: Office, report: int, reason: str) -> None:
    """Send a report back to its sender."""
    _set_status(office, "return", report, RETURNED, reason, (RECEIVED,))


def withdraw(office: Office, report: int, reason: str) -> None:
    """Take a report out; lists that rated it change only by a revision."""
    _set_status(office, "withdraw", report, WITHDRAWN, reason, (RECEIVED, RETURNED, ACCEPTED))


def _set_status(
    office: Office, verb: str, report: int, status: str, reason: str, allowed: tuple[str, ...]
) -> None:
    with record_act(office, verb, reason, reason_needed=True) as act:
        require_status(report_on_file(act.connection, report), *allowed)
        rows.add_status(act.connection, report, status, act.seq)
        if status == RETURNED:
            queue_report_mails(act.connection, [("returned", report)], reason=reason.strip())
        act.record(report=report)


def reinstate(office: Office, report: int, reason: str) -> str:
    """Undo the withdrawal or replacement of a report; return the status that it has again.

    Lists that were revised without it rate it again only with ``revise`` and its number, or the next list does.
    """
    with record_act(office, "reinstate", reason, reason_needed=True) as act:
        connection = act.connection
        filed = report_on_file(connection, report)
        require_status(filed, WITHDRAWN, SUPERSEDED)
        statuses = [status for status, _ in rows.history(connection, report)]
        before = [status for status in statuses if status not in (WITHDRAWN, SUPERSEDED)][-1]
        marks = rows.marks(connection, report)
        overlaps = overlaps_on_file(connection, filed, marks, ignore=(report,), statuses=(RECEIVED, ACCEPTED))
        if overlaps:
            others = ", ".join(str(finding.facts["report"]) for finding in overlaps)
            raise BadInput("reinstate-held", report=report, others=others)
        rows.add_status(connection, report, before, act.seq)
        act.record(report=report, status=before)
    return before
