"""The live lists for programs: the players who moved since the official list."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter
from sqlalchemy import Connection

from arpad.model.cursors import Cursor, parse_cursor
from arpad.office.live.pages import PER_PAGE, live_lists_shown, public_state
from arpad.office.live.player import live_player
from arpad.office.live.rows import ACCEPTED, LiveRow, count_moved, moved_rows
from arpad.office.players.acts import LiveStanding
from arpad.office.register.hidden_rows import hidden
from arpad.web.api.cursors import After
from arpad.web.api.responses import answers, etagged
from arpad.web.api.schemas import LiveListOut, LiveRowOut
from arpad.web.auth import PUBLIC
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]


@get(
    "/live/{name:str}", opt=PUBLIC, sync_to_thread=True, summary="A live list",
    responses=answers(LiveListOut, "GET /api/v1/live/{name}", 400, 404, etag=True),
)  # fmt: skip
def get_live_list(
    request: Asked,
    name: Annotated[
        str, PathParameter(description="A list.", max_length=40, examples=[Example(value="standard")])
    ],
    reports: Annotated[
        str,
        QueryParameter(
            description="accepted, or received: with those that are not accepted yet too.",
            max_length=20,
            examples=[Example(value="received")],
        ),
    ] = ACCEPTED,
    after: After = "",
) -> Response[Any]:
    """The players who moved since the official list, with what would be published now; not official."""
    office = require_office(request)
    with office.store.reading() as connection:
        state = public_state(connection, name, reports)
        away = hidden(connection)
        total = count_moved(connection, state.list, reports, away)
        skipped = parse_cursor(after).item
        rows = moved_rows(connection, state.list, reports, away, most=PER_PAGE, after=skipped)
    out = LiveListOut(
        str(state.list), official=False, day=str(state.day), computed=state.at, reports=reports, total=total,
        rows=[_row(row) for row in rows], next=str(Cursor(skipped + len(rows))), more=skipped + len(rows) < total,
    )  # fmt: skip
    return etagged(request, out)


def _row(row: LiveRow) -> LiveRowOut:
    values = row.values
    return LiveRowOut(
        row.player, values["name"], values["federation"], values["title"] or values["women_title"], row.before,
        row.rating, row.change, row.games, row.events,
    )  # fmt: skip


def live_standings(connection: Connection, player: int) -> list[LiveStanding]:
    """Return a player on the live lists that visitors may see."""
    entries = (
        live_player(connection, name, player, explained=False) for name in live_lists_shown(connection)
    )
    return [
        LiveStanding(
            str(it.state.list), it.state.day, it.state.at, it.accepted.before, it.accepted.rating,
            it.accepted.change, it.accepted.games, it.accepted.events, it.received.rating if it.received else None,
        )
        for it in entries
        if it is not None
    ]  # fmt: skip


ROUTES = (get_live_list,)
