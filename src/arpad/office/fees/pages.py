"""The pages of fees and of invoices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.response import Redirect

from arpad.explain.fees import amount_text
from arpad.model.errors import BadInput
from arpad.model.people import YEARS
from arpad.model.typed_values import check_within, parse_integer
from arpad.office.declared import Reading, perform
from arpad.office.fees.account import (
    ReportFees,
    fee_table_text,
    fee_years,
    kept_fee_table,
    latest_fees,
    year_fees,
)
from arpad.office.fees.acts import open_sums, own_invoices, set_fee_table
from arpad.office.fees.rows import invoice_years, load_invoices
from arpad.office.fees.table_form import (
    COLUMNS,
    TableForm,
    example,
    form_of,
    form_sent,
    list_choices,
    table_text,
)
from arpad.regulations.fee_table import PER, read_fee_table
from arpad.web.cookies import done_cookie
from arpad.web.forms import form_texts, form_values, refuse
from arpad.web.reader import OFFICER, OFFICER_OF_ALL, caller_of, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page, signed_sentence

TRIED = 3
"""So many tournaments show what a table would have cost."""


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
    """Show the fees of a year, event by event, and the table as a form."""
    return _page(request)


def _page(
    request: WebRequest,
    form: TableForm | None = None,
    tried: Sequence[ReportFees] | None = None,
    wrong_row: int = 0,
) -> Response[str]:
    office, words, caller = require_office(request), words_for(request), caller_of(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, caller)
        year, text = asked_year(request, reading), fee_table_text(connection)
        table = kept_fee_table(connection) if text else None
        fees = year_fees(reading, table, year) if table else []
        years, now = fee_years(connection), reading.today
        issued = {item.report: item for item in load_invoices(connection) if item.state in ("open", "paid")}
    form = form or (form_of(text) if text else example(words))
    return page(
        request, "fees/desk.html", table=table, text=text, year=year, years=sorted({*years, year}, reverse=True),
        fees=fees, amount=lambda hundredths: amount_text(hundredths, words), may_set=caller.officer_of(""), now=now,
        issued=issued, total=sum(item.fees.total for item in fees), form=form, tried=tried, wrong_row=wrong_row,
        per=[(it, words.text(f"fees.for-{it}")) for it in PER], lists=list_choices(form, words), columns=COLUMNS[:-1],
    )  # fmt: skip


@post("/desk/fees", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def set_table(request: WebRequest) -> Response[Any]:
    """Save the table of the form, show what the last tournaments would have cost by it, or show one more row."""
    items = (await request.form()).multi_items()
    texts = await form_texts(request)
    sent = form_values(items)
    form = form_sent(
        texts, {name.removeprefix("fee."): sent[name] for name in sent if name.startswith("fee.")}
    )

    def work() -> Response[Any]:
        office, caller, do = require_office(request), caller_of(request), texts.get("do", "")
        if do == "row":
            return _page(request, form.with_empty_row())
        try:
            table = read_fee_table(table_text(form))
            if do == "try":
                with office.store.reading() as connection:
                    return _page(
                        request, form, latest_fees(Reading(office, connection, caller), table, TRIED)
                    )
            perform(set_fee_table, office, caller, {"table": table_text(form)})
        except BadInput as error:
            row, field = error.facts.get("row", 0), str(error.facts.get("key", ""))
            refuse(request, error, form.fields, field=f"fee.{field}" if row else field)
            return _page(request, form, wrong_row=int(row))
        cookie = done_cookie(request, signed_sentence(request, words_for(request).text("fees.table-set")))
        return Redirect("/desk/fees", status_code=303, cookies=[cookie])

    return await sync_to_thread(work)


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
