"""The page of the draughts commission: malus points, promotions of a period, FMJD ratings."""

from datetime import date

from litestar import Response, get

from arpad.model.declared import convert
from arpad.model.errors import ArpadError
from arpad.model.rules import DRAUGHTS_LISTS, ListName
from arpad.office.draughts.acts import promotions
from arpad.office.draughts.records import fmjd_ratings, points_register
from arpad.office.draughts.records import promotions as promotions_of
from arpad.office.office import today
from arpad.web.forms import form_values, refuse
from arpad.web.reader import OFFICER_OF_ALL, words_for
from arpad.web.requests import WebRequest, last_seal, require_office
from arpad.web.templates import page


@get("/desk/draughts", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def draughts_page(request: WebRequest) -> Response[str]:
    """Show the records of one draughts list."""
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        day = today(office, connection)
    usual = {"list": str(ListName.ITALIANA), "from": date(day.year, 1, 1), "to": day}
    asked = {name: text for name, text in request.query_params.items() if text and name in usual}
    seal, status = last_seal(office), 200
    try:
        given = convert(promotions.parameters, usual | asked)
        promoted = promotions_of(office, ListName(given["list"]), given["from"], given["to"])
    except ArpadError as error:
        refuse(request, error, form_values(request.query_params.multi_items()))
        given, status = convert(promotions.parameters, usual), 400
        promoted = promotions_of(office, ListName.ITALIANA, given["from"], given["to"])
    on_list = ListName(given["list"])
    return page(
        request, "draughts/desk.html", status=status, seal=seal, on_list=on_list, first=given["from"], last=given["to"],
        promotions=promoted,
        register=lambda: points_register(office, on_list), fmjd=lambda: fmjd_ratings(office),
        lists=[(name, words.text(f"site.list-{name}")) for name in DRAUGHTS_LISTS],
    )  # fmt: skip
