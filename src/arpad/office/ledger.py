"""Read the ledger: every act of the office."""

from __future__ import annotations

from arpad.office.office import Office
from arpad.store import ledger as ledger_rows
from arpad.store.ledger import Act


def ledger(office: Office, since: int = 1) -> list[Act]:
    """Return every act from a number on, in order."""
    with office.store.reading() as connection:
        return list(ledger_rows.acts(connection, since))
