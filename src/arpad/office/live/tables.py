"""The live lists."""

from sqlalchemy import Column, Integer, PrimaryKeyConstraint

from arpad.store.declared_tables import Kind, Rows, number, table, text, texts

live_lists = table(
    "live_lists", Rows(kind=Kind.DERIVED, uncovered=("at", "version")),
    *texts("list", "layer", "day"), Column("official", Integer), text("basis"),
    number("act"), text("at"), number("version"), text("digest"), PrimaryKeyConstraint("list", "layer"),
)  # fmt: skip
"""The live lists: what would be published now. ``layer`` is ``accepted`` or ``received``, ``official`` is the published
list from which ``live_rows`` differ, ``act`` the last act that was seen, ``digest`` that of everything when it was
computed; ``office.live.rows`` describes them."""

live_reports = table(
    "live_reports", Rows(kind=Kind.DERIVED, owner="live_lists"),
    *texts("list", "layer"), number("report"), text("players"),
    PrimaryKeyConstraint("list", "layer", "report"),
)  # fmt: skip
"""The reports of a live list; ``players`` are the entrants of a received one, who are not on file yet."""

live_rows = table(
    "live_rows", Rows(kind=Kind.DERIVED, owner="live_lists"),
    *texts("list", "layer"), number("player"), Column("rating", Integer),
    Column("before", Integer), number("games"), number("events"), number("listed"), text("line"),
    PrimaryKeyConstraint("list", "layer", "player"),
)  # fmt: skip
"""The players with an event, or whose line differs from that of the official list; ``line`` is empty if the list would
not show them."""
