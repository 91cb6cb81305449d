"""The desk of officers for their programs: reference lists, players for pairing programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.model.typed_values import parse_day
from arpad.office.drafts.acts import preview_draft
from arpad.office.drafts.documents import draft_document
from arpad.office.fide.export_players import pairing_players
from arpad.office.fide.reference import kept_references
from arpad.office.fide.rows import Reference
from arpad.office.office import today
from arpad.publishing.pairing_players import write_players
from arpad.web.api.responses import answers, csv_answers, to_schema
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import for_all, list_in, office_of_officer

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}]}


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


DraftList = Annotated[str, PathParameter(description="The list.", examples=[Example(value="standard")])]
DraftDay = Annotated[
    str,
    QueryParameter(description="The day of the list.", max_length=40, examples=[Example(value="2025-02-01")]),
]
Special = Annotated[
    bool,
    QueryParameter(
        description="Whether it may be on another day than the next of the calendar.",
        examples=[Example(value=False)],
    ),
]


@dataclass
class DraftMovementOut:
    """A rated player of the draft with games."""

    player: int
    before: int
    after: int
    change: int


@dataclass
class DraftPendingOut:
    """A player who still has no first rating, and why."""

    player: int
    reason: str


@dataclass
class DraftReportOut:
    """An accepted report that the draft does not rate, and why."""

    report: int
    reason: str


@dataclass
class DraftGuestOut:
    """A player whom the office does not own, with the rating on the reference list; no federation: it is unknown."""

    player: int
    name: str
    federation: str
    rating: int | None


@dataclass
class DraftOut:
    """A list as it would be published now."""

    list: str
    date: str
    number: int
    edition: str
    digest: str
    inputs_digest: str
    special: bool
    players: int
    events: Sequence[int]
    movements: Sequence[DraftMovementOut]
    entered: Sequence[int]
    delisted: Sequence[int]
    pending: Sequence[DraftPendingOut]
    left_out: Sequence[DraftReportOut]
    guests: Sequence[DraftGuestOut]


def reference_out(reference: Reference) -> ReferenceOut:
    """Return a reference list for an answer."""
    return ReferenceOut(
        reference.source, str(reference.day), [str(name) for name in reference.lists], reference.file,
        reference.sha256, reference.rows,
    )  # fmt: skip


@get(
    "/references", sync_to_thread=True, summary="Reference lists", **SECURED,
    responses=answers(ReferencesOut, "GET /api/v1/references", 401, 403, 404),
)  # fmt: skip
def list_references(request: Asked) -> ReferencesOut:
    """The reference lists of other bodies that the office keeps."""
    return ReferencesOut([reference_out(it) for it in kept_references(office_of_officer(request))])


@get(
    "/drafts/{on_list:str}", sync_to_thread=True, summary="The next list as a draft",
    opt=dict(scope("register")) | COSTLY, security=[{"token": []}],
    responses=answers(DraftOut, "GET /api/v1/drafts/{on_list}", 400, 401, 403, 404),
)  # fmt: skip
def get_draft(request: Asked, on_list: DraftList, day: DraftDay, *, special: Special = False) -> DraftOut:
    """The list as it would be published now: who moves and enters, and the reports and guests that are left out."""
    for_all(request)
    office = office_of_officer(request)
    draft = preview_draft(office, list_in({"list": on_list}), parse_day(day, "day"), special=special)
    return to_schema(DraftOut, draft_document(draft))


@get(
    "/pairing-players.csv", media_type="text/csv", sync_to_thread=True, summary="Players for pairing programs",
    opt=dict(scope("register")) | COSTLY, security=[{"token": []}],
    responses=csv_answers("GET /api/v1/pairing-players.csv", 401, 403, 404),
)  # fmt: skip
def get_pairing_players_csv(request: Asked) -> Response[bytes]:
    """The players of the lists in force with clubs and FIDE ratings, as pairing programs read them."""
    office, stream = office_of_officer(request), BytesIO()
    with office.store.reading() as connection:
        write_players(pairing_players(connection, today(office, connection)), stream, "csv")
    return Response(stream.getvalue(), media_type="text/csv")


ROUTES = (list_references, get_draft, get_pairing_players_csv)
