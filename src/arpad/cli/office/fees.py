"""``arpad office fees``: the federation's own fee table, the account of a year, and the invoice of an event."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, naming_file, print_json, table
from arpad.cli.office.options import ReadOptions, Report, WriteOptions, day_of
from arpad.rating.arguments import read_toml
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.office.office import Office
    from arpad.regulations.fee_table import FeeTable

TableOption = Annotated[
    Path | None, typer.Option("--table", metavar="FILE", help="Another fee table than the office's, as TOML.")
]


def _chosen(office: Office, path: Path | None) -> FeeTable:
    from arpad.office.fees import kept_fee_table
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
    from arpad.office.fees import fee_table_text, set_fee_table

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


def invoice(
    look: ReadOptions,
    report: Report,
    pdf: Annotated[Path, typer.Option("--pdf", metavar="FILE", help="The file for the invoice.")],
    to: Annotated[
        list[str], typer.Option("--to", metavar="LINE", help="For whom it is; repeat it for each line.")
    ] = [],  # noqa: B006  typer never changes it
    number: Annotated[str, typer.Option("--number", metavar="TEXT", help="The number of the invoice.")] = "",
    day: Annotated[
        str | None,
        typer.Option("--day", metavar="YYYY-MM-DD", help="The day of the invoice; default: today."),
    ] = None,
    table_: TableOption = None,
) -> None:
    """Write the invoice of an accepted report as PDF."""
    from arpad.explain.fees import InvoiceHead, fees_document, invoice_pdf
    from arpad.office.fees import report_fees

    words = look.words
    on = day_of(day, "day") or date.today()  # noqa: DTZ011  the day where the user is
    head = InvoiceHead(number.strip(), on, tuple(to))
    with look.opened() as office:
        chosen = _chosen(office, table_)
        item = report_fees(office, chosen, report)
    write_file(pdf, invoice_pdf(item.header, item.fees, chosen, head, words))
    document = {"report": report, **fees_document(item.header, item.fees, chosen, words)}
    look.tell(words.text("fees.written", path=str(pdf)), "arpad.office-invoice/1", document)


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
    from arpad.office.fees import account_csv, account_document, year_fees

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
