"""The desk of officers for their programs: reference lists, players for pairing programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from litestar import Request, Response, get

from arpad.office.fide.export_players import pairing_players
from arpad.office.fide.reference import kept_references
from arpad.office.fide.rows import Reference
from arpad.office.office import today
from arpad.publishing.pairing_players import write_players
from arpad.web.api.responses import answers, csv_answers
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import office_of_officer

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


ROUTES = (list_references, get_pairing_players_csv)
