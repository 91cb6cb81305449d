"""Which reports a user of the desk may see, and decide about."""

from __future__ import annotations

from sqlalchemy import Connection

from arpad.office.office import Office
from arpad.office.reports import rows
from arpad.office.reports.acts import may_see
from arpad.office.reports.rows import Filed
from arpad.office.reports.status import report_on_file
from arpad.office.users import Role, User
from arpad.web.auth import office_as_user, signed_in_user
from arpad.web.requests import Refused, WebRequest, require_office


def refuse_others(connection: Connection, user: User, number: int) -> None:
    """Refuse a file that another user has sent before, without revealing its status."""
    filed = rows.filed(connection, [number])[number]
    if not may_see(connection, user, filed):
        raise Refused(409, "sent-by-another")


def visible_report(connection: Connection, user: User, number: int) -> Filed:
    """Return a report on file; refuse one that the user may not see."""
    filed = report_on_file(connection, number)
    if not may_see(connection, user, filed):
        raise Refused(403, "not-your-report")
    return filed


def own_report(request: WebRequest, number: int) -> Filed:
    """Return a report that the user may see."""
    with require_office(request).store.reading() as connection:
        return visible_report(connection, signed_in_user(request), number)


def officers_own(request: WebRequest, number: int) -> Office:
    """Return the office if the officer may decide about this report."""
    office, user = office_as_user(request), signed_in_user(request)
    with office.store.reading() as connection:
        filed = report_on_file(connection, number)
    if not user.may(Role.OFFICER, filed.federation):
        raise Refused(403, "bound-officer")
    return office
