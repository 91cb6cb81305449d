"""The page of tournaments registered before they start (0.2); a report with the same name and first day is linked."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from arpad.accounts import Role
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day, parse_integer
from arpad.office.deadlines import EventDeadlines, event_deadlines, record_sent
from arpad.office.report_status import report_on_file
from arpad.office.submit import register_event as enter_event
from arpad.regulations.chess.deadlines import DeadlineKind
from arpad.web.auth import OFFICER
from arpad.web.forms import act_and_redirect, form_texts
from arpad.web.language import words_for
from arpad.web.own_federation import own_key, reads
from arpad.web.refusals import Refused
from arpad.web.register import bound_to
from arpad.web.reports_inbox import desk_of, worker
from arpad.web.requests import WebRequest, last_seal, page_number, paginate, require_office
from arpad.web.templates import page

SHOWN = 50


@get("/desk/events", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def events_page(request: WebRequest) -> Response[str]:
    """Registered tournaments with reports and deadlines, overdue ones first."""
    return _events_page(request)


def _events_page(request: WebRequest) -> Response[str]:
    office, number = require_office(request), page_number(request.query_params.get("page", "1"))
    may = reads(request)

    def own_events() -> list[EventDeadlines]:
        return [event for event in event_deadlines(office, everything=True) if may(event.federation)]

    return page(
        request, "desk_events.html", seal=last_seal(office), asked=(number, own_key(request)), own=bound_to(request),
        read=lambda: paginate(own_events(), number, SHOWN),
        kinds={kind: words_for(request).text(f"deadline-kind.{kind}") for kind in DeadlineKind},
        address=lambda to: f"/desk/events?page={to}",
    )  # fmt: skip


@post("/desk/events", opt=OFFICER, include_in_schema=False, status_code=200)
async def register_event(request: WebRequest) -> Response[Any]:
    """Enter a tournament before it starts."""
    texts = await form_texts(request)

    def act() -> str:
        federation = texts.get("federation", "").upper()
        if not worker(request).may(Role.OFFICER, federation):
            raise Refused(403, "bound-officer")
        if not texts.get("name"):
            raise BadInput("value-missing", option="name")
        enter_event(
            desk_of(request), texts["name"][:200], city=texts.get("city", "")[:100], federation=federation[:10],
            first_day=parse_day(texts.get("first_day", ""), "first_day"),
            last_day=parse_day(texts.get("last_day", ""), "last_day"),
        )  # fmt: skip
        return "/desk/events"

    return await act_and_redirect(request, act, lambda: _events_page(request))


@post("/desk/events/sent", opt=OFFICER, include_in_schema=False, status_code=200)
async def sent_to_fide(request: WebRequest) -> Response[Any]:
    """Record that the report of a tournament was sent to FIDE."""
    texts = await form_texts(request)

    def act() -> str:
        office = desk_of(request)
        report = parse_integer(texts.get("report", ""), "report")
        with office.store.reading() as connection:
            filed = report_on_file(connection, report)
        if not worker(request).may(Role.OFFICER, filed.federation):
            raise Refused(403, "bound-officer")
        day = texts.get("day", "")
        record_sent(office, report, parse_day(day, "day") if day else None)
        return "/desk/events"

    return await act_and_redirect(request, act, lambda: _events_page(request))


ROUTES = (events_page, register_event, sent_to_fide)
