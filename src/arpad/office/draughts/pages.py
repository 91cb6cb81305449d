"""The page of the draughts commission: malus points, promotions of a period, FMJD ratings."""

from __future__ import annotations

from datetime import date

from litestar import Response, get

from arpad.model.errors import ArpadError
from arpad.model.rules import DRAUGHTS_LISTS, ListName
from arpad.model.typed_values import parse_day
from arpad.office.draughts.records import fmjd_ratings, points_register
from arpad.office.draughts.records import promotions as office_promotions
from arpad.office.office import Office, today
from arpad.web.forms import choice_field, form_values, refuse
from arpad.web.reader import OFFICER_OF_ALL, words_for
from arpad.web.requests import WebRequest, last_seal, require_office
from arpad.web.templates import page


@get("/desk/draughts", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def draughts_page(request: WebRequest) -> Response[str]:
    """Show the records of one draughts list."""
    office = require_office(request)
    seal, status = last_seal(office), 200
    try:
        on_list, first, last = asked_for(request, office)
        promotions = office_promotions(office, on_list, first, last)
    except ArpadError as error:
        refuse(request, error, form_values(request.query_params.multi_items()))
        (on_list, first, last), status = _usual(office), 400
        promotions = office_promotions(office, on_list, first, last)
    words = words_for(request)
    return page(
        request, "draughts/desk.html", status=status, seal=seal, on_list=on_list, first=first, last=last,
        promotions=promotions,
        register=lambda: points_register(office, on_list), fmjd=lambda: fmjd_ratings(office),
        lists=[(name, words.text(f"site.list-{name}")) for name in DRAUGHTS_LISTS],
    )  # fmt: skip


def asked_for(request: WebRequest, office: Office) -> tuple[ListName, date, date]:
    """Return the list and the period of an address, or the default ones."""
    on_list, first, last = _usual(office)
    parameters = {name: str(value) for name, value in request.query_params.items() if value}
    if "list" in parameters:
        on_list = ListName(choice_field(parameters, "list", DRAUGHTS_LISTS))
    if "from" in parameters:
        first = parse_day(parameters["from"], "from")
    if "to" in parameters:
        last = parse_day(parameters["to"], "to")
    return on_list, first, last


def _usual(office: Office) -> tuple[ListName, date, date]:
    """Return dama italiana and the year so far."""
    with office.store.reading() as connection:
        day = today(office, connection)
    return ListName.ITALIANA, date(day.year, 1, 1), day
