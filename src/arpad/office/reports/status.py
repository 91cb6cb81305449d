"""Reports on file, and the status that one must have."""

from __future__ import annotations

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed


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
        raise BadInput(
            "report-status", option="report", report=report.id, status=report.status, accepted=allowed
        )
