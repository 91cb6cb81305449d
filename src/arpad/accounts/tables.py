"""The tables of the people who work in an office; their rows come and go."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Integer, MetaData, PrimaryKeyConstraint, Table, Text

META = MetaData()


def _table(name: str, *columns: Any) -> Table:
    return Table(name, META, *columns)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _number(name: str, **more: Any) -> Column[int]:
    return Column(name, Integer, nullable=False, **more)


users = _table(
    "users", _number("id", primary_key=True), Column("login", Text, nullable=False, unique=True),
    _text("name"), _text("password"), _number("active"), _text("factor"), _number("factor_used"),
    _text("password_ends"),
)  # fmt: skip
"""``factor`` is the secret of the second factor, encrypted (``keys``), or nothing;
``factor_used`` the last moment whose code was taken;
``password_ends`` until when a password that somebody else chose holds, or nothing where it is the owner's own."""

recovery_codes = _table(
    "recovery_codes", _number("user"), _text("digest"), PrimaryKeyConstraint("user", "digest")
)
grants = _table(
    "grants", _number("user"), _text("role"), _text("federation"), PrimaryKeyConstraint("user", "role", "federation")
)  # fmt: skip
sessions = _table(
    "sessions", Column("digest", Text, primary_key=True), _number("user"), _text("begun"), _text("ends"),
    _text("seen"), _text("browser"),
)  # fmt: skip
failures = _table("failures", _text("key"), _text("at"))
tokens = _table(
    "tokens", _number("id", primary_key=True), _number("user"), _text("name"),
    Column("digest", Text, nullable=False, unique=True), _text("scopes"), _text("made"), _text("ends"),
)  # fmt: skip
counters = _table(
    "counters", _text("key"), _number("slot"), _number("count"), PrimaryKeyConstraint("key", "slot")
)
