"""The pages of fees and of invoices, with their files: the account and the invoices of a year, and the papers."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.fees import amount_text, invoice_pdf
from arpad.model.people import YEARS
from arpad.model.typed_values import check_within, parse_integer
from arpad.office.declared import Reading, perform
from arpad.office.fees.account import account_csv, fee_table_text, fee_years, kept_fee_table, year_fees
from arpad.office.fees.acts import invoice, invoices, invoices_csv, known_invoice, open_sums, own_invoices
from arpad.office.fees.rows import invoice_years, load_invoices, number_text
from arpad.web.auth import OFFICER, caller_of
from arpad.web.desk import attachment
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


def asked_year(request: WebRequest, reading: Reading) -> int:
    """Return the year that was asked for, else the one of today."""
    text = request.query_params.get("year", "")
    if not text:
        return reading.today.year
    year = parse_integer(text, "year")
    check_within(year, "year", YEARS.start, YEARS.stop - 1)
    return year


@get("/desk/fees", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def fees_page(request: WebRequest) -> Response[str]:
    """Show the fees of a year, event by event, and the table."""
    office, words, caller = require_office(request), words_for(request), caller_of(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, caller)
        year, text = asked_year(request, reading), fee_table_text(connection)
        table = kept_fee_table(connection) if text else None
        fees = year_fees(reading, table, year) if table else []
        years, now = fee_years(connection), reading.today
        issued = {item.report: item for item in load_invoices(connection) if item.state in ("open", "paid")}
    return page(
        request, "fees/desk.html", table=table, text=text, year=year, years=sorted({*years, year}, reverse=True),
        fees=fees, amount=lambda hundredths: amount_text(hundredths, words), may_set=caller.officer_of(""), now=now,
        issued=issued, total=sum(item.fees.total for item in fees),
    )  # fmt: skip


@get("/desk/invoices", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def invoices_page(request: WebRequest) -> Response[str]:
    """Show the invoices of a year, and what is open."""
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, caller_of(request))
        year = asked_year(request, reading)
        listed, years, now = own_invoices(reading, year), invoice_years(connection), reading.today
    return page(
        request, "fees/invoices.html", invoices=listed, year=year, years=sorted({*years, year}, reverse=True),
        now=now, unpaid=open_sums(listed), amount=lambda hundredths: amount_text(hundredths, words),
    )  # fmt: skip


def account_data(request: WebRequest) -> tuple[bytes, int]:
    """Return the account of a year as CSV, and the year."""
    office = require_office(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, caller_of(request))
        year, table = asked_year(request, reading), kept_fee_table(connection)
        fees = year_fees(reading, table, year)
    return account_csv(fees, table, words_for(request).language), year


def invoices_data(request: WebRequest) -> tuple[bytes, int]:
    """Return the invoices of a year as CSV, and the year."""
    asked = {"year": request.query_params.get("year")}
    found = perform(invoices, require_office(request), caller_of(request), asked)
    return invoices_csv(found.invoices), found.year


def paper_data(request: WebRequest, year: int, sequence: int) -> bytes:
    """Return an invoice or credit note as PDF, as it was issued, if the reader may see it."""
    office, number = require_office(request), number_text(year, sequence)
    perform(invoice, office, caller_of(request), {"number": number})
    with office.store.reading() as connection:
        return invoice_pdf(known_invoice(connection, number).content)


@get("/desk/fees.csv", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def account_file(request: WebRequest) -> Response[bytes]:
    """Return the account of a year as CSV."""
    data, year = account_data(request)
    return attachment(data, "text/csv; charset=utf-8", f"fees-{year}.csv")


@get("/desk/invoices.csv", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def invoices_file(request: WebRequest) -> Response[bytes]:
    """Return the invoices of a year as CSV."""
    data, year = invoices_data(request)
    return attachment(data, "text/csv; charset=utf-8", f"invoices-{year}.csv")


@get(
    "/desk/invoices/{year:int}/{sequence:int}/paper.pdf",
    opt=OFFICER,
    include_in_schema=False,
    sync_to_thread=True,
)
def invoice_paper(request: WebRequest, year: FromPath[int], sequence: FromPath[int]) -> Response[bytes]:
    """Return an invoice or credit note as it was issued."""
    data = paper_data(request, year, sequence)
    return attachment(data, "application/pdf", f"invoice-{year}-{sequence}.pdf")


ROUTES = (fees_page, invoices_page, account_file, invoices_file, invoice_paper)
