"""Players with their facts and numbers, who was merged, the schemes of numbers, and who is not shown."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint

from arpad.store.declared_tables import (
    BY_CODE,
    Kind,
    Rows,
    act,
    birth,
    day,
    ended,
    number,
    row_id,
    table,
    text,
    texts,
    to,
    writes,
)

_OTHER_FACTS = ("name", "born", "club")
"""The fields of ``player_facts`` whose values an erasure takes out; all others last."""


def _lasting_fact(row: Sequence[Any]) -> str:
    """Return what lasts of the value of a fact."""
    _, _, field, value, *_ = row
    return "" if field in _OTHER_FACTS else value


def _source(kind: str) -> object:
    """Return what a rule names."""
    from arpad.reports.number_schemes import SOURCES  # few commands read reports

    return SOURCES.index(kind)


players = table(
    "players", Rows(named_by="id", erased={"name": None, "born": None}, forms={"born": birth}),
    row_id(),
    *texts("name", "federation", "sex", "born", "title", "women_title", "other_titles", "affiliation"), act(),
)  # fmt: skip

player_facts = table(
    "player_facts", Rows(named_by="player", erased={"value": None}, also_lasts=_lasting_fact, forms={"since": day}),
    row_id(), to("player", "players.id"), *texts("field", "value", "since"), act(),
    Index(None, "player"),
)  # fmt: skip

identifiers = table(
    "identifiers", Rows(named_by="player value", counted=True),
    *texts("scheme", "value"), to("player", "players.id"), act(),
    PrimaryKeyConstraint("scheme", "value"), Index(None, "player"), sqlite_with_rowid=False,
)  # fmt: skip

identifier_changes = table(
    "identifier_changes", Rows(named_by="player value", erased={"scheme": None, "value": None}),
    row_id(), *texts("scheme", "value"), to("player", "players.id", null=True), act(),
)  # fmt: skip
"""An identifier removed from a player, or given to another; the latest row has the holder, if there is one."""

name_keys = table(
    "name_keys", Rows(kind=Kind.DERIVED),
    Column("word", BY_CODE, nullable=False), number("player"),
    PrimaryKeyConstraint("word", "player"), Index("ix_name_keys_player", "player", "word"),
    sqlite_with_rowid=False,
)  # fmt: skip

merges = table(
    "merges", Rows(named_by="id"),
    row_id(), to("kept", "players.id"), to("dropped", "players.id"), act(),
    Index(None, "dropped"),
)  # fmt: skip

unmerges = ended("unmerges", "merge", "merges.id")

number_schemes = table(
    "number_schemes", Rows(named_by="code"),
    row_id(), *texts("code", "name", "pattern", "shown"), act(),
)  # fmt: skip
"""Kinds of numbers that the office declared; the latest row of a code counts, one without a name withdraws it."""

source_schemes = table(
    "source_schemes", Rows(named_by="value =source", forms={"kind": _source}),
    row_id(), *texts("kind", "value", "scheme"), act(),
)  # fmt: skip
"""The scheme of the numbers in reports from a source; the latest row counts, one without a scheme withdraws it."""

unknown_numbers = table(
    "unknown_numbers", Rows(named_by="report", counted=True),
    to("player", "players.id"), text("value"), to("report", "reports.id"), act(),
    PrimaryKeyConstraint("player", "value"),
)  # fmt: skip
"""Numbers with which reports named players, and of which nobody said what they are."""

hidden_players = table(
    "hidden_players", Rows(kind=Kind.CHANGING, named_by="player =player", exported=True),
    Column("player", Integer, primary_key=True, autoincrement=False),
)  # fmt: skip

writes("add-identifier", "identifiers identifier_changes -unknown_numbers")
writes("change-player", "player_facts")
writes("import-register", "players player_facts identifiers identifier_changes", names_none="sha256")
writes("init", "source_schemes")
writes("register-player", "players player_facts identifiers identifier_changes")
writes("remove-identifier", "identifier_changes")
