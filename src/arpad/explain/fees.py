"""The fees of an event in words: the JSON document, the table, and the invoice as PDF."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from arpad.explain.templates import typeset
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.rating.fees import EventFees
from arpad.regulations.fee_table import FeeTable
from arpad.reports.report import Header


@dataclass(frozen=True, slots=True)
class InvoiceHead:
    """The head of an invoice: its number, its day, and for whom it is."""

    number: str
    day: date
    recipient: tuple[str, ...]
    """Name and address, line by line."""

    def __post_init__(self) -> None:
        """Refuse an invoice without a number or a recipient: each is asked for by name."""
        if not any(line.strip() for line in self.recipient):
            raise BadInput("invoice-recipient", option="to")
        if not self.number.strip():
            raise BadInput("invoice-number-missing", option="number")


def amount_text(hundredths: int, words: Words) -> str:
    """Return an amount with two decimals, as the language writes it."""
    whole, cents = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{words.count(whole)}{words.form.decimal_sign}{cents:02}"


def fees_document(header: Header, fees: EventFees, table: FeeTable, words: Words) -> dict[str, Any]:
    """Return the fees of an event; amounts are texts with a point, for programs."""
    figures = fees.figures
    return {
        "event": header.name,
        "list": str(figures.on_list),
        "kind": str(figures.kind),
        "players": figures.players,
        "rated": figures.rated,
        "average": None if figures.average is None else round(figures.average),
        "category": fees.category,
        "currency": table.currency,
        "fees": [
            {
                "name": line.fee.name(words.language),
                "per": line.fee.per,
                "count": line.count,
                "amount": plain_amount(line.fee.amount),
                "total": plain_amount(line.total),
            }
            for line in fees.lines
        ],
        "total": plain_amount(fees.total),
    }


def plain_amount(hundredths: int) -> str:
    """Return an amount for programs: with a point and two decimals."""
    whole, cents = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{cents:02}"


HEADINGS = ("fee", "count", "amount", "total")


def fee_rows(fees: EventFees, words: Words) -> list[list[str]]:
    """Return the rows of the table: name, count, amount, total."""
    return [
        [
            line.fee.name(words.language),
            words.text(f"fees.per-{line.fee.per}", count=line.count),
            amount_text(line.fee.amount, words),
            amount_text(line.total, words),
        ]
        for line in fees.lines
    ]


def invoice_content(
    header: Header, fees: EventFees, table: FeeTable, head: InvoiceHead, words: Words
) -> dict[str, Any]:
    """Return what the invoice of an event prints."""
    days = words.days(header.first_day, header.last_day)
    event = [header.name, ", ".join(filter(None, [header.city, header.federation])), days]
    return {
        "language": words.language,
        "title": words.text("fees.invoice", number=head.number),
        "issuer": list(table.issuer),
        "facts": [words.text("fees.date", day=head.day)],
        "recipient": list(head.recipient),
        "event": [line for line in event if line],
        "headings": headings(table, words),
        "rows": fee_rows(fees, words),
        "total-word": words.text("fees.total"),
        "total": f"{amount_text(fees.total, words)} {table.currency}",
        "payment": list(table.payment),
    }


def credit_note_content(
    invoice: Mapping[str, Any], credited: str, number: str, day: date, words: Words
) -> dict[str, Any]:
    """Return what a credit note prints: the invoice that it cancels, its totals with a minus."""
    return {
        **invoice,
        "title": words.text("fees.credit-note", number=number),
        "facts": [words.text("fees.date", day=day), words.text("fees.credits", number=credited)],
        "rows": [[*row[:-1], f"-{row[-1]}"] for row in invoice["rows"]],
        "total": f"-{invoice['total']}",
        "payment": [],
    }


def invoice_pdf(content: Mapping[str, Any]) -> bytes:
    """Return an invoice as PDF; equal content gives equal bytes."""
    return typeset("invoice", content)


def headings(table: FeeTable, words: Words) -> list[str]:
    """Return the headings of the table of fees, the amounts with their currency."""
    return [words.text(f"fees.column-{name}", currency=table.currency) for name in HEADINGS]
