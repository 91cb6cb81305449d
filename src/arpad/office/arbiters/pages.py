"""The page of arbiters: who they are, and until when each is licensed."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from arpad.model.arbiters import TITLES, Licence
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.office.arbiters.acts import arbiters_of, license_arbiter, register_arbiter
from arpad.office.office import today
from arpad.office.reports.federation_pages import reads
from arpad.office.users import Role
from arpad.web.auth import OFFICER
from arpad.web.desk import bound_to, desk_of, worker
from arpad.web.forms import act_and_redirect, form_texts
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


@get("/desk/arbiters", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def arbiters_page(request: WebRequest) -> Response[str]:
    """All arbiters by name, each with the licences on record."""
    return _arbiters_page(request)


def _arbiters_page(request: WebRequest) -> Response[str]:
    office = require_office(request)
    may = reads(request)
    own = [arbiter for arbiter in arbiters_of(office) if may(arbiter.federation)]
    arbiters = sorted(own, key=lambda arbiter: (arbiter.name.casefold(), arbiter.id))
    with office.store.reading() as connection:
        now = today(office, connection)
    licensed = {arbiter.id: arbiter.licensed(now, now) for arbiter in arbiters}
    return page(
        request,
        "arbiters/desk.html",
        arbiters=arbiters,
        licensed=licensed,
        titles=[(title, title or "–") for title in ("", *TITLES)],
        own=bound_to(request),
    )


def _licence(texts: dict[str, str]) -> Licence | None:
    first, last = texts.get("licence_from", ""), texts.get("licence_until", "")
    if not first:
        if last:
            raise BadInput("value-missing", option="licence_from")
        return None
    until = parse_day(last, "licence_until") if last else None
    return Licence(parse_day(first, "licence_from"), until)


@post("/desk/arbiters", opt=OFFICER, include_in_schema=False, status_code=200)
async def enter_arbiter(request: WebRequest) -> Response[Any]:
    """Enter an arbiter, with a licence if one is given."""
    texts = await form_texts(request)

    def act() -> str:
        federation = texts.get("federation", "").upper()[:10]
        if not worker(request).may(Role.OFFICER, federation):
            raise Refused(403, "bound-officer")
        register_arbiter(
            desk_of(request), texts.get("name", ""), fide=texts.get("fide", "")[:12], federation=federation,
            title=texts.get("title", ""), licence=_licence(texts),
        )  # fmt: skip
        return "/desk/arbiters"

    return await act_and_redirect(request, act, lambda: _arbiters_page(request))


@post("/desk/arbiters/{number:int}/licence", opt=OFFICER, include_in_schema=False, status_code=200)
async def add_licence(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Add a licence of an arbiter."""
    texts = await form_texts(request)

    def act() -> str:
        office = desk_of(request)
        of_arbiter = {arbiter.id: arbiter.federation for arbiter in arbiters_of(office)}
        if not worker(request).may(Role.OFFICER, of_arbiter.get(number, "")):
            raise Refused(403, "bound-officer")
        licence = _licence(texts)
        if licence is None:
            raise BadInput("value-missing", option="licence_from")
        license_arbiter(office, number, licence)
        return "/desk/arbiters"

    return await act_and_redirect(request, act, lambda: _arbiters_page(request))


ROUTES = (arbiters_page, enter_arbiter, add_licence)
