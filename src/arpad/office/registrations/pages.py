"""The page of tournaments registered before they start (0.2); a report with the same name and first day is linked."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from arpad.model.typed_values import parse_day, parse_integer
from arpad.office.registrations.acts import (
    Registration,
    cancel_registration,
    change_registration,
    enter_registration,
    refuse_registration,
    registration_of,
    reinstate_registration,
)
from arpad.office.registrations.deadlines import EventDeadlines, event_deadlines, record_sent
from arpad.office.reports.federation_pages import own_key, reads
from arpad.office.reports.status import report_on_file
from arpad.office.users import Role
from arpad.regulations.chess.deadlines import DeadlineKind
from arpad.web.auth import OFFICER
from arpad.web.desk import bound_to, desk_of, worker
from arpad.web.forms import act_and_redirect, choice_field, form_texts
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, last_seal, page_number, paginate, require_office
from arpad.web.templates import page

SHOWN = 50
ENDING = {"refuse": refuse_registration, "cancel": cancel_registration, "reinstate": reinstate_registration}
"""Acts about a registration that only need a reason."""


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
        request, "registrations/desk.html",
        seal=last_seal(office), asked=(number, own_key(request)), own=bound_to(request),
        read=lambda: paginate(own_events(), number, SHOWN),
        kinds={kind: words_for(request).text(f"deadline-kind.{kind}") for kind in DeadlineKind},
        address=lambda to: f"/desk/events?page={to}",
    )  # fmt: skip


@post("/desk/events", opt=OFFICER, include_in_schema=False, status_code=200)
async def register_event(request: WebRequest) -> Response[Any]:
    """Enter a tournament before it starts."""
    texts = await form_texts(request)

    def act() -> str:
        enter_registration(desk_of(request), _registration(request, texts))
        return "/desk/events"

    return await act_and_redirect(request, act, lambda: _events_page(request))


def _registration(request: WebRequest, texts: dict[str, str]) -> Registration:
    """Return the registration in a form, which the officer may decide about."""
    federation = texts.get("federation", "").upper()
    if not reads(request)(federation):
        raise Refused(403, "bound-officer")
    return Registration(
        texts.get("name", ""), parse_day(texts.get("first_day", ""), "first_day"),
        parse_day(texts.get("last_day", ""), "last_day"), texts.get("city", ""), federation,
        texts.get("schedule", "").splitlines(),
    )  # fmt: skip


@post("/desk/events/{number:int}/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def about_event(request: WebRequest, number: FromPath[int], verb: FromPath[str]) -> Response[Any]:
    """Change, refuse or cancel a registration, or put it in force again."""
    texts = await form_texts(request)

    def act() -> str:
        office = desk_of(request)
        if not reads(request)(registration_of(office, number).federation):
            raise Refused(403, "bound-officer")
        if choice_field({"verb": verb}, "verb", ("change", *ENDING)) == "change":
            change_registration(office, number, _registration(request, texts), texts.get("reason", ""))
        else:
            ENDING[verb](office, number, texts.get("reason", ""))
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


ROUTES = (events_page, register_event, about_event, sent_to_fide)
