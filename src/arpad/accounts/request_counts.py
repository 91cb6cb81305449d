"""How often somebody may ask, counted over all workers."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from arpad.accounts.tables import counters
from arpad.accounts.transactions import unlogged_transaction
from arpad.office.office import Office


def count(office: Office, key: str, slot: int, more: int) -> int:
    """Add to a counter that all workers share; gives its value. Older slots are forgotten."""
    with unlogged_transaction(office) as connection:
        here = (counters.c.key == key) & (counters.c.slot == slot)
        changed = connection.execute(update(counters).where(here).values(count=counters.c.count + more))
        if not changed.rowcount:
            connection.execute(delete(counters).where(counters.c.slot < slot))
            connection.execute(insert(counters), {"key": key, "slot": slot, "count": more})
            return more
        return int(connection.execute(select(counters.c.count).where(here)).scalar_one())
