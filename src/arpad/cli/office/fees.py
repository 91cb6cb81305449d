"""``arpad office fees``: the year's account of fees, by the federation's own table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import console, naming_file, print_json, table
from arpad.cli.office.options import ReadOptions
from arpad.rating.arguments import read_toml
from arpad.system.atomic_files import write_file


def fees(
    look: ReadOptions,
    fee_table: Annotated[Path, typer.Argument(metavar="TABLE", help="The federation's fees, as TOML.")],
    year: Annotated[int, typer.Argument(metavar="YEAR", help="The year in which the events ended.")],
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the account as CSV, a row for each fee."),
    ] = None,
) -> None:
    """Compute the fees of all accepted reports of a year by your own table."""
    from arpad.explain.fees import amount_text, fees_document, plain_amount
    from arpad.office.fees import account_csv, year_fees
    from arpad.regulations.fee_table import read_fee_table

    words = look.words
    with naming_file(fee_table):
        chosen = read_fee_table(read_toml(str(fee_table)))
    with look.opened() as office:
        events = year_fees(office, chosen, year)
    total = sum(event.fees.total for event in events)
    if csv is not None:
        write_file(csv, account_csv(events, chosen, words.language))
    if look.json:
        documents = [
            {"report": event.filed.id, **fees_document(event.header, event.fees, chosen, words)}
            for event in events
        ]
        about = {"year": year, "currency": chosen.currency, "total": plain_amount(total)}
        print_json("arpad.office-fees/1", {**about, "events": documents})
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
