"""The page of invoices: those of a year with their state, their papers, payments and credit notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from arpad.explain.fees import amount_text
from arpad.model.typed_values import parse_day
from arpad.office.fees.invoices import (
    credit_invoice,
    invoice_on_record,
    invoices_csv,
    invoices_of_year,
    issue_invoice,
    open_sums,
    paper,
    parse_number,
    pay_invoice,
    reopen_invoice,
)
from arpad.office.fees.pages import asked_year, fees_page_of
from arpad.office.fees.rows import Invoice, invoice_years, number_text
from arpad.office.office import Office, today
from arpad.office.reports.pages import officers_own
from arpad.office.users import Role
from arpad.web.auth import OFFICER
from arpad.web.desk import attachment, desk_of, worker
from arpad.web.forms import Done, act_and_redirect, form_texts, number_field
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


def own_invoices(request: WebRequest, year: int) -> list[Invoice]:
    """Return the invoices of a year, for an officer of one federation only those of its events."""
    user = worker(request)
    return [
        invoice
        for invoice in invoices_of_year(require_office(request), year)
        if user.may(Role.OFFICER, invoice.federation)
    ]


def own_invoice(request: WebRequest, number: str) -> tuple[Office, Invoice]:
    """Return the desk and an invoice; refuse an officer of another federation."""
    office = desk_of(request)
    invoice = invoice_on_record(office, number)
    if not worker(request).may(Role.OFFICER, invoice.federation):
        raise Refused(403, "not-yours")
    return office, invoice


def issue_own(
    request: WebRequest, report: int, to: list[str], *, day: str, number: str, reason: str
) -> Invoice:
    """Issue the invoice of a report that the officer may decide about."""
    office = officers_own(request, report)
    on = parse_day(day, "day") if day else None
    return issue_invoice(office, report, to, words_for(request), day=on, number=number, reason=reason)


@get("/desk/invoices", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def invoices_page(request: WebRequest) -> Response[str]:
    """Show the invoices of a year, and what is open."""
    return _invoices_page(request, asked_year(request))


def _invoices_page(request: WebRequest, year: int) -> Response[str]:
    office, words = require_office(request), words_for(request)
    invoices = own_invoices(request, year)
    with office.store.reading() as connection:
        years, now = invoice_years(connection), today(office, connection)
    return page(
        request, "fees/invoices.html", invoices=invoices, year=year, years=sorted({*years, year}, reverse=True),
        now=now, unpaid=open_sums(invoices), amount=lambda hundredths: amount_text(hundredths, words),
    )  # fmt: skip


@get("/desk/invoices.csv", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def invoices_file(request: WebRequest) -> Response[bytes]:
    """Return the invoices of a year as CSV."""
    year = asked_year(request)
    return attachment(
        invoices_csv(own_invoices(request, year)), "text/csv; charset=utf-8", f"invoices-{year}.csv"
    )


@get(
    "/desk/invoices/{year:int}/{sequence:int}/paper.pdf",
    opt=OFFICER,
    include_in_schema=False,
    sync_to_thread=True,
)
def invoice_paper(request: WebRequest, year: FromPath[int], sequence: FromPath[int]) -> Response[bytes]:
    """Return an invoice or credit note as it was issued."""
    _, invoice = own_invoice(request, number_text(year, sequence))
    return attachment(paper(invoice), "application/pdf", f"invoice-{year}-{sequence}.pdf")


@post("/desk/invoices", opt=OFFICER, include_in_schema=False, status_code=200)
async def issue(request: WebRequest) -> Response[Any]:
    """Issue the invoice of a report."""
    texts = await form_texts(request)

    def act() -> Done:
        issued = issue_own(
            request, number_field(texts, "report"), texts.get("to", "").splitlines(), day=texts.get("day", ""),
            number=texts.get("number", ""), reason=texts.get("reason", ""),
        )  # fmt: skip
        return Done(f"/desk/invoices?year={issued.year}", "invoiced", issued.number)

    return await act_and_redirect(request, act, lambda: fees_page_of(request, _year(request, texts)))


def _year(request: WebRequest, texts: dict[str, str]) -> int:
    """Return the year of the page on which a form is, else the one of today."""
    text = texts.get("year", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 4 else asked_year(request)  # noqa: PLR2004  a year


@post("/desk/invoices/pay", opt=OFFICER, include_in_schema=False, status_code=200)
async def pay(request: WebRequest) -> Response[Any]:
    """Record that an invoice was paid."""
    texts = await form_texts(request)
    day = texts.get("day", "")
    return await _changed(
        request, texts,
        lambda office, number: pay_invoice(office, number, day=parse_day(day, "day") if day else None),
    )  # fmt: skip


@post("/desk/invoices/reopen", opt=OFFICER, include_in_schema=False, status_code=200)
async def reopen(request: WebRequest) -> Response[Any]:
    """Record that an invoice is not paid after all."""
    texts = await form_texts(request)
    return await _changed(
        request, texts, lambda office, number: reopen_invoice(office, number, texts.get("reason", ""))
    )


@post("/desk/invoices/credit", opt=OFFICER, include_in_schema=False, status_code=200)
async def credit(request: WebRequest) -> Response[Any]:
    """Cancel an invoice by a credit note."""
    texts = await form_texts(request)
    return await _changed(
        request, texts, lambda office, number: credit_invoice(office, number, texts.get("reason", ""))
    )


async def _changed(
    request: WebRequest, texts: dict[str, str], change: Callable[[Office, str], Invoice]
) -> Response[Any]:
    """Change an invoice, and show the page of its year again."""
    number = texts.get("number", "")

    def act() -> str:
        office, _ = own_invoice(request, number)
        return f"/desk/invoices?year={change(office, number).year}"

    return await act_and_redirect(request, act, lambda: _invoices_page(request, parse_number(number)[0]))


ROUTES = (invoices_page, invoices_file, invoice_paper, issue, pay, reopen, credit)
