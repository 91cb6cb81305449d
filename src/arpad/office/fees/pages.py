"""The page of fees: the federation's own table, the account of a year as CSV, and the form that issues an invoice."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from arpad.explain.fees import amount_text
from arpad.model.people import YEARS
from arpad.model.typed_values import check_within, parse_integer
from arpad.office.fees.acts import (
    LARGEST_TABLE,
    ReportFees,
    account_csv,
    fee_table_text,
    fee_years,
    kept_fee_table,
    set_fee_table,
    year_fees,
)
from arpad.office.fees.rows import load_invoices
from arpad.office.office import today
from arpad.office.users import Role
from arpad.regulations.fee_table import FeeTable
from arpad.web.auth import OFFICER
from arpad.web.desk import attachment, desk_of, for_all, is_for_all, worker
from arpad.web.forms import act_and_redirect, form_texts, require_fields
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


def asked_year(request: WebRequest) -> int:
    """Return the year that was asked for, else the one of today."""
    office = require_office(request)
    text = request.query_params.get("year", "")
    if text:
        year = parse_integer(text, "year")
        check_within(year, "year", YEARS.start, YEARS.stop - 1)
        return year
    with office.store.reading() as connection:
        return today(office, connection).year


def own_fees(request: WebRequest, table: FeeTable, year: int) -> list[ReportFees]:
    """Return the fees of a year, for an officer of one federation only those of its events."""
    user = worker(request)
    fees = year_fees(require_office(request), table, year)
    return [item for item in fees if user.may(Role.OFFICER, item.filed.federation)]


@get("/desk/fees", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def fees_page(request: WebRequest) -> Response[str]:
    """Show the fees of a year, event by event, and the table."""
    return fees_page_of(request, asked_year(request))


def fees_page_of(request: WebRequest, year: int) -> Response[str]:
    """Return the page of the fees of a year."""
    office, words = require_office(request), words_for(request)
    text = fee_table_text(office)
    table, fees = None, []
    if text:
        table = kept_fee_table(office)
        fees = own_fees(request, table, year)
    with office.store.reading() as connection:
        years, now = fee_years(connection), today(office, connection)
        issued = {item.report: item for item in load_invoices(connection) if item.state in ("open", "paid")}
    return page(
        request, "fees/desk.html", table=table, text=text, year=year, years=sorted({*years, year}, reverse=True),
        fees=fees, amount=lambda hundredths: amount_text(hundredths, words), may_set=is_for_all(request), now=now,
        issued=issued, total=sum(item.fees.total for item in fees), longest=LARGEST_TABLE,
    )  # fmt: skip


@post("/desk/fees/table", opt=OFFICER, include_in_schema=False, status_code=200)
async def change_fee_table(request: WebRequest) -> Response[Any]:
    """Set the fee table."""
    texts = await form_texts(request)

    def act() -> str:
        for_all(request)
        require_fields(texts, "table")
        set_fee_table(desk_of(request), texts.get("table", ""), texts.get("reason", ""))
        return "/desk/fees"

    return await act_and_redirect(request, act, lambda: fees_page_of(request, asked_year(request)))


@get("/desk/fees.csv", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def account_file(request: WebRequest) -> Response[bytes]:
    """Return the account of a year as CSV."""
    table, year = kept_fee_table(require_office(request)), asked_year(request)
    data = account_csv(own_fees(request, table, year), table, words_for(request).language)
    return attachment(data, "text/csv; charset=utf-8", f"fees-{year}.csv")


ROUTES = (fees_page, change_fee_table, account_file)
