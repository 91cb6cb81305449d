"""The page of the federation's own editions and lists, for administrators."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from arpad.model.rules import Edition
from arpad.office.editions.acts import OwnEdition, own_editions, own_named
from arpad.office.editions.rows import TITLES
from arpad.office.office import Office
from arpad.regulations.all_editions import EVERY
from arpad.regulations.editions import named
from arpad.store.list_names import own_lists_of
from arpad.web.auth import ADMINISTRATOR
from arpad.web.regulations import RuleDifference, differences
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


def _own(office: Office) -> list[tuple[Edition[Any], list[OwnEdition], list[RuleDifference]]]:
    """Return each own edition with its adoptions and its differences from the edition it is based on."""
    with office.store.reading() as connection:
        editions = (*own_named(connection), *own_named(connection, TITLES))
    adoptions = own_editions(office).editions
    return [
        (
            edition,
            [row for row in adoptions if row.edition == edition.id],
            differences(named(edition.base, EVERY), edition)[0],
        )
        for edition in editions
    ]


@get("/admin/editions", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """Show the own editions and lists, with the forms to adopt, to revoke and to add them."""
    office = require_office(request)
    with office.store.reading() as connection:
        lists = tuple(own_lists_of(connection).values())
    return page(request, "own_editions.html", own=_own(office), own_lists=lists)


ROUTES = (overview,)
