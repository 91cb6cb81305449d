"""The pages of fees and of invoices."""

from collections.abc import Mapping, Sequence
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
from arpad.office.reports.visible import own_key
from arpad.regulations.fee_table import PER, read_fee_table
from arpad.web.cookies import done_cookie
from arpad.web.forms import form_texts, form_values, refuse
from arpad.web.reader import OFFICER, OFFICER_OF_ALL, caller_of, words_for
from arpad.web.requests import WebRequest, last_seal, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

TRIED = 3
"""So many tournaments show what a table would have cost."""


def asked_year(request: WebRequest) -> int:
    """Return the year that was asked for, else the one of today."""
    text, today = request.query_params.get("year", ""), settings_of(request).today
    if not text and today is not None:
        return today.year
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
    year, seal = asked_year(request), "" if form else last_seal(office)

    def account() -> Mapping[str, Any]:
        with office.store.reading() as connection:
            reading, text = Reading(office, connection, caller), fee_table_text(connection)
            table = kept_fee_table(connection) if text else None
            fees = year_fees(reading, table, year) if table else []
            years = fee_years(connection) if table else []
            invoices = load_invoices(connection) if fees else []
        shown = form or (form_of(text) if text else example(words))
        return {
            "table": table, "text": text, "years": sorted({*years, year}, reverse=True), "fees": fees,
            "now": reading.today, "issued": {it.report: it for it in invoices if it.state in ("open", "paid")},
            "form": shown, "lists": list_choices(shown, words),
        }  # fmt: skip

    return page(
        request, "fees/desk.html", seal=seal, asked=(year, own_key(caller)), read=account, year=year,
        amount=lambda hundredths: amount_text(hundredths, words), tried=tried,
        wrong_row=wrong_row, per=[(it, words.text(f"fees.for-{it}")) for it in PER], columns=COLUMNS[:-1],
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
        cookie = done_cookie(request, words_for(request).text("fees.table-set"))
        return Redirect("/desk/fees", status_code=303, cookies=[cookie])

    return await sync_to_thread(work)


@get("/desk/invoices", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def invoices_page(request: WebRequest) -> Response[str]:
    """Show the invoices of a year, and what is open."""
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, caller_of(request))
        year = asked_year(request)
        listed, years, now = own_invoices(reading, year), invoice_years(connection), reading.today
    return page(
        request, "fees/invoices.html", invoices=listed, year=year, years=sorted({*years, year}, reverse=True),
        now=now, unpaid=open_sums(listed), amount=lambda hundredths: amount_text(hundredths, words),
    )  # fmt: skip
