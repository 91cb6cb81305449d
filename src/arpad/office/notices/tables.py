"""Visitors who follow something."""

from sqlalchemy import Index, PrimaryKeyConstraint

from arpad.store.declared_tables import Kind, Rows, number, row_id, table, text, texts, unique_text

followers = table(
    "followers", Rows(kind=Kind.PASSING),
    row_id(), unique_text("address"), text("language"), unique_text("token"), text("made"),
)  # fmt: skip
"""The mail addresses of visitors who follow something, in small letters."""

follows = table(
    "follows", Rows(kind=Kind.PASSING),
    number("follower"), *texts("kind", "target", "made", "confirmed"),
    PrimaryKeyConstraint("follower", "kind", "target"),
)  # fmt: skip

follow_requests = table("follow_requests", Rows(kind=Kind.PASSING), *texts("key", "at"), Index(None, "key"))
"""Requests to follow in the last day: digests of addresses and networks."""
