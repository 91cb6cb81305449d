"""The pages of fees and of invoices."""

from __future__ import annotations

from litestar import Response, get

from arpad.explain.fees import amount_text
from arpad.model.people import YEARS
from arpad.model.typed_values import check_within, parse_integer
from arpad.office.declared import Reading
from arpad.office.fees.account import fee_table_text, fee_years, kept_fee_table, year_fees
from arpad.office.fees.acts import open_sums, own_invoices
from arpad.office.fees.rows import invoice_years, load_invoices
from arpad.web.auth import OFFICER, caller_of
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


ROUTES = (fees_page, invoices_page)
