"""Programs that are told of changes."""

from sqlalchemy import Column, Index, PrimaryKeyConstraint, Text

from arpad.store.declared_tables import Kind, Rows, number, row_id, table, text, texts, writes

change_readers = table(
    "change_readers", Rows(kind=Kind.PASSING),
    Column("reader", Text, primary_key=True), number("act"), number("part"),
)  # fmt: skip
"""How far each reader of the changes has come: every webhook, and the notices by mail."""

webhooks = table(
    "webhooks", Rows(kind=Kind.CHANGING, named_by="id"),
    row_id(), *texts("url", "secret", "kinds", "private_host", "made"),
)  # fmt: skip
"""Addresses of programs that are told of changes. ``secret`` is encrypted; ``kinds`` is empty for all kinds."""

webhook_deliveries = table(
    "webhook_deliveries", Rows(kind=Kind.PASSING),
    number("webhook"), *texts("change", "kind", "made", "done"),
    PrimaryKeyConstraint("webhook", "change"),
)  # fmt: skip
"""Every change that a webhook was or will be told of; ``done`` is when its receiver accepted it."""

webhook_attempts = table(
    "webhook_attempts", Rows(kind=Kind.PASSING),
    row_id(), number("webhook"), *texts("change", "at"), number("status"),
    text("error"), Index("ix_webhook_attempts_webhook", "webhook", "change"),
)  # fmt: skip
"""Every attempt to tell a receiver: the status of its answer, or 0 and the code of the error."""

writes("add-webhook", "webhooks")
writes("remove-webhook", "-webhooks")
writes("rotate-key", "webhooks")
