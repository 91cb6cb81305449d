"""The page of arbiters: who they are, and until when each is licensed."""

from litestar import Response, get

from arpad.model.people import ARBITER_TITLES
from arpad.office.arbiters.acts import arbiters_of
from arpad.office.declared import Reading
from arpad.web.forms import bound_to
from arpad.web.reader import OFFICER, caller_of
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


@get("/desk/arbiters", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def arbiters_page(request: WebRequest) -> Response[str]:
    """Show all arbiters by name, each with the licences on record."""
    office = require_office(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, caller_of(request))
        arbiters = sorted(arbiters_of(reading), key=lambda arbiter: (arbiter.name.casefold(), arbiter.id))
        day = reading.today
    return page(
        request,
        "arbiters/desk.html",
        arbiters=arbiters,
        licensed={arbiter.id: arbiter.licensed(day, day) for arbiter in arbiters},
        titles=[(title, title or "–") for title in ("", *ARBITER_TITLES)],
        arbiters_named=[(str(it.id), f"{it.name} ({it.id})") for it in arbiters],
        own=bound_to(request),
    )
