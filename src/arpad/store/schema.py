"""The tables of the machinery: the ledger, settings, accounts, lists, the queue and the pages of the monitor.

Most rows are added and never changed: a status, a merge, a change of name, a revision. The latest row is valid. Days
and times are ISO texts, so that both databases store and sort them alike; ``act`` is the number of the act that added
a row. The tables of a feature stand in its folder.
"""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, Text

from arpad.model.rules import CHESS_LISTS, parse_own_name
from arpad.regulations import OF_OWN_LISTS
from arpad.store.declared_tables import (
    Kind,
    Rows,
    act,
    added_columns,
    among,
    data,
    day,
    json_object,
    number,
    row_id,
    table,
    text,
    texts,
    unique_text,
    writes,
)

ledger = table(
    "ledger", Rows(forms={"at": datetime.fromisoformat, "details": json_object}),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    *texts("at", "author", "verb", "details", "reason", "rows", "previous"), unique_text("digest"),
)  # fmt: skip
"""``rows`` has the digests of the two parts of the act's row in ``act_rows``; without rows in the second only one."""

act_rows = table(
    "act_rows", Rows(),
    Column(
        "act", Integer, ForeignKey("ledger.seq", deferrable=True, initially="DEFERRED"), primary_key=True,
        autoincrement=False,
    ),
    text("lines"), data("digests"), text("erasable_lines"), data("erasable_digests"),
)  # fmt: skip
"""The rows that an act added, changed and deleted, each with its digest; ``store.written_rows`` describes them."""

settings = table(
    "settings", Rows(named_by="name"),
    Column("name", Text, primary_key=True), text("value"), act(),
)  # fmt: skip

setting_changes = table(
    "setting_changes", Rows(named_by="name =digest =sha256"),
    row_id(), *texts("name", "value"), act(),
)  # fmt: skip

users = table(
    "users", Rows(kind=Kind.CHANGING, named_by="login", uncovered=("factor_used",)),
    row_id(), unique_text("login"), *texts("name", "password"), number("active"), text("factor"),
    number("factor_used"), text("password_ends"),
)  # fmt: skip

recovery_codes = table(
    "recovery_codes", Rows(kind=Kind.CHANGING, named_by="=login"),
    number("user"), text("digest"), PrimaryKeyConstraint("user", "digest"),
)  # fmt: skip

grants = table(
    "grants", Rows(kind=Kind.CHANGING, named_by="=roles role"),
    number("user"), *texts("role", "federation"),
    PrimaryKeyConstraint("user", "role", "federation"),
)  # fmt: skip

sessions = table(
    "sessions", Rows(kind=Kind.PASSING),
    Column("digest", Text, primary_key=True), number("user"),
    *texts("begun", "ends", "seen", "browser"),
)  # fmt: skip

failures = table("failures", Rows(kind=Kind.PASSING), *texts("key", "at"), Index(None, "key"))

tokens = table(
    "tokens", Rows(kind=Kind.CHANGING, named_by="id =login"),
    row_id(), number("user"), text("name"), unique_text("digest"), *texts("scopes", "made", "ends"),
)  # fmt: skip

counters = table(
    "counters", Rows(kind=Kind.PASSING),
    text("key"), number("slot"), number("count"), PrimaryKeyConstraint("key", "slot"),
)  # fmt: skip

mail_choices = table(
    "mail_choices", Rows(kind=Kind.CHANGING, named_by="=login"),
    Column("user", Integer, primary_key=True, autoincrement=False),
    *texts("address", "language", "unwanted"),
)  # fmt: skip
"""The address and language of a user's mails, and the kinds that are not wanted."""

password_links = table(
    "password_links", Rows(kind=Kind.PASSING),
    Column("digest", Text, primary_key=True), number("user"), text("ends"),
)  # fmt: skip

known_places = table(
    "known_places", Rows(kind=Kind.PASSING),
    number("user"), *texts("place", "seen"), PrimaryKeyConstraint("user", "place"),
)  # fmt: skip
"""From where a user signed in, as two bytes of a digest: enough to see that a place is new."""

own_lists = table(
    "own_lists", Rows(
        named_by="name",
        forms={"name": parse_own_name, "system": among(*OF_OWN_LISTS), "times": among("", *CHESS_LISTS), "since": day},
    ),
    row_id(), unique_text("name"), *texts("system", "game", "times", "owner", "since"), act(),
    text("facts", null=True),
)  # fmt: skip
"""The office's own lists, each with the rating system that computes it, and what the federation sets for it."""

added_columns("0004", "own_lists", facts=lambda _row: None)

column_parts = table(
    "column_parts", Rows(kind=Kind.DERIVED),
    text("name"), number("part"), number("act"), data("data"), text("digest"),
    PrimaryKeyConstraint("name", "part"),
)  # fmt: skip
"""Copies in columns of the register's players, identifiers and names; ``act`` is the last act whose rows a part has."""

monitor_pages = table(
    "monitor_pages", Rows(kind=Kind.CHANGING, named_by="=list =player"),
    number("publication"), *texts("kind", "language", "version", "made", "body"),
    PrimaryKeyConstraint("publication", "kind", "language"),
)  # fmt: skip

monitor_runs = table(
    "monitor_runs", Rows(kind=Kind.PASSING),
    number("publication"), *texts("state", "language", "version", "at", "reason"),
    PrimaryKeyConstraint("publication", "state", "language"),
)  # fmt: skip
"""Examinations that are running or have failed; ``reason`` says why, once in each language."""

jobs = table(
    "jobs", Rows(kind=Kind.PASSING),
    *texts("kind", "key", "payload", "state", "due"), number("asked"), number("attempts"),
    *texts("lease", "holder", "error", "changed"), PrimaryKeyConstraint("kind", "key"),
    Index("ix_jobs_due", "state", "due"),
)  # fmt: skip
"""The work of the worker processes; ``store.jobs`` describes it."""

writes("examine-list", "monitor_pages -monitor_pages")
writes("init", "settings", names_none="time_zone")
writes("migrate", "")
writes("retry-mails", "")
writes("try-rule", "monitor_pages -monitor_pages")
