"""Reference lists, FIDE's list beside the office's own calculation, and players for pairing programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.explain.reconciliation_document import csv_text, document
from arpad.lists.reconciled import Reconciliation
from arpad.lists.reference import LISTS
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office.fide.export_players import pairing_players
from arpad.office.fide.jobs import add_reference_upload
from arpad.office.fide.pages import own_reconciliation
from arpad.office.fide.reconcile import reconcile_office
from arpad.office.fide.reference import kept_references
from arpad.office.fide.rows import Reference
from arpad.office.imports.api import IMPORTS, Columns, Day, Described, FileName, imported, list_of, secured
from arpad.office.imports.jobs import ListArguments
from arpad.office.inbox.jobs import run_job
from arpad.office.office import today
from arpad.publishing.pairing_players import write_players
from arpad.web.api.parameters import ChessList, Note
from arpad.web.api.responses import answers, csv_answers, to_schema
from arpad.web.auth import COSTLY, scope
from arpad.web.cost_limits import bounds
from arpad.web.desk import office_of_officer
from arpad.web.language import words_for

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}
COSTLY_SECURED: dict[str, Any] = SECURED | {"opt": dict(scope("register")) | COSTLY}


def _query(description: str, example: str, most: int = 200) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


ListDay = Annotated[str, _query("The day of FIDE's list; default: the newest.", "2025-01-01", 40)]
Fewer = Annotated[
    bool,
    QueryParameter(
        description="Accept far fewer players than in the list before.", examples=[Example(value=False)]
    ),
]
OnlyRatings = Annotated[
    str | None, _query("Whose ratings they are, if the file has only those of one list.", "standard", 40)
]


# ------------------------------------------------------------------------------------------------ reference lists


@dataclass
class ReferenceOut:
    """A reference list on record."""

    source: str
    day: str
    lists: Sequence[str]
    file: str
    sha256: str
    players: int


@dataclass
class ReferencesOut:
    """The reference lists that the office keeps."""

    references: Sequence[ReferenceOut]


def reference_out(reference: Reference) -> ReferenceOut:
    """Return a reference list for an answer."""
    return ReferenceOut(
        reference.source, str(reference.day), [str(name) for name in reference.lists], reference.file,
        reference.sha256, reference.rows,
    )  # fmt: skip


@get(
    "/references", summary="Reference lists", **SECURED,
    responses=answers(ReferencesOut, "GET /api/v1/references", 401, 403, 404),
)  # fmt: skip
def list_references(request: Asked) -> ReferencesOut:
    """The reference lists of other bodies that the office keeps."""
    return ReferencesOut([reference_out(it) for it in kept_references(office_of_officer(request))])


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

    reference: ReferenceOut
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
    return AddedReferenceOut(reference_out(added.reference), added.again)


# ---------------------------------------------------------------------------------------------- the reconciliation


@dataclass
class ReconciledEventOut:
    """An event of the period as the office rates it."""

    event: str
    games: int
    k: int | None
    change: str


@dataclass
class CauseOut:
    """Why FIDE's list differs."""

    code: str
    text: str


@dataclass
class ReconciledPlayerOut:
    """A player before the period, as computed and as FIDE published."""

    id: int
    name: str
    federation: str
    before: int | None
    computed: int | None
    published: int | None
    difference: int | None
    games: int
    published_games: int | None
    agrees: bool
    events: Sequence[ReconciledEventOut]
    causes: Sequence[CauseOut]


@dataclass
class ReconciliationOut:
    """FIDE's list beside the office's own calculation."""

    list: str
    before: str
    after: str
    edition: str
    compared: int
    differing: int
    unexplained: int
    other_periods: Sequence[str]
    players: Sequence[ReconciledPlayerOut]


def _reconciled(request: Asked, on_list: str, day: str) -> Reconciliation:
    if on_list not in LISTS:
        raise BadInput("value-unknown", option="list", value=on_list, accepted=", ".join(LISTS))
    on = parse_day(day, "day") if day else None
    return own_reconciliation(request, reconcile_office(office_of_officer(request), ListName(on_list), on))


@get(
    "/reconciliation", summary="FIDE's list and ours", **COSTLY_SECURED,
    responses=answers(ReconciliationOut, "GET /api/v1/reconciliation", 400, 401, 403, 404),
)  # fmt: skip
def get_reconciliation(
    request: Asked,
    list: ChessList = "standard",  # noqa: A002  the parameter's name in the address
    day: ListDay = "",
) -> ReconciliationOut:
    """The change of every own player as computed and as FIDE published it, with the cause of a difference."""
    return to_schema(ReconciliationOut, document(_reconciled(request, list, day), words_for(request)))


@get(
    "/reconciliation.csv", summary="FIDE's list and ours, as CSV", media_type="text/csv", **COSTLY_SECURED,
    responses=csv_answers("GET /api/v1/reconciliation.csv", 400, 401, 403, 404),
)  # fmt: skip
def get_reconciliation_csv(
    request: Asked,
    list: ChessList = "standard",  # noqa: A002  the parameter's name in the address
    day: ListDay = "",
) -> Response[bytes]:
    """The whole comparison as a file to send."""
    text = csv_text(_reconciled(request, list, day), words_for(request))
    return Response(text.encode(), media_type="text/csv")


ROUTES = (
    list_references,
    import_reference,
    get_pairing_players_csv,
    get_reconciliation,
    get_reconciliation_csv,
)
