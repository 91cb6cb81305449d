"""``arpad office fee``: tables in words."""

import sys

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.fees import amount_text
from arpad.explain.words import Words
from arpad.office.fees import acts


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
    return amount_text(int(text.replace(".", "")), words)


COMMANDS = {
    "fee table": command_of(acts.fee_table, _show_table),
    "fee account": command_of(acts.account, _show_account),
    "fee invoices": command_of(acts.invoices, _show_invoices),
}
