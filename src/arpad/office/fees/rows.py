"""Invoices and credit notes, in one sequence for each year, and their payments."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, func, select

from arpad.model.canonical_json import load
from arpad.office.fees.tables import invoice_payments, invoices
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.reports.tables import reports


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice or a credit note as it was issued, with what happened to it since."""

    id: int
    year: int
    sequence: int
    report: int
    federation: str
    """The federation of the report."""

    day: date
    currency: str
    total: int
    """In hundredths; negative for a credit note."""

    content: Mapping[str, Any]
    """The values that are printed."""

    credits: str = ""
    """The number of the invoice that this credit note cancels; empty for an invoice."""

    credited_by: str = ""
    """The number of the credit note that cancels this invoice."""

    paid: date | None = None

    @property
    def number(self) -> str:
        """Return the number that is printed: year and sequence."""
        return number_text(self.year, self.sequence)

    @property
    def state(self) -> str:
        """Return whether the invoice is open, paid or credited, or that it is a credit note."""
        if self.credits:
            return "credit-note"
        return "credited" if self.credited_by else "paid" if self.paid else "open"


def number_text(year: int, sequence: int) -> str:
    """Return the number of an invoice in words: year and sequence."""
    return f"{year}/{sequence}"


def last_of_year(connection: Connection, year: int) -> tuple[int, date] | None:
    """Return the highest number of a year and its day; None if the year has no invoice."""
    query = select(invoices.c.sequence, invoices.c.day).where(invoices.c.year == year)
    row = connection.execute(query.order_by(invoices.c.sequence.desc()).limit(1)).first()
    return None if row is None else (row.sequence, date.fromisoformat(row.day))


def load_invoices(
    connection: Connection, *, year: int | None = None, report: int | None = None
) -> list[Invoice]:
    """Return invoices and credit notes in the order of their numbers, of a year or of a report if given."""
    note = invoices.alias("note")
    latest = select(func.max(invoice_payments.c.id)).group_by(invoice_payments.c.invoice)
    payment = select(invoice_payments).where(invoice_payments.c.id.in_(latest)).subquery()
    credited = invoices.alias("credited")
    query = (
        select(
            invoices, reports.c.federation, payment.c.day.label("paid"), note.c.year.label("note_year"),
            note.c.sequence.label("note_sequence"), credited.c.year.label("credited_year"),
            credited.c.sequence.label("credited_sequence"),
        )
        .join(reports, reports.c.id == invoices.c.report)
        .outerjoin(note, note.c.credits == invoices.c.id)
        .outerjoin(credited, credited.c.id == invoices.c.credits)
        .outerjoin(payment, payment.c.invoice == invoices.c.id)
        .order_by(invoices.c.year, invoices.c.sequence)
    )  # fmt: skip
    if year is not None:
        query = query.where(invoices.c.year == year)
    if report is not None:
        query = query.where(invoices.c.report == report)
    return [
        Invoice(
            row.id, row.year, row.sequence, row.report, row.federation, date.fromisoformat(row.day), row.currency,
            row.total, load(row.content),
            credits=number_text(row.credited_year, row.credited_sequence) if row.credits else "",
            credited_by=number_text(row.note_year, row.note_sequence) if row.note_year else "",
            paid=date.fromisoformat(row.paid) if row.paid else None,
        )
        for row in connection.execute(query)
    ]  # fmt: skip


def invoice_years(connection: Connection) -> list[int]:
    """Return the years with invoices, the latest first."""
    return list(
        connection.execute(select(invoices.c.year).distinct().order_by(invoices.c.year.desc())).scalars()
    )


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the invoices that are addressed to a person."""
    addressed = [
        {"number": it.number, "day": it.day, "recipient": it.content["recipient"]}
        for it in load_invoices(connection)
        if person.without_names(text := "\n".join(it.content["recipient"])) != text
    ]
    return {"invoices": addressed}
