"""Fees for officers' programs: the federation's own table, and the account of a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.office.fees.acts import (
    account_csv,
    account_document,
    fee_table_text,
    kept_fee_table,
    set_fee_table,
)
from arpad.office.fees.pages import asked_year, own_fees
from arpad.web.api.parameters import Note
from arpad.web.api.responses import answers, csv_answers, to_schema
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import for_all, office_of_officer
from arpad.web.language import words_for

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}]}
COSTLY_SECURED: dict[str, Any] = SECURED | {
    "opt": dict(scope("register")) | COSTLY,
    "sync_to_thread": True,
}

Year = Annotated[
    str,
    QueryParameter(
        description="The year in which the events ended; default: this one.",
        max_length=10,
        examples=[Example(value="2024")],
    ),
]


@dataclass
class FeeOut:
    """A fee of an event."""

    name: str
    per: str
    count: int
    amount: str
    total: str


@dataclass
class EventFeesOut:
    """The fees of an event."""

    report: int
    event: str
    list: str
    kind: str
    players: int
    rated: int
    average: int | None
    category: int | None
    currency: str
    fees: Sequence[FeeOut]
    total: str


@dataclass
class AccountOut:
    """The account of a year; amounts are texts with two decimals."""

    year: int
    currency: str
    total: str
    events: Sequence[EventFeesOut]


@dataclass
class FeeTableOut:
    """The fee table of the office as TOML; empty if it has none."""

    table: str


@get(
    "/fees", summary="Fees of a year", **COSTLY_SECURED,
    responses=answers(AccountOut, "GET /api/v1/fees", 400, 401, 403, 404),
)  # fmt: skip
def list_fees(request: Asked, year: Year = "") -> AccountOut:
    """The fees of the accepted reports of a year by the federation's own table."""
    table, of_year = kept_fee_table(office_of_officer(request)), asked_year(request)
    fees = own_fees(request, table, of_year)
    return to_schema(AccountOut, account_document(fees, table, of_year, words_for(request)))


@get(
    "/fees.csv", summary="Fees of a year, as CSV", media_type="text/csv", **COSTLY_SECURED,
    responses=csv_answers("GET /api/v1/fees.csv", 400, 401, 403, 404),
)  # fmt: skip
def get_fees_csv(request: Asked, year: Year = "") -> Response[bytes]:
    """The account of a year, a row for each fee of each event."""
    table = kept_fee_table(office_of_officer(request))
    data = account_csv(own_fees(request, table, asked_year(request)), table, words_for(request).language)
    return Response(data, media_type="text/csv")


@get(
    "/fee-table", summary="Fee table", sync_to_thread=True, **SECURED,
    responses=answers(FeeTableOut, "GET /api/v1/fee-table", 401, 403, 404),
)  # fmt: skip
def get_fee_table(request: Asked) -> FeeTableOut:
    """The federation's own fee table."""
    return FeeTableOut(fee_table_text(office_of_officer(request)))


@post(
    "/fee-table", summary="Set the fee table", status_code=200, sync_to_thread=True, **SECURED,
    responses=answers(FeeTableOut, "POST /api/v1/fee-table", 400, 401, 403, 404),
)  # fmt: skip
def change_fee_table(
    request: Asked,
    table: Annotated[
        str,
        QueryParameter(
            description="The table as TOML; a wrong one is refused. Empty: remove the table.",
            max_length=8_000,
            examples=[
                Example(value='currency = "EUR"\n[[fee]]\nname = "Fee"\nper = "player"\namount = "1.00"')
            ],
        ),
    ],
    reason: Note = "",
) -> FeeTableOut:
    """Set the federation's fee table, for officers of all federations."""
    for_all(request)
    office = office_of_officer(request)
    set_fee_table(office, table, reason)
    return FeeTableOut(fee_table_text(office))


ROUTES = (list_fees, get_fees_csv, get_fee_table, change_fee_table)
