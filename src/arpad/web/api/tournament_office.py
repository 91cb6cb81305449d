"""The reconciliation with FIDE's list for officers' programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.explain.reconciliation_document import csv_text, document
from arpad.lists.reconciled import Reconciliation
from arpad.lists.reference import LISTS
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office.fide.pages import own_reconciliation
from arpad.office.fide.reconcile import reconcile_office
from arpad.web.api.parameters import ChessList
from arpad.web.api.responses import answers, csv_answers, to_schema
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import office_of_officer
from arpad.web.language import words_for

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}
COSTLY_SECURED: dict[str, Any] = SECURED | {"opt": dict(scope("register")) | COSTLY}


def _query(description: str, example: str, most: int = 200) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


ListDay = Annotated[str, _query("The day of FIDE's list; default: the newest.", "2025-01-01", 40)]


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


ROUTES = (get_reconciliation, get_reconciliation_csv)
