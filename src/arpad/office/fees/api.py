"""Files of fees for officers' programs: the account and the invoices of a year as CSV, and invoices as PDF."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.office.fees.pages import account_data, invoices_data, paper_data
from arpad.web.api.responses import csv_answers, pdf_answers
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import office_of_officer

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {
    "opt": dict(scope("register")) | COSTLY,
    "security": [{"token": []}],
    "sync_to_thread": True,
}


def _path(description: str, example: int) -> Any:
    return PathParameter(description=description, ge=1, le=2**31 - 1, examples=[Example(value=example)])


def _year(description: str, example: str) -> Any:
    return QueryParameter(description=description, max_length=10, examples=[Example(value=example)])


@get(
    "/fees.csv", summary="Fees of a year, as CSV", media_type="text/csv", **SECURED,
    responses=csv_answers("GET /api/v1/fees.csv", 400, 401, 403, 404),
)  # fmt: skip
def get_fees_csv(
    request: Asked,
    year: Annotated[str, _year("The year in which the events ended; default: this one.", "2024")] = "",
) -> Response[bytes]:
    """The account of a year, a row for each fee of each event."""
    office_of_officer(request)
    return Response(account_data(request)[0], media_type="text/csv")


@get(
    "/invoices.csv", summary="Invoices of a year, as CSV", media_type="text/csv", **SECURED,
    responses=csv_answers("GET /api/v1/invoices.csv", 400, 401, 403, 404),
)  # fmt: skip
def get_invoices_csv(
    request: Asked, year: Annotated[str, _year("The year of the invoices; default: this one.", "2025")] = ""
) -> Response[bytes]:
    """The invoices and credit notes of a year, one row each."""
    return Response(invoices_data(request)[0], media_type="text/csv")


@get(
    "/invoices/{year:int}/{sequence:int}/paper.pdf", summary="An invoice as PDF", media_type="application/pdf",
    responses=pdf_answers("GET /api/v1/invoices/{year}/{sequence}/paper.pdf", 400, 401, 403, 404), **SECURED,
)  # fmt: skip
def get_invoice_pdf(
    request: Asked,
    year: Annotated[int, _path("The year of its number.", 2025)],
    sequence: Annotated[int, _path("Its number within the year.", 1)],
) -> Response[bytes]:
    """The paper of an invoice or credit note, as it was issued."""
    return Response(paper_data(request, year, sequence), media_type="application/pdf")


ROUTES = (get_fees_csv, get_invoices_csv, get_invoice_pdf)
