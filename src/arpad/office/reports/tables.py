"""Tournaments, their reports with status and entrants, and what officers decided about them."""

import json

from sqlalchemy import Column, ForeignKey, Index, Integer

from arpad.model.canonical_json import dump, load
from arpad.model.rules import ListName
from arpad.store.declared_tables import (
    Kind,
    Rows,
    act,
    among,
    birth,
    data,
    day,
    day_or_nothing,
    ended,
    facts_of_players,
    json_object,
    lasting_json,
    list_or_nothing,
    number,
    row_id,
    table,
    text,
    texts,
    to,
    unique_text,
    writes,
)

STATUSES = RECEIVED, ACCEPTED, RETURNED, WITHDRAWN, SUPERSEDED = (
    "received", "accepted", "returned", "withdrawn", "superseded",
)  # fmt: skip
REGISTERED = "registered"
"""The state of a registered tournament that is in force."""

PLAYER, NEW_PLAYER, OPEN = "player", "new", "open"
"""What an officer decided about an entrant."""


def _lasting_facts(facts: str) -> str:
    """Return the facts of a report without births and numbers of its players."""
    values = load(facts)
    players = {"players": facts_of_players(values["players"])} if "players" in values else {}
    return dump({**values, **players})


def _lasting_decision(value: str) -> str:
    """Return the value of a decision without the texts that an erasure may change."""
    return dump(lasting_json(load(value)))


events = table(
    "events", Rows(
        named_by="id",
        forms={"first_day": day, "last_day": day, "registered": day_or_nothing, "facts": json_object},
    ),
    row_id(), *texts("name", "city", "federation", "first_day", "last_day", "registered", "facts"),
    act(),
)  # fmt: skip

reports = table(
    "reports", Rows(
        named_by="id",
        erased={"data": None, "file": None, "name": None, "findings": None, "facts": _lasting_facts},
        forms={
            "received": day, "list": ListName, "first_day": day_or_nothing, "last_day": day_or_nothing,
            "facts": json_object, "findings": json.loads,
        },
        earlier=("replaces",),
    ),
    row_id(), unique_text("digest"), data("data"),
    *texts("file", "received", "list", "name", "city", "federation", "first_day", "last_day"), number("players"),
    number("rounds"), Column("winner", Integer), data("games"),
    *texts("results", "facts", "findings"),
    to("event", "events.id", null=True), to("replaces", "reports.id", null=True), act(),
    Index(None, "last_day", "name", "city"),
)  # fmt: skip
"""``digest`` is the SHA-256 of the bytes, with ``-2`` and so on if they are filed again after a return or a
withdrawal. ``winner`` is the place of the only first among the entrants. ``results`` is the digest of what the bytes
say about ratings and games (``reports.duplicates``), which stays the same if a name is erased from them. The index
has what a search reads, so that it need not walk over the bytes of every report."""

report_statuses = table(
    "report_statuses", Rows(named_by="report", forms={"status": among(*STATUSES)}),
    row_id(), to("report", "reports.id"), text("status"), act(),
    Index(None, "report"),
)  # fmt: skip

entrants = table(
    "entrants", Rows(named_by="report", exported=False),
    Column("report", Integer, ForeignKey("reports.id"), primary_key=True, autoincrement=False),
    text("players"), act(),
)  # fmt: skip
"""The players of an accepted report in the order of its entrants: their numbers as JSON."""

report_games = table(
    "report_games", Rows(kind=Kind.DERIVED, owner="reports"),
    Column("report", Integer, ForeignKey("reports.id"), primary_key=True, autoincrement=False),
    text("name"), text("first_day", null=True), text("last_day", null=True),
    *texts("time_control", "coded_time_control"), number("rounds"), data("numbers"), data("opponents"),
    data("results"),
)  # fmt: skip
"""The games of an accepted report in columns (``reports.report_games``), for the lists; they follow from its bytes."""

decisions = table(
    "decisions", Rows(
        named_by="id",
        erased={"value": _lasting_decision},
        forms={"list": list_or_nothing, "day": day_or_nothing, "value": json_object},
    ),
    row_id(), text("kind"), to("report", "reports.id", null=True),
    to("player", "players.id", null=True), text("federation", null=True), text("list", null=True),
    text("day", null=True), text("value"), act(),
)  # fmt: skip

revocations = ended("revocations", "decision", "decisions.id")

entrant_decisions = table(
    "entrant_decisions", Rows(
        named_by="report",
        erased={"name": None, "born": None},
        forms={"state": among(PLAYER, NEW_PLAYER, OPEN), "born": birth},
    ),
    row_id(), to("report", "reports.id"), number("number"), text("state"),
    to("player", "players.id", null=True), *texts("name", "born", "source"), act(),
    Index(None, "report"),
)  # fmt: skip
"""Who an entrant is, as an officer decided: the latest row of a start number counts for its report.

A row with a player is also an alias: the name, from the same source, is that player in later reports too.
"""

alias_revocations = ended("alias_revocations", "decision", "entrant_decisions.id")

writes("reinstate", "report_statuses")
writes("return", "report_statuses")
writes("withdraw", "report_statuses")
