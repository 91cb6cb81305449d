"""Tournaments in progress."""

from sqlalchemy import Column, Index, Integer, Text

from arpad.store.declared_tables import (
    Kind,
    Rows,
    act,
    data,
    number,
    row_id,
    table,
    text,
    texts,
    writes,
)

running_versions = table(
    "running_versions", Rows(named_by="tournament"),
    row_id(), text("tournament"), number("version"), number("rounds"), text("digest"),
    act(), Index(None, "tournament"),
)  # fmt: skip
"""Every version of a tournament in progress that was sent; no list reads them, and only the latest has its bytes."""

running_tournaments = table(
    "running_tournaments", Rows(kind=Kind.CHANGING, named_by="=tournament =report"),
    Column("name", Text, primary_key=True),
    *texts("title", "federation", "list", "first_day", "last_day", "sender", "arbiters"), number("version"),
    number("rounds"), number("players"), *texts("digest", "received", "ended"), Column("report", Integer),
    text("file"), data("data"), data("marks"), text("document"),
)  # fmt: skip
"""Tournaments in progress, each in its latest version; a new version replaces the row."""

writes("end-tournament", "running_tournaments -running_tournaments")
writes("erase", "running_tournaments")
writes("join-stages", "running_tournaments")
writes("send-version", "running_versions running_tournaments")
writes("submit", "running_tournaments")
