"""Files of FIDE: a reference list to add, and the players for pairing programs."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.model.typed_values import parse_day
from arpad.office.fide.acts import KeptReference, kept_reference
from arpad.office.fide.export_players import pairing_players
from arpad.office.fide.jobs import add_reference_upload
from arpad.office.imports.api import IMPORTS, Columns, Day, Described, FileName, imported, list_of, secured
from arpad.office.imports.jobs import ListArguments
from arpad.office.inbox.jobs import run_job
from arpad.office.office import today
from arpad.publishing.pairing_players import write_players
from arpad.web.api.parameters import Note
from arpad.web.api.responses import answers, csv_answers
from arpad.web.auth import COSTLY, scope
from arpad.web.cost_limits import bounds
from arpad.web.desk import office_of_officer

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}
COSTLY_SECURED: dict[str, Any] = SECURED | {"opt": dict(scope("register")) | COSTLY}


def _query(description: str, example: str, most: int = 200) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


Fewer = Annotated[
    bool,
    QueryParameter(
        description="Accept far fewer players than in the list before.", examples=[Example(value=False)]
    ),
]
OnlyRatings = Annotated[
    str | None, _query("Whose ratings they are, if the file has only those of one list.", "standard", 40)
]


@get(
    "/pairing-players.csv", media_type="text/csv", summary="Players for pairing programs",
    **COSTLY_SECURED,
    responses=csv_answers("GET /api/v1/pairing-players.csv", 401, 403, 404),
)  # fmt: skip
def get_pairing_players_csv(request: Asked) -> Response[bytes]:
    """The players of the lists in force with clubs and FIDE ratings, as pairing programs read them."""
    office, stream = office_of_officer(request), BytesIO()
    with office.store.reading() as connection:
        write_players(pairing_players(connection, today(office, connection)), stream, "csv")
    return Response(stream.getvalue(), media_type="text/csv")


@dataclass
class AddedReferenceOut:
    """A reference list that was added; ``again`` if it was there already."""

    reference: KeptReference
    again: bool


@post(
    "/imports/reference", status_code=201, operation_class=Described, summary="Add a reference list",
    responses=answers(AddedReferenceOut, f"POST {IMPORTS}/reference", 400, 401, 403, 404, 422, 503, status=201),
    **secured("lists"),
)  # fmt: skip
async def import_reference(
    request: Asked, date: Day, name: FileName = "list.txt", columns: Columns = "",
    list: OnlyRatings = None,  # noqa: A002  the name that programs rely on
    *,
    fewer: Fewer = False,
    reason: Note = "",
) -> AddedReferenceOut:  # fmt: skip
    """Add FIDE's list of a day as a reference; nobody enters the register."""
    arguments = ListArguments(
        list_of(list) if list else None, parse_day(date, "date"), columns, reason=reason, fewer=fewer
    )
    added = await imported(
        request,
        name,
        lambda office, it: run_job(bounds("signed_in"), it, office, add_reference_upload, arguments),
    )
    return AddedReferenceOut(kept_reference(added.reference), added.again)


ROUTES = (import_reference, get_pairing_players_csv)
