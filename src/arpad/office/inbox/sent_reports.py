"""Put an uploaded report on file: the one way of the pages of the desk and of programs."""

from __future__ import annotations

from arpad.office.inbox.jobs import run_job, submit_upload
from arpad.office.inbox.results import Submitted
from arpad.office.reports.pages import refuse_others, visible_report
from arpad.office.users import Role
from arpad.reports.event_facts import EventFacts
from arpad.web.auth import office_as_user, signed_in_user
from arpad.web.cost_limits import bounds
from arpad.web.requests import WebRequest
from arpad.web.uploads import Upload


def send_upload(
    request: WebRequest, upload: Upload, facts: EventFacts | None, replaces: int | None = None
) -> Submitted:
    """Submit a report for the user, who may replace only a report that they may see.

    A file that somebody else has sent is refused; only officers send new versions of the reports of others.
    """
    office, user = office_as_user(request), signed_in_user(request)
    if replaces is not None:
        with office.store.reading() as connection:
            visible_report(connection, user, replaces)
    sent = run_job(
        bounds("signed_in"), upload, office, submit_upload, facts, replaces,
        among_own=not user.has(Role.OFFICER),
    )  # fmt: skip
    if sent.again:
        with office.store.reading() as connection:
            refuse_others(connection, user, sent.report)
    return sent
