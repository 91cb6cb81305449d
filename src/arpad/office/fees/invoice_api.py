"""Invoices for officers' programs: issued, listed, paid and credited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.model.typed_values import parse_day
from arpad.office.fees.api import COSTLY_SECURED, SECURED, Asked
from arpad.office.fees.invoice_pages import issue_own, own_invoice, own_invoices
from arpad.office.fees.invoices import (
    credit_invoice,
    invoice_document,
    invoices_csv,
    invoices_document,
    paper,
    pay_invoice,
    reopen_invoice,
)
from arpad.office.fees.pages import asked_year
from arpad.office.fees.rows import number_text
from arpad.web.api.parameters import Note
from arpad.web.api.responses import answers, csv_answers, pdf_answers, to_schema
from arpad.web.desk import office_of_officer


def _path(description: str, example: int) -> Any:
    return PathParameter(description=description, ge=1, le=2**31 - 1, examples=[Example(value=example)])


def _query(description: str, example: Any, most: int = 40) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


Year = Annotated[str, _query("The year of the invoices; default: this one.", "2025", 10)]
OfYear = Annotated[int, _path("The year of its number.", 2025)]
Sequence_ = Annotated[int, _path("Its number within the year.", 1)]
Credited = Annotated[int, _path("Its number within the year.", 2)]
Reopened = Annotated[int, _path("Its number within the year.", 3)]
Day = Annotated[str, _query("The day; default: today.", "2025-01-15")]


@dataclass
class InvoiceOut:
    """An invoice or a credit note; the total is a text with two decimals."""

    number: str
    day: str
    kind: str
    state: str
    paid: str
    credits: str
    credited_by: str
    report: int
    event: str
    recipient: Sequence[str]
    total: str
    currency: str


@dataclass
class OpenOut:
    """What is still to be paid in a currency."""

    currency: str
    total: str


@dataclass
class InvoicesOut:
    """The invoices of a year, in the order of their numbers."""

    year: int
    open: Sequence[OpenOut]
    invoices: Sequence[InvoiceOut]


@get(
    "/invoices", summary="Invoices of a year", sync_to_thread=True, **SECURED,
    responses=answers(InvoicesOut, "GET /api/v1/invoices", 400, 401, 403, 404),
)  # fmt: skip
def list_invoices(request: Asked, year: Year = "") -> InvoicesOut:
    """The invoices and credit notes of a year, each open, paid or credited."""
    office_of_officer(request)
    of_year = asked_year(request)
    return to_schema(InvoicesOut, invoices_document(own_invoices(request, of_year), of_year))


@get(
    "/invoices.csv", summary="Invoices of a year, as CSV", media_type="text/csv", sync_to_thread=True, **SECURED,
    responses=csv_answers("GET /api/v1/invoices.csv", 400, 401, 403, 404),
)  # fmt: skip
def get_invoices_csv(request: Asked, year: Year = "") -> Response[bytes]:
    """The invoices and credit notes of a year, one row each."""
    office_of_officer(request)
    return Response(invoices_csv(own_invoices(request, asked_year(request))), media_type="text/csv")


@post(
    "/invoices", status_code=201, summary="Issue an invoice", **COSTLY_SECURED,
    responses=answers(InvoiceOut, "POST /api/v1/invoices", 400, 401, 403, 404, status=201),
)  # fmt: skip
def add_invoice(
    request: Asked,
    report: Annotated[
        int,
        QueryParameter(
            description="The number of an accepted report.", ge=1, le=2**31 - 1, examples=[Example(value=5)]
        ),
    ],
    to: Annotated[
        list[str],
        QueryParameter(
            description="For whom it is, once for each line.",
            max_items=10,
            examples=[Example(value=["Circolo di Bellariva", "via del Porto 1"])],
        ),
    ],
    day: Day = "",
    number: Annotated[
        str, _query("The first number of a year, if the federation's books are ahead.", "2025/4")
    ] = "",
    reason: Note = "",
) -> InvoiceOut:
    """Issue the invoice of an accepted report, under the next number of the year."""
    office_of_officer(request)
    issued = issue_own(request, report, to, day=day, number=number, reason=reason)
    return to_schema(InvoiceOut, invoice_document(issued))


@get(
    "/invoices/{year:int}/{sequence:int}/paper.pdf", summary="Invoice as PDF", media_type="application/pdf",
    **COSTLY_SECURED, responses=pdf_answers("GET /api/v1/invoices/{year}/{sequence}/paper.pdf", 400, 401, 403, 404),
)  # fmt: skip
def get_invoice_pdf(request: Asked, year: OfYear, sequence: Sequence_) -> Response[bytes]:
    """An invoice or credit note as it was issued."""
    office_of_officer(request)
    _, invoice = own_invoice(request, number_text(year, sequence))
    return Response(paper(invoice), media_type="application/pdf")


@post(
    "/invoices/{year:int}/{sequence:int}/paid", status_code=200, summary="Record a payment", sync_to_thread=True,
    **SECURED, responses=answers(InvoiceOut, "POST /api/v1/invoices/{year}/{sequence}/paid", 400, 401, 403, 404),
)  # fmt: skip
def record_payment(
    request: Asked, year: OfYear, sequence: Sequence_, day: Day = "", reason: Note = ""
) -> InvoiceOut:
    """Record that an invoice was paid, today or on a day."""
    office_of_officer(request)
    office, invoice = own_invoice(request, number_text(year, sequence))
    on = parse_day(day, "day") if day else None
    return to_schema(InvoiceOut, invoice_document(pay_invoice(office, invoice.number, day=on, reason=reason)))


@post(
    "/invoices/{year:int}/{sequence:int}/reopen", status_code=200, summary="Take a payment back",
    sync_to_thread=True, **SECURED,
    responses=answers(InvoiceOut, "POST /api/v1/invoices/{year}/{sequence}/reopen", 400, 401, 403, 404),
)  # fmt: skip
def take_payment_back(request: Asked, year: OfYear, sequence: Reopened, reason: Note = "") -> InvoiceOut:
    """Record that an invoice is not paid after all; a reason is needed."""
    office_of_officer(request)
    office, invoice = own_invoice(request, number_text(year, sequence))
    return to_schema(InvoiceOut, invoice_document(reopen_invoice(office, invoice.number, reason)))


@post(
    "/invoices/{year:int}/{sequence:int}/credit", status_code=201, summary="Credit an invoice", sync_to_thread=True,
    **SECURED,
    responses=answers(
        InvoiceOut, "POST /api/v1/invoices/{year}/{sequence}/credit", 400, 401, 403, 404, status=201
    ),
)  # fmt: skip
def add_credit_note(
    request: Asked, year: OfYear, sequence: Credited, reason: Note = "", day: Day = ""
) -> InvoiceOut:
    """Cancel an invoice by a credit note, which takes the next number of the year; a reason is needed."""
    office_of_officer(request)
    office, invoice = own_invoice(request, number_text(year, sequence))
    note = credit_invoice(office, invoice.number, reason, day=parse_day(day, "day") if day else None)
    return to_schema(InvoiceOut, invoice_document(note))


ROUTES = (
    list_invoices, get_invoices_csv, add_invoice, get_invoice_pdf, record_payment, take_payment_back, add_credit_note,
)  # fmt: skip
