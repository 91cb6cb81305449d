"""The tables by kind: which are append-only, which are proved by acts, which can be computed again, and which neither.

A new table belongs to one of these sets; tests/store/test_written_rows.py compares them with the schema.
"""

from __future__ import annotations

from arpad.store.schema import META

ACCOUNTS = frozenset(
    "users recovery_codes grants sessions failures tokens counters mail_choices password_links known_places".split()
)
"""The people who may sign in; rows come and go without the ledger."""

DERIVED = frozenset(
    "name_keys player_reports list_history rankings ranking_pages drafts draft_blocks draft_inputs column_parts "
    "live_lists live_reports live_rows reference_words".split()
)
"""Tables that can be computed again: from the register, the lists and the reports."""

OPERATIONAL = frozenset(
    "jobs monitor_pages monitor_runs running_tournaments change_readers webhooks webhook_deliveries webhook_attempts "
    "followers follows follow_requests".split()
)
"""Work and tournaments under way, and who is told of changes: not sealed, not exported, but in every backup."""

CHANGING = frozenset(
    "users recovery_codes grants tokens mail_choices webhooks hidden_players running_tournaments monitor_pages".split()
)
"""Tables whose rows are replaced and deleted, only by acts: accounts, and other things that people rely on."""

KEPT = tuple(
    table.name
    for table in META.sorted_tables
    if table.name not in {*ACCOUNTS, *DERIVED, *OPERATIONAL, "hidden_players"}
)
"""Append-only tables, by trigger."""

PROVED = frozenset({*KEPT, *CHANGING} - {"ledger", "act_rows"})
"""Tables of which every row is proved by the act that wrote it."""

UNPROVED_COLUMNS = frozenset({("users", "factor_used")})
"""Columns of proved tables that change without an act: the last code of a second factor changes with each sign-in."""

UNPROVED = frozenset({*ACCOUNTS, *OPERATIONAL} - CHANGING)
"""Tables that no act proves and that follow from nothing: sign-ins, limits, the queue, followers."""

_UNCOVERED_COLUMNS = {*UNPROVED_COLUMNS, ("live_lists", "at"), ("live_lists", "version")}
"""A live list is compared with the draft; when and how often it was computed follows from nothing."""

NOT_COVERED = tuple(sorted({*UNPROVED, *(f"{table}.{column}" for table, column in _UNCOVERED_COLUMNS)}))
"""Every table and column of which ``verify`` says that it does not cover it."""
