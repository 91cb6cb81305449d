"""Several acts in one transaction: their rows of the ledger are sealed one after the other and written at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from arpad.model.json_values import dump
from arpad.store import ledger
from arpad.store.bulk import add_rows
from arpad.store.schema import ledger as acts

_COLUMNS = ("seq", "at", "author", "verb", "details", "reason", "previous", "digest")


class LedgerWriter:
    """The end of the ledger while acts are added to it."""

    def __init__(self, connection: Connection, at: str, author: str, reason: str) -> None:
        """Go on where the ledger ends."""
        self.connection = connection
        self.last = ledger.next_seq(connection) - 1
        query = select(acts.c.digest).where(acts.c.seq == self.last)
        self._previous = connection.execute(query).scalar() or ledger.FIRST
        self._common = (at, author, reason)
        self._waiting: list[tuple[Any, ...]] = []

    def add(self, verb: str, details: Mapping[str, Any]) -> None:
        """Seal the act whose number ``last + 1`` its rows bear."""
        at, author, reason = self._common
        seq, told = self.last + 1, dump(details)
        digest = ledger.seal(seq, at, author, verb, told, reason, self._previous)
        self._waiting.append((seq, at, author, verb, told, reason, self._previous, digest))
        self.last, self._previous = seq, digest

    def write(self) -> None:
        """Write what waits."""
        add_rows(self.connection, acts, _COLUMNS, self._waiting)
        self._waiting.clear()
