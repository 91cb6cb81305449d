"""Arbiters, their licences, and the reports sent to FIDE."""

from sqlalchemy import Index

from arpad.store.declared_tables import (
    Rows,
    act,
    among,
    day,
    day_or_nothing,
    row_id,
    table,
    text,
    texts,
    to,
    writes,
)

FIELDS = ("name", "fide", "federation", "title")

arbiters = table("arbiters", Rows(named_by="id"), row_id(), act())

arbiter_facts = table(
    "arbiter_facts", Rows(named_by="arbiter", forms={"field": among(*FIELDS), "since": day}),
    row_id(), to("arbiter", "arbiters.id"), *texts("field", "value", "since"), act(),
    Index(None, "arbiter"),
)  # fmt: skip
"""Name, FIDE ID, federation and title of an arbiter, each from a day on."""

arbiter_licences = table(
    "arbiter_licences", Rows(named_by="arbiter", forms={"since": day, "until": day_or_nothing}),
    row_id(), to("arbiter", "arbiters.id"), *texts("since", "until"), act(),
    Index(None, "arbiter"),
)  # fmt: skip
"""A licence from one day to another, which may be empty; of two rows with the same first day the later counts."""

sent_reports = table(
    "sent_reports", Rows(named_by="report", forms={"day": day}),
    row_id(), to("report", "reports.id"), text("day"), act(),
    Index(None, "report"),
)  # fmt: skip
"""The day on which an officer sent a report to FIDE; the latest row counts."""

writes("change-arbiter", "arbiter_facts")
writes("import-arbiters", "arbiters arbiter_facts arbiter_licences", names_none="entered")
writes("license-arbiter", "arbiter_licences")
writes("register-arbiter", "arbiters arbiter_facts arbiter_licences")
