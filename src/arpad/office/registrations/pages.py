"""The pages of tournaments registered before they start (0.2): the board of deadlines, one tournament, the calendar."""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from itertools import groupby
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.office.office import today
from arpad.office.registrations.acts import OF_EVENT
from arpad.office.registrations.deadlines import EventDeadlines, Standing, dated_events
from arpad.office.registrations.rows import upcoming_events
from arpad.office.reports.tournament_names import public_event_names
from arpad.office.reports.visible import own_key
from arpad.web.cache import fresh_headers
from arpad.web.forms import bound_to
from arpad.web.reader import OFFICER, PUBLIC, caller_of, permitted_office
from arpad.web.requests import WebRequest, last_seal, page_number, paginate, require_office
from arpad.web.templates import page

SHOWN = 50
MOST_COMING = 200
"""Tournaments of the calendar."""

TO_DO = "to-do"
FILTERS: Mapping[str, tuple[Standing, ...]] = {
    TO_DO: (Standing.OVERDUE, Standing.OPEN),
    "overdue": (Standing.OVERDUE,),
    "done": (Standing.DONE,),
    "ended": (Standing.ENDED,),
}
"""The tournaments that each tab of the board shows."""


@get("/desk/events", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def events_page(request: WebRequest) -> Response[str]:
    """Show registered tournaments with what is due next, overdue ones first."""
    office, number = require_office(request), page_number(request.query_params.get("page", "1"))
    asked = request.query_params.get("state", "")
    chosen = asked if asked in FILTERS else TO_DO

    def board() -> Mapping[str, Any]:
        with office.store.reading() as connection:
            now = today(office, connection)
            events = [
                (event, event.standing(now))
                for event in dated_events(connection, now, everything=True)
                if caller_of(request).officer_of(event.federation)
            ]
        counts = Counter(standing for _, standing in events)
        shown = [event for event, standing in events if standing in FILTERS[chosen]]
        rows, at, pages = paginate(shown, number, SHOWN)
        return {
            "rows": rows, "page": at, "pages": pages, "now": now, "registered": len(events),
            "counts": {name: sum(counts[it] for it in standings) for name, standings in FILTERS.items()},
        }  # fmt: skip

    return page(
        request, "registrations/desk.html", seal=last_seal(office), asked=(number, chosen, own_key(caller_of(request))),
        read=board, chosen=chosen, address=lambda to: f"/desk/events?state={chosen}&page={to}",
    )  # fmt: skip


@get("/desk/events/new", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def new_event_page(request: WebRequest) -> Response[str]:
    """Show the form that registers a tournament."""
    return page(request, "registrations/new.html", own=bound_to(request))


@get("/desk/events/{number:int}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def event_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show a registered tournament with all its deadlines, and what officers do with the registration."""
    office = permitted_office(request, OF_EVENT, event=number)
    with office.store.reading() as connection:
        events = dated_events(connection, today(office, connection), everything=True)
    event: EventDeadlines = next(it for it in events if it.event == number)
    return page(request, "registrations/event.html", event=event)


@get("/calendar", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def calendar_page(request: WebRequest) -> Response[Any]:
    """Show everybody the coming tournaments, month by month."""
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        coming = upcoming_events(connection, day, MOST_COMING)
        names = public_event_names(connection, coming)
    parts = (day, *((event["id"], event["act"], names[event["id"]]) for event in coming))
    headers = fresh_headers(request, "calendar", *parts)
    months = [
        (date.fromisoformat(f"{month}-01"), [*events])
        for month, events in groupby(coming, key=lambda event: str(event["first_day"])[:7])
    ]
    return page(request, "registrations/calendar.html", headers=headers, months=months, names=names)
