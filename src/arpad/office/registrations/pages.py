"""The page of tournaments registered before they start (0.2); a report with the same name and first day is linked."""

from __future__ import annotations

from litestar import Response, get

from arpad.office.registrations.deadlines import EventDeadlines, event_deadlines
from arpad.office.reports.federation_pages import own_key
from arpad.regulations.fide.deadlines import DeadlineKind
from arpad.web.auth import OFFICER, caller_of
from arpad.web.desk import bound_to
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, last_seal, page_number, paginate, require_office
from arpad.web.templates import page

SHOWN = 50


@get("/desk/events", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def events_page(request: WebRequest) -> Response[str]:
    """Show registered tournaments with reports and deadlines, overdue ones first."""
    office, number = require_office(request), page_number(request.query_params.get("page", "1"))
    caller = caller_of(request)

    def own_events() -> list[EventDeadlines]:
        events = event_deadlines(office, everything=True)
        return [event for event in events if caller.officer_of(event.federation)]

    return page(
        request, "registrations/desk.html",
        seal=last_seal(office), asked=(number, own_key(request)), own=bound_to(request),
        read=lambda: paginate(own_events(), number, SHOWN),
        kinds={kind: words_for(request).text(f"deadline-kind.{kind}") for kind in DeadlineKind},
        address=lambda to: f"/desk/events?page={to}",
    )  # fmt: skip


ROUTES = (events_page,)
