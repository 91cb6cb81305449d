"""The first page of the desk: what is to be done today; an arbiter sees the own reports instead."""

from typing import Any

from litestar import Response, get

from arpad.office.declared import perform
from arpad.office.inbox.report_pages import sender_page
from arpad.office.today.acts import what_is_to_do
from arpad.office.today.first_steps import first_steps
from arpad.office.today.state import state_of_office
from arpad.office.users import Role
from arpad.web.reader import ARBITER, caller_of, signed_in_user, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import PagePart, page


@get("/desk", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def today(request: WebRequest) -> Response[str]:
    """Show an officer what is to be done today, and an arbiter the own reports."""
    office, user = require_office(request), signed_in_user(request)
    if not user.has(Role.OFFICER):
        return sender_page(request, office, user)
    with office.store.reading() as connection:
        steps = first_steps(connection)
    return page(
        request, "today/today.html", steps=steps, today=perform(what_is_to_do, office, caller_of(request), {})
    )


def _state(request: WebRequest) -> dict[str, Any]:
    """Return how the office is and its first steps, for the page of its settings."""
    office = require_office(request)
    with office.store.reading() as connection:
        steps = first_steps(connection)
    return {"parts": state_of_office(office, words_for(request)), "steps": steps}


PARTS = {"settings": PagePart("today/state.html", _state)}
