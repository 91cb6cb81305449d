"""Invoices on record: one sequence for each year, open or paid, and credit notes that cancel them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.explain.fees import InvoiceHead, credit_note_content, invoice_content, invoice_pdf, plain_amount
from arpad.explain.words import Words, load_words
from arpad.model.errors import BadInput
from arpad.model.people import YEARS
from arpad.office.fees.acts import kept_fee_table, report_fees
from arpad.office.fees.rows import Invoice, add_invoice, add_payment, last_of_year, load_invoices, number_text
from arpad.office.office import ActContext, Office, record_act
from arpad.regulations.fee_table import FeeTable
from arpad.system.spreadsheet_cells import escape

COLUMNS = (
    "number", "day", "kind", "state", "paid", "credits", "credited_by", "report", "event", "recipient", "total",
    "currency",
)  # fmt: skip
MOST_LINES = 10
LONGEST_LINE = 200
_NUMBER = re.compile(r"(\d{4})[/-](\d{1,7})", re.ASCII)
_FORM = "2026/7"


def parse_number(text: str) -> tuple[int, int]:
    """Return year and sequence of the number of an invoice, as ``2026/7`` or ``2026-7``."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None or int(match[1]) not in YEARS or int(match[2]) < 1:
        raise BadInput("bad-form", option="number", value=text[:20], accepted=_FORM)
    return int(match[1]), int(match[2])


def invoices_of_year(office: Office, year: int) -> list[Invoice]:
    """Return the invoices and credit notes of a year, in the order of their numbers."""
    with office.store.reading() as connection:
        return load_invoices(connection, year=year)


def invoice_on_record(office: Office, number: str) -> Invoice:
    """Return an invoice or credit note by its number; refuse an unknown one."""
    with office.store.reading() as connection:
        return _known(connection, number)


def _known(connection: Connection, number: str) -> Invoice:
    year, sequence = parse_number(number)
    for invoice in load_invoices(connection, year=year):
        if invoice.sequence == sequence:
            return invoice
    raise BadInput("no-invoice", number=number_text(year, sequence))


def paper(invoice: Invoice) -> bytes:
    """Return an invoice or credit note as PDF, as it was issued."""
    return invoice_pdf(invoice.content)


# ------------------------------------------------------------------------------------------------------- the acts


def issue_invoice(
    office: Office,
    report: int,
    recipient: Sequence[str],
    words: Words,
    *,
    day: date | None = None,
    number: str = "",
    table: FeeTable | None = None,
    reason: str = "",
) -> Invoice:
    """Issue the invoice of an accepted report, under the next number of the year.

    A number may be given for the first invoice of a year, if the federation's books continue at it. A report has one
    invoice, until that one is credited.
    """
    chosen = table or kept_fee_table(office)
    item = report_fees(office, chosen, report)
    if not item.fees.lines:
        raise BadInput("invoice-nothing", report=report)
    lines = _lines(recipient)
    with record_act(office, "invoice", reason) as act:
        for earlier in load_invoices(act.connection, report=report):
            if not earlier.credits and not earlier.credited_by:
                raise BadInput("invoice-again", report=report, number=earlier.number)
        on = _day(act, day)
        issued = _next(act.connection, on, number)
        head = InvoiceHead(number_text(*issued), on, lines)
        add_invoice(
            act.connection, issued, report=report, day=on, currency=chosen.currency, total=item.fees.total,
            content=invoice_content(item.header, item.fees, chosen, head, words), act=act.seq,
        )  # fmt: skip
        act.record(
            invoice=head.number, report=report, total=plain_amount(item.fees.total), currency=chosen.currency
        )
        return _known(act.connection, head.number)


def credit_invoice(office: Office, number: str, reason: str, *, day: date | None = None) -> Invoice:
    """Cancel an invoice by a credit note, which takes the next number of the year; a reason is needed."""
    with record_act(office, "credit-invoice", reason, reason_needed=True) as act:
        invoice = _uncredited(act.connection, number)
        on = _day(act, day)
        if on < invoice.day:
            raise BadInput("invoice-day", option="day", day=on, last=invoice.day, number=invoice.number)
        issued = _next(act.connection, on, "")
        words = load_words(str(invoice.content["language"]))
        note = number_text(*issued)
        add_invoice(
            act.connection, issued, report=invoice.report, day=on, currency=invoice.currency, total=-invoice.total,
            content=credit_note_content(invoice.content, invoice.number, note, on, words), act=act.seq,
            credited=invoice.id,
        )  # fmt: skip
        act.record(invoice=note, credits=invoice.number, report=invoice.report)
        return _known(act.connection, note)


def pay_invoice(office: Office, number: str, *, day: date | None = None, reason: str = "") -> Invoice:
    """Record that an invoice was paid, today or on a day."""
    with record_act(office, "pay-invoice", reason) as act:
        invoice = _uncredited(act.connection, number)
        on = _day(act, day)
        if invoice.paid is not None:
            raise BadInput("invoice-paid", number=invoice.number, day=invoice.paid)
        add_payment(act.connection, invoice.id, on, act.seq)
        act.record(invoice=invoice.number, report=invoice.report, day=str(on))
        return _known(act.connection, invoice.number)


def reopen_invoice(office: Office, number: str, reason: str) -> Invoice:
    """Record that an invoice is not paid after all; a reason is needed."""
    with record_act(office, "reopen-invoice", reason, reason_needed=True) as act:
        invoice = _known(act.connection, number)
        if invoice.paid is None:
            raise BadInput("invoice-not-paid", number=invoice.number)
        add_payment(act.connection, invoice.id, None, act.seq)
        act.record(invoice=invoice.number, report=invoice.report)
        return _known(act.connection, invoice.number)


def _uncredited(connection: Connection, number: str) -> Invoice:
    """Return an invoice that no credit note cancels; refuse a credit note."""
    invoice = _known(connection, number)
    if invoice.credits:
        raise BadInput("invoice-is-credit-note", number=invoice.number)
    if invoice.credited_by:
        raise BadInput("invoice-credited", number=invoice.number, note=invoice.credited_by)
    return invoice


def _lines(recipient: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of the recipient without empty ones; refuse more than a letter's window shows."""
    lines = tuple(line.strip() for line in recipient if line.strip())
    if not lines:
        raise BadInput("invoice-recipient", option="to")
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        raise BadInput("invoice-lines", option="to", most=MOST_LINES, longest=LONGEST_LINE)
    return lines


def _day(act: ActContext, day: date | None) -> date:
    on = day or act.today
    if on > act.today:
        raise BadInput("invoice-later", option="day", day=on, today=act.today)
    return on


def _next(connection: Connection, on: date, number: str) -> tuple[int, int]:
    """Return the next number of the year of a day; refuse a day before the last invoice, and another number."""
    last = last_of_year(connection, on.year)
    if last is not None and on < last[1]:
        raise BadInput(
            "invoice-day", option="day", day=on, last=last[1], number=number_text(on.year, last[0])
        )
    following = (on.year, last[0] + 1 if last else 1)
    if not number.strip():
        return following
    wanted = parse_number(number)
    if wanted[0] != on.year or (last is not None and wanted != following):
        raise BadInput(
            "invoice-number", option="number", number=number_text(*wanted), next=number_text(*following)
        )
    return wanted


# ----------------------------------------------------------------------------------------------------- for programs


def invoice_document(invoice: Invoice) -> dict[str, Any]:
    """Return an invoice or credit note as it is shown to programs; amounts are texts with a point."""
    return {
        "number": invoice.number,
        "day": str(invoice.day),
        "kind": "credit-note" if invoice.credits else "invoice",
        "state": invoice.state,
        "paid": str(invoice.paid or ""),
        "credits": invoice.credits,
        "credited_by": invoice.credited_by,
        "report": invoice.report,
        "event": invoice.content["event"][0] if invoice.content["event"] else "",
        "recipient": list(invoice.content["recipient"]),
        "total": plain_amount(invoice.total),
        "currency": invoice.currency,
    }


def invoices_document(invoices: Sequence[Invoice], year: int) -> dict[str, Any]:
    """Return the invoices of a year as they are shown to programs, with the sum that is open in each currency."""
    unpaid = open_sums(invoices)
    return {
        "year": year,
        "open": [{"currency": currency, "total": plain_amount(total)} for currency, total in unpaid.items()],
        "invoices": [invoice_document(invoice) for invoice in invoices],
    }


def open_sums(invoices: Iterable[Invoice]) -> dict[str, int]:
    """Return what is still to be paid, by currency."""
    sums: dict[str, int] = {}
    for invoice in invoices:
        if invoice.state == "open":
            sums[invoice.currency] = sums.get(invoice.currency, 0) + invoice.total
    return sums


def invoices_csv(invoices: Iterable[Invoice]) -> bytes:
    """Return the invoices of a year as CSV, one row each; the recipient's lines are separated by commas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for invoice in invoices:
        row = invoice_document(invoice)
        row["recipient"] = ", ".join(row["recipient"])
        writer.writerow([row[name] if name == "total" else escape(str(row[name])) for name in COLUMNS])
    return text.getvalue().encode()
