"""The live lists: the players who moved since the official list, and the live rating on a player's page.

Nothing is computed here: ``office.live.acts`` keeps the live lists when something happened.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.model.rules import LISTS, ListName
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.published import shown_publications
from arpad.office.live.acts import PER_PAGE
from arpad.office.live.layers import LivePlayer, live_players, shown_state
from arpad.office.live.rows import ACCEPTED, LAYERS, count_moved, moved_rows, read_reports
from arpad.office.office import local_moment
from arpad.office.register.number_rows import hidden
from arpad.regulations.systems import system_of
from arpad.store.bulk import page_of
from arpad.web.cache import fresh_headers
from arpad.web.reader import PUBLIC
from arpad.web.requests import Refused, WebRequest, page_number, require_office
from arpad.web.templates import page


@get("/live/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def live(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show the players who moved since the official list, with the time of the computation."""
    layer = request.query_params.get("reports", ACCEPTED)
    with require_office(request).store.reading() as connection:
        known = name in LISTS and layer in LAYERS
        state = shown_state(connection, ListName(name), layer) if known else None
        if state is None:
            raise Refused(404, "no-live-list")
        wanted = page_number(request.query_params.get("page", "1"))
        version = snapshot(connection).hidden_version
        headers = fresh_headers(request, "live", state, wanted, version)
        away = hidden(connection)
        total = count_moved(connection, state.list, layer, away)
        number, pages = page_of(wanted, total, PER_PAGE)
        rows = moved_rows(connection, state.list, layer, away, most=PER_PAGE, after=(number - 1) * PER_PAGE)
        reports = {each: len(read_reports(connection, state.list, each)) for each in LAYERS}
        official = next((p for p in shown_publications(connection) if p.id == state.official), None)
        at = local_moment(connection, state.at)

    def address(to: int) -> str:
        return f"/live/{state.list}?{urlencode({'reports': layer, 'page': to})}"

    return page(
        request, "live/live.html", headers=headers, state=state, layer=layer, layers=LAYERS, rows=rows, total=total,
        reports=reports, official=official, at=at, page_number=number, pages=pages, address=address,
        measure=system_of(state.list).measure,
    )  # fmt: skip


def live_ratings(
    connection: Connection, player: int, elsewhere: AbstractSet[ListName | None] = frozenset()
) -> dict[ListName, tuple[LivePlayer, datetime]]:
    """Return a player on the live lists that visitors may see, with the time of each: values for the player's page.

    ``elsewhere`` are the lists whose events another page of the player explains.
    """
    entries = live_players(connection, player, unexplained=elsewhere)
    return {name: (entry, local_moment(connection, entry.state.at)) for name, entry in entries.items()}
