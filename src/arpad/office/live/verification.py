"""Verify the live lists: each layer that has seen the last act is computed again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from sqlalchemy import Connection

from arpad.lists.sealed_blocks import UNREADABLE
from arpad.model.errors import ArpadError
from arpad.model.rules import LISTS, ListName
from arpad.office.live.acts import live_now
from arpad.office.live.rows import LiveState, changed_rows, layer_digest, live_states
from arpad.publishing.verification import Alteration
from arpad.store import ledger
from arpad.store.derived_rows import differing_rows

_WRONG = (ArpadError, ArithmeticError, AttributeError, LookupError, TypeError, *UNREADABLE)
"""The exceptions for rows with the right form and impossible values."""

_LISTS = frozenset(map(str, LISTS))


def altered_derived_tables(
    connection: Connection, day: date, stale: list[Alteration]
) -> Iterator[Alteration]:
    """Yield the rows that do not follow from the office; add the layers of an earlier state to ``stale``."""
    for state in live_states(connection):
        yield from _altered(connection, state, day, stale)


def _derived(table: str, row: str) -> Alteration:
    return Alteration("row-derived", {"table": table, "row": row})


def _altered(
    connection: Connection, state: LiveState, day: date, stale: list[Alteration]
) -> Iterator[Alteration]:
    """Compute a layer of a live list again, if it has seen the last act."""
    about = Alteration("live-stale", {"list": str(state.list), "act": state.act})
    row = f"{state.list}, {state.layer}"
    last = ledger.next_seq(connection) - 1
    if state.act > last or str(state.list) not in _LISTS or state.digest != layer_digest(connection, state):
        yield _derived("live_lists", row)
        return
    try:
        sources, change = live_now(connection, ListName(state.list), state.layer, day)
    except _WRONG:
        stale.append(about)
        return
    if state.act < last or state.day != sources.day:  # the worker has not come to it yet
        stale.append(about)
        return
    official = sources.official.id if sources.official else None
    if (state.official, state.basis) != (official, sources.basis):
        yield _derived("live_lists", row)
    layer = (str(state.list), state.layer)
    reports = [(*layer, number, players) for number, players in sources.reports.items()]
    rows = changed_rows(state.list, state.layer, change)
    own = {"list": str(state.list), "layer": state.layer}
    for table, expected in (("live_reports", reports), ("live_rows", rows)):
        for key in differing_rows(connection, table, own, expected):
            yield _derived(table, key)
