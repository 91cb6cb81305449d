"""``arpad office fees``: the federation's own fee table, the account of a year, and the invoices on record."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, naming_file, print_json, table
from arpad.cli.office.options import ReadOptions, Report, WriteOptions, day_of
from arpad.rating.arguments import read_toml
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.office.fees.rows import Invoice
    from arpad.office.office import Office
    from arpad.regulations.fee_table import FeeTable

TableOption = Annotated[
    Path | None, typer.Option("--table", metavar="FILE", help="Another fee table than the office's, as TOML.")
]


def _chosen(office: Office, path: Path | None) -> FeeTable:
    from arpad.office.fees.acts import kept_fee_table
    from arpad.regulations.fee_table import read_fee_table

    if path is None:
        return kept_fee_table(office)
    with naming_file(path):
        return read_fee_table(read_toml(str(path)))


def fee_table(
    desk: WriteOptions,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The new table, as TOML; without it, show the table."),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="The reason, for the ledger.")] = "",
) -> None:
    """Set or show the federation's fee table."""
    from arpad.office.fees.acts import fee_table_text, set_fee_table

    with desk.acting() as office:
        if file is not None:
            with naming_file(file):
                set_fee_table(office, read_toml(str(file)), reason)
        text = fee_table_text(office)
    if desk.json:
        print_json("arpad.office-fee-table/1", {"table": text})
    elif file is not None:
        desk.done({})
    else:
        sys.stdout.write(f"{text}\n" if text else desk.words.text("fees.no-table") + "\n")


Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The number of the invoice, as 2026/7.")]
Day = Annotated[str | None, typer.Option("--day", metavar="YYYY-MM-DD", help="The day; default: today.")]
Reason = Annotated[str, typer.Option("--reason", help="The reason, for the ledger.")]
Pdf = Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Write it as PDF.")]


def invoice(
    desk: WriteOptions,
    report: Report,
    to: Annotated[
        list[str], typer.Option("--to", metavar="LINE", help="For whom it is; repeat it for each line.")
    ] = [],  # noqa: B006  typer never changes it
    number: Annotated[
        str,
        typer.Option(
            "--number", metavar="NUMBER", help="The first number of a year, if your books are ahead."
        ),
    ] = "",
    day: Day = None,
    pdf: Pdf = None,
    reason: Reason = "",
    table_: TableOption = None,
) -> None:
    """Issue the invoice of an accepted report, under the next number of the year."""
    from arpad.office.fees.invoices import issue_invoice

    with desk.acting() as office:
        chosen = _chosen(office, table_)
        issued = issue_invoice(
            office, report, to, desk.words, day=day_of(day, "day"), number=number, table=chosen, reason=reason
        )
    _tell(desk, issued, pdf, "invoice-issued")


def credit_note(
    desk: WriteOptions, number: Number, reason: Reason = "", day: Day = None, pdf: Pdf = None
) -> None:
    """Cancel an invoice by a credit note, under the next number of the year."""
    from arpad.office.fees.invoices import credit_invoice

    with desk.acting() as office:
        note = credit_invoice(office, number, reason, day=day_of(day, "day"))
    _tell(desk, note, pdf, "credit-note-issued")


def invoice_paid(
    desk: WriteOptions,
    number: Number,
    day: Day = None,
    undo: Annotated[bool, typer.Option("--undo", help="It is not paid after all; give a reason.")] = False,
    reason: Reason = "",
) -> None:
    """Record that an invoice was paid, or take that back."""
    from arpad.office.fees.invoices import pay_invoice, reopen_invoice

    with desk.acting() as office:
        if undo:
            changed = reopen_invoice(office, number, reason)
        else:
            changed = pay_invoice(office, number, day=day_of(day, "day"), reason=reason)
    _tell(desk, changed, None, "invoice-is-open" if undo else "invoice-is-paid")


def invoice_pdf(
    look: ReadOptions,
    number: Number,
    pdf: Annotated[Path, typer.Option("--pdf", metavar="FILE", help="The file.")],
) -> None:
    """Write an invoice or credit note on record as PDF again, as it was issued."""
    from arpad.office.fees.invoices import invoice_on_record

    with look.opened() as office:
        known = invoice_on_record(office, number)
    _tell(look, known, pdf, "")


def _tell(look: ReadOptions, invoice: Invoice, pdf: Path | None, key: str) -> None:
    """Write the paper if a file is named, and say what was done."""
    from arpad.office.fees.invoices import invoice_document, paper

    words = look.words
    sentences = [words.text(f"fees.{key}", number=invoice.number, credits=invoice.credits)] if key else []
    if pdf is not None:
        write_file(pdf, paper(invoice))
        sentences.append(words.text("fees.written", path=str(pdf)))
    look.tell(" ".join(sentences), "arpad.office-invoice/2", invoice_document(invoice))


def invoices(
    look: ReadOptions,
    year: Annotated[int, typer.Argument(metavar="YEAR", help="The year of the invoices.")],
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the list as CSV.")] = None,
) -> None:
    """List the invoices and credit notes of a year: open, paid or credited."""
    from arpad.explain.fees import amount_text
    from arpad.office.fees.invoices import (
        invoice_document,
        invoices_csv,
        invoices_document,
        invoices_of_year,
        open_sums,
    )

    words = look.words
    with look.opened() as office:
        listed = invoices_of_year(office, year)
    if csv is not None:
        write_file(csv, invoices_csv(listed))
    if look.json:
        print_json("arpad.office-invoices/1", invoices_document(listed, year))
        return
    out = console()
    if not listed:
        out.print(words.text("fees.no-invoices", year=str(year)))
        return
    names = ("number", "date", "event", "recipient", "state", "total")
    sides = ("left", "left", "left", "left", "left", "right")
    headings = [
        (words.text(f"fees.invoice-column-{name}"), side) for name, side in zip(names, sides, strict=True)
    ]
    rows = []
    for item in listed:
        shown = invoice_document(item)
        state = words.text(
            f"fees.state-{item.state}", day=item.paid or item.day, number=item.credits or item.credited_by
        )
        recipient = shown["recipient"][0] if shown["recipient"] else ""
        total = f"{amount_text(item.total, words)} {item.currency}"
        rows.append([item.number, words.day(item.day), shown["event"], recipient, state, total])
    out.print(table(headings, rows))
    for currency, unpaid in open_sums(listed).items():
        out.print(words.text("fees.open-sum", total=amount_text(unpaid, words), currency=currency))


def fees(
    look: ReadOptions,
    year: Annotated[int, typer.Argument(metavar="YEAR", help="The year in which the events ended.")],
    table_: TableOption = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the account as CSV, a row for each fee."),
    ] = None,
) -> None:
    """Compute the fees of all accepted reports of a year by the federation's table."""
    from arpad.explain.fees import amount_text
    from arpad.office.fees.acts import account_csv, account_document, year_fees

    words = look.words
    with look.opened() as office:
        chosen = _chosen(office, table_)
        events = year_fees(office, chosen, year)
    total = sum(event.fees.total for event in events)
    if csv is not None:
        write_file(csv, account_csv(events, chosen, words.language))
    if look.json:
        print_json("arpad.office-fees/1", account_document(events, chosen, year, words))
        return
    out = console()
    if events:
        headings = [
            (words.text("fees.column-report"), "right"),
            (words.text("fees.column-event"), "left"),
            (words.text("fees.column-total", currency=chosen.currency), "right"),
        ]
        rows = [
            [str(event.filed.id), event.filed.name, amount_text(event.fees.total, words)] for event in events
        ]
        out.print(table(headings, rows))
    out.print(words.text("fees.sum", total=amount_text(total, words), currency=chosen.currency))
