"""``arpad office fee``: tables in words, and the files of the account and of invoices."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import ReadOptions
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.office.declared import Reading
from arpad.office.fees import acts
from arpad.system.atomic_files import write_file

Written = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]
OfYear = Annotated[int, typer.Argument(metavar="YEAR", help="parameter.fee-year")]


def _show_table(kept: acts.KeptTable, words: Words) -> None:
    sys.stdout.write(f"{kept.table or words.text('fees.no-table')}\n")


def _show_account(found: acts.Account, words: Words) -> None:
    out = console()
    if found.events:
        headings = [
            (words.text("fees.column-report"), "right"),
            (words.text("fees.column-event"), "left"),
            (words.text("fees.column-total", currency=found.currency), "right"),
        ]
        rows = [[str(it.report), it.event, _amount(it.total, words)] for it in found.events]
        out.print(table(headings, rows))
    out.print(words.text("fees.sum", total=_amount(found.total, words), currency=found.currency))


def _show_invoices(found: acts.Invoices, words: Words) -> None:
    out = console()
    if not found.invoices:
        out.print(words.text("fees.no-invoices", year=str(found.year)))
        return
    sides = {
        "number": "left",
        "date": "left",
        "event": "left",
        "recipient": "left",
        "state": "left",
        "total": "right",
    }
    headings = [(words.text(f"fees.invoice-column-{name}"), side) for name, side in sides.items()]
    rows = []
    for it in found.invoices:
        about = {"day": it.paid or it.day, "number": it.credits or it.credited_by}
        state = words.text(f"fees.state-{it.state}", **about)
        total = f"{_amount(it.total, words)} {it.currency}"
        rows.append([it.number, words.day(it.day), it.event, next(iter(it.recipient), ""), state, total])
    out.print(table(headings, rows))
    for unpaid in found.open:
        out.print(words.text("fees.open-sum", total=_amount(unpaid.total, words), currency=unpaid.currency))


def _amount(text: str, words: Words) -> str:
    """Return an amount as the language writes it."""
    from arpad.explain.fees import amount_text

    return amount_text(int(text.replace(".", "")), words)


def account_csv(look: ReadOptions, year: OfYear, file: Written) -> None:
    """Write the account of a year as CSV, a row for each fee."""
    from arpad.office.fees import account

    with look.opened() as office, office.store.reading() as connection:
        chosen = account.kept_fee_table(connection)
        fees = account.year_fees(Reading(office, connection), chosen, year)
    _write(look, file, account.account_csv(fees, chosen, look.words.language))


def invoices_csv(look: ReadOptions, year: OfYear, file: Written) -> None:
    """Write the invoices and credit notes of a year as CSV."""
    with look.opened() as office:
        found = acts.invoices(office, year)
    _write(look, file, acts.invoices_csv(found.invoices))


def paper(
    look: ReadOptions,
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="parameter.invoice-number")],
    file: Written,
) -> None:
    """Write an invoice or credit note on record as PDF, as it was issued."""
    from arpad.explain.fees import invoice_pdf

    if not (known := acts.known_number(number, "number")):
        raise BadInput("value-missing", option="number")
    with look.opened() as office, office.store.reading() as connection:
        content = acts.known_invoice(connection, known).content
    _write(look, file, invoice_pdf(content))


def _write(look: ReadOptions, file: Path, data: bytes) -> None:
    write_file(file, data)
    look.tell(look.words.text("fees.written", path=str(file)), "arpad.office-file/1", {"file": str(file)})


COMMANDS = {
    "fee table": command_of(acts.fee_table, _show_table),
    "fee account": command_of(acts.account, _show_account),
    "fee account-csv": account_csv,
    "fee invoices": command_of(acts.invoices, _show_invoices),
    "fee invoices-csv": invoices_csv,
    "fee paper": paper,
}
