"""Invoices and their payments."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, UniqueConstraint

from arpad.store.declared_tables import Rows, act, number, row_id, table, text, texts, to, writes

invoices = table(
    "invoices", Rows(named_by="report"),
    row_id(), number("year"), number("sequence"), to("report", "reports.id"),
    Column("credits", Integer, ForeignKey("invoices.id"), unique=True), *texts("day", "currency"),
    Column("total", BigInteger, nullable=False), text("content"), act(), UniqueConstraint("year", "sequence"),
    Index(None, "report"),
)  # fmt: skip
"""Invoices and credit notes in one sequence for each year; ``credits`` is the invoice that a credit note cancels,
``total`` is in hundredths, and ``content`` is what the paper prints, as JSON."""

invoice_payments = table(
    "invoice_payments", Rows(named_by="=invoice"),
    row_id(), to("invoice", "invoices.id"), text("day"), act(), Index(None, "invoice"),
)  # fmt: skip
"""The day on which an invoice was paid; the latest row counts, and an empty day opens the invoice again."""

writes("credit-invoice", "invoices")
writes("invoice", "invoices")
writes("pay-invoice", "invoice_payments")
writes("reopen-invoice", "invoice_payments")
writes("set-fee-table", "setting_changes")
