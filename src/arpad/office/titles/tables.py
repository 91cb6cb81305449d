"""Title norms."""

from sqlalchemy import Index

from arpad.store.declared_tables import Rows, act, day, ended, number, row_id, table, texts, to, writes


def _norm_title(value: str) -> object:
    """Return the title of a norm."""
    from arpad.regulations.fide.titles.rules import NormTitle  # few offices have norms

    return NormTitle(value)


norms = table(
    "norms", Rows(named_by="id", forms={"title": _norm_title, "first_day": day, "last_day": day}),
    row_id(), to("player", "players.id"),
    *texts("title", "event", "place", "first_day", "last_day", "edition"), number("games"), number("normal"),
    number("single_days"), number("special"), number("by_bye"), to("report", "reports.id", null=True), act(),
    Index(None, "player"),
)  # fmt: skip
"""The norms that a player holds, from a report on file or entered by hand."""

norm_revocations = ended("norm_revocations", "norm", "norms.id")

writes("record-norm", "norms")
writes("record-norms", "norms")
writes("revoke-norm", "norm_revocations")
