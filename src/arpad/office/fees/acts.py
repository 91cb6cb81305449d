"""Fees: the federation's own table, the account of a year, invoices with their payments, and credit notes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Annotated, Literal

from sqlalchemy import Connection

from arpad.explain.fees import (
    InvoiceHead,
    credit_note_content,
    fees_document,
    invoice_content,
    invoice_pdf,
    plain_amount,
)
from arpad.explain.words import load_words
from arpad.model.canonical_json import dump
from arpad.model.declared import Accepts, CsvFile, PdfFile
from arpad.model.errors import BadInput
from arpad.model.people import YEARS
from arpad.office.declared import Reading, Reason, ReportNumber, act, costly, query
from arpad.office.fees.account import (
    TABLE_SETTING,
    account_csv,
    fee_table_text,
    kept_fee_table,
    report_fees,
    year_fees,
)
from arpad.office.fees.rows import Invoice, last_of_year, load_invoices, number_text
from arpad.office.fees.tables import invoice_payments
from arpad.office.fees.tables import invoices as invoices_table
from arpad.office.office import ActContext
from arpad.office.reports.status import report_on_file
from arpad.office.users import officer, officer_of, officer_of_all
from arpad.regulations.fee_table import read_fee_table
from arpad.store.settings import add_setting_changes, read_setting
from arpad.system.spreadsheet_cells import csv_text

COLUMNS = (
    "number", "day", "kind", "state", "paid", "credits", "credited_by", "report", "event", "recipient", "total",
    "currency",
)  # fmt: skip
MOST_LINES = 10
LONGEST_LINE = 200
LARGEST_TABLE = 50_000
"""Characters of a fee table."""

INVOICES = "/desk/invoices?year={year}"
_NUMBER = re.compile(r"(\d{4})[/-](\d{1,7})", re.ASCII)


def known_number(text: str, parameter: str) -> str:
    """Return the number of an invoice as ``2026/7``, also from ``2026-7``; refuse another text."""
    if not text:
        return ""
    match = _NUMBER.fullmatch(text)
    if match is None or int(match[1]) not in YEARS or int(match[2]) < 1:
        raise BadInput("bad-form", option=parameter, value=text[:20], accepted="2026/7")
    return number_text(int(match[1]), int(match[2]))


def _split(number: str) -> tuple[int, int]:
    year, _, sequence = number.partition("/")
    return int(year), int(sequence)


Number = Annotated[
    str, Accepts("2025-1", longest=20, word="invoice-number", personal=False, read=known_number)
]
FirstNumber = Annotated[
    str, Accepts("2025/7", longest=20, word="invoice-first-number", personal=False, read=known_number)
]
InvoiceDay = Annotated[date, Accepts("2025-01-15", word="invoice-day")]
PaidOn = Annotated[date, Accepts("2025-01-15", word="invoice-paid-on")]
Recipient = Annotated[
    Sequence[str],
    Accepts("Circolo di Bellariva", longest=LONGEST_LINE, word="invoice-to", lines=True, personal=True),
]
Language = Annotated[Literal["it", "en", "fr"], Accepts("it", word="invoice-language")]
Table = Annotated[str, Accepts(longest=LARGEST_TABLE, word="fee-table", personal=False, lines=True)]
Year = Annotated[int, Accepts("2025", low=YEARS.start, high=YEARS.stop - 1, word="fee-year")]
InvoiceYear = Annotated[int, Accepts("2025", low=YEARS.start, high=YEARS.stop - 1, word="invoice-year")]

OF_REPORT = officer_of(
    "register", lambda connection, given: report_on_file(connection, given["report"]).federation
)
OF_INVOICE = officer_of(
    "register", lambda connection, given: known_invoice(connection, given["number"]).federation
)


@dataclass(frozen=True, slots=True)
class KeptTable:
    """The fee table of the office as TOML; empty if it has none."""

    table: str


@dataclass(frozen=True, slots=True)
class FeeLine:
    """A fee of an event."""

    name: str
    per: str
    count: int
    amount: str
    total: str


@dataclass(frozen=True, slots=True)
class EventAccount:
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
    fees: tuple[FeeLine, ...]
    total: str


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a year; amounts are texts with two decimals."""

    year: int
    currency: str
    total: str
    events: tuple[EventAccount, ...]


@dataclass(frozen=True, slots=True)
class InvoiceEntry:
    """An invoice or a credit note; the total is a text with two decimals."""

    number: str
    day: date
    kind: str
    state: str
    paid: str
    credits: str
    credited_by: str
    report: int
    event: str
    recipient: tuple[str, ...]
    total: str
    currency: str

    @property
    def year(self) -> int:
        """The year of its number."""
        return _split(self.number)[0]


@dataclass(frozen=True, slots=True)
class OpenSum:
    """What is still to be paid in a currency."""

    currency: str
    total: str


@dataclass(frozen=True, slots=True)
class Invoices:
    """The invoices of a year, in the order of their numbers."""

    year: int
    invoices: tuple[InvoiceEntry, ...]
    open: tuple[OpenSum, ...]


# -------------------------------------------------------------------------------------------- the table, the account


@query("fee table", officer("register"), path="/fee-table")
def fee_table(reading: Reading) -> KeptTable:
    """Show the federation's fee table."""
    return KeptTable(fee_table_text(reading.connection))


@act(
    "fee set-table",
    officer_of_all("register"),
    says="fees.table-set",
    page="/desk/fees",
    verb="set-fee-table",
)
def set_fee_table(act: ActContext, table: Table | None = None, *, reason: Reason = "") -> KeptTable:
    """Set the fee table of the office; an empty one removes it, a wrong one is refused."""
    if table is None:
        raise BadInput("value-missing", option="table")
    kept = table.replace("\r\n", "\n").strip()
    if kept:
        read_fee_table(kept)
    act.unchanged = kept == read_setting(act.connection, TABLE_SETTING)
    if not act.unchanged:
        add_setting_changes(act.connection, {TABLE_SETTING: kept}, act.seq)
        act.record(table=None, sha256=sha256(kept.encode()).hexdigest() if kept else "")
    return KeptTable(kept)


@costly
@query("fee account", officer("register"), columns=("report", "event", "total"), path="/fees")
def account(reading: Reading, year: Year | None = None) -> Account:
    """Compute the fees of all accepted reports of a year by the federation's table."""
    table, of_year = kept_fee_table(reading.connection), year or reading.today.year
    fees = year_fees(reading, table, of_year)
    events = []
    for item in fees:
        shown = fees_document(item.header, item.fees, table, reading.words)
        shown["fees"] = tuple(FeeLine(**line) for line in shown["fees"])
        events.append(EventAccount(item.filed.id, **shown))
    total = plain_amount(sum(item.fees.total for item in fees))
    return Account(of_year, table.currency, total, tuple(events))


# ------------------------------------------------------------------------------------------------------- invoices


@query(
    "fee invoices",
    officer("register"),
    columns=("number", "day", "event", "state", "total", "currency"),
    path="/invoices",
)
def invoices(reading: Reading, year: InvoiceYear | None = None) -> Invoices:
    """List the invoices and credit notes of a year: open, paid or credited."""
    of_year = year or reading.today.year
    listed = own_invoices(reading, of_year)
    unpaid = [OpenSum(currency, plain_amount(total)) for currency, total in open_sums(listed).items()]
    return Invoices(of_year, tuple(entry_of(it) for it in listed), tuple(unpaid))


@costly
@query("fee account-csv", officer("register"), path="/fees.csv")
def account_file(reading: Reading, year: Year | None = None) -> CsvFile:
    """Write the account of a year as CSV, a row for each fee."""
    table, of_year = kept_fee_table(reading.connection), year or reading.today.year
    fees = year_fees(reading, table, of_year)
    return CsvFile(f"fees-{of_year}.csv", account_csv(fees, table, reading.words.language))


@costly
@query("fee invoices-csv", officer("register"), path="/invoices.csv")
def invoices_file(reading: Reading, year: InvoiceYear | None = None) -> CsvFile:
    """Write the invoices and credit notes of a year as CSV."""
    found = invoices.function(reading, year)
    rows = [
        {name: str(getattr(it, name)) for name in COLUMNS}
        | {"recipient": ", ".join(it.recipient), "total": Decimal(it.total)}  # an amount is no formula
        for it in found.invoices
    ]
    return CsvFile(f"invoices-{found.year}.csv", csv_text(COLUMNS, (row.values() for row in rows)).encode())


@costly
@query("fee paper", OF_INVOICE, path="/invoices/{number}/paper.pdf")
def invoice_paper(reading: Reading, number: Number) -> PdfFile:
    """Write an invoice or credit note on record as PDF, as it was issued."""
    content = known_invoice(reading.connection, number).content
    return PdfFile(f"invoice-{number.replace('/', '-')}.pdf", invoice_pdf(content))


@query("fee show", OF_INVOICE, path="/invoices/{number}", says="fees.shown")
def invoice(reading: Reading, number: Number) -> InvoiceEntry:
    """Show an invoice or credit note on record."""
    return entry_of(known_invoice(reading.connection, number))


@act("fee invoice", OF_REPORT, says="fees.invoice-issued", page=INVOICES, verb="invoice")
def issue_invoice(
    act: ActContext,
    report: ReportNumber,
    *,
    to: Recipient,
    day: InvoiceDay | None = None,
    number: FirstNumber = "",
    language: Language | None = None,
    reason: Reason = "",
) -> InvoiceEntry:
    """Issue the invoice of an accepted report, under the next number of the year.

    A number may be given for the first invoice of a year, if the federation's books continue at it. A report has one
    invoice, until that one is credited.
    """
    table = kept_fee_table(act.connection)
    item = report_fees(act.connection, table, report)
    if not item.fees.lines:
        raise BadInput("invoice-nothing", option="report", report=report)
    lines = _lines(to)
    for earlier in load_invoices(act.connection, report=report):
        if not earlier.credits and not earlier.credited_by:
            raise BadInput("invoice-again", option="report", report=report, number=earlier.number)
    on = _day(act, day)
    issued = _next(act.connection, on, number)
    head = InvoiceHead(number_text(*issued), on, lines)
    words = load_words(language or read_setting(act.connection, "language") or "en")
    act.add(
        invoices_table, year=issued[0], sequence=issued[1], report=report, day=str(on), currency=table.currency,
        total=item.fees.total, content=dump(invoice_content(item.header, item.fees, table, head, words)),
    )  # fmt: skip
    act.record(to=None, invoice=head.number, total=plain_amount(item.fees.total), currency=table.currency)
    return entry_of(known_invoice(act.connection, head.number))


@act("fee credit", OF_INVOICE, says="fees.credit-note-issued", page=INVOICES, verb="credit-invoice")
def credit_invoice(
    act: ActContext, number: Number, *, day: InvoiceDay | None = None, reason: Reason
) -> InvoiceEntry:
    """Cancel an invoice by a credit note, which takes the next number of the year."""
    invoice = _uncredited(act.connection, number)
    on = _day(act, day)
    if on < invoice.day:
        raise BadInput("invoice-day", option="day", day=on, last=invoice.day, number=invoice.number)
    issued = _next(act.connection, on, "")
    words = load_words(str(invoice.content["language"]))
    note = number_text(*issued)
    act.add(
        invoices_table, year=issued[0], sequence=issued[1], report=invoice.report, credits=invoice.id, day=str(on),
        currency=invoice.currency, total=-invoice.total,
        content=dump(credit_note_content(invoice.content, invoice.number, note, on, words)),
    )  # fmt: skip
    act.record(invoice=note, credits=invoice.number, report=invoice.report)
    return entry_of(known_invoice(act.connection, note))


@act("fee pay", OF_INVOICE, says="fees.invoice-is-paid", page=INVOICES, verb="pay-invoice")
def pay_invoice(
    act: ActContext, number: Number, *, day: PaidOn | None = None, reason: Reason = ""
) -> InvoiceEntry:
    """Record that an invoice was paid, today or on a day."""
    invoice = _uncredited(act.connection, number)
    on = _day(act, day)
    if invoice.paid is not None:
        raise BadInput("invoice-paid", option="number", number=invoice.number, day=invoice.paid)
    act.add(invoice_payments, invoice=invoice.id, day=str(on))
    act.record(invoice=invoice.number, report=invoice.report, day=str(on))
    return entry_of(known_invoice(act.connection, invoice.number))


@act("fee reopen", OF_INVOICE, says="fees.invoice-is-open", page=INVOICES, verb="reopen-invoice")
def reopen_invoice(act: ActContext, number: Number, *, reason: Reason) -> InvoiceEntry:
    """Record that an invoice is not paid after all."""
    invoice = known_invoice(act.connection, number)
    if invoice.paid is None:
        raise BadInput("invoice-not-paid", option="number", number=invoice.number)
    act.add(invoice_payments, invoice=invoice.id, day="")
    act.record(invoice=invoice.number, report=invoice.report)
    return entry_of(known_invoice(act.connection, invoice.number))


# ------------------------------------------------------------------------------------------------- what is known


def known_invoice(connection: Connection, number: str) -> Invoice:
    """Return an invoice or credit note by its number; refuse an unknown one."""
    year, sequence = _split(number)
    for invoice in load_invoices(connection, year=year):
        if invoice.sequence == sequence:
            return invoice
    raise BadInput("no-invoice", option="number", number=number)


def own_invoices(reading: Reading, year: int) -> list[Invoice]:
    """Return the invoices of a year, for an officer of one federation those of its events."""
    listed = load_invoices(reading.connection, year=year)
    return [it for it in listed if reading.caller.officer_of(it.federation)]


def entry_of(invoice: Invoice) -> InvoiceEntry:
    """Return an invoice or credit note as an answer."""
    content = invoice.content
    return InvoiceEntry(
        invoice.number, invoice.day, "credit-note" if invoice.credits else "invoice", invoice.state,
        str(invoice.paid or ""), invoice.credits, invoice.credited_by, invoice.report,
        content["event"][0] if content["event"] else "", tuple(content["recipient"]), plain_amount(invoice.total),
        invoice.currency,
    )  # fmt: skip


def open_sums(invoices: Iterable[Invoice]) -> dict[str, int]:
    """Return what is still to be paid, by currency."""
    sums: dict[str, int] = {}
    for invoice in invoices:
        if invoice.state == "open":
            sums[invoice.currency] = sums.get(invoice.currency, 0) + invoice.total
    return sums


def _uncredited(connection: Connection, number: str) -> Invoice:
    """Return an invoice that no credit note cancels; refuse a credit note."""
    invoice = known_invoice(connection, number)
    if invoice.credits:
        raise BadInput("invoice-is-credit-note", option="number", number=invoice.number)
    if invoice.credited_by:
        raise BadInput("invoice-credited", option="number", number=invoice.number, note=invoice.credited_by)
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
    if not number:
        return following
    wanted = _split(number)
    if wanted[0] != on.year or (last is not None and wanted != following):
        raise BadInput(
            "invoice-number", option="number", number=number_text(*wanted), next=number_text(*following)
        )
    return wanted
