"""What the ledger says was erased: verifying takes it for erased, and everything else that changed for altered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from arpad.store import ledger
from arpad.store.ledger import Act
from arpad.store.schema import ledger as acts

VERB = "erase"


@dataclass(slots=True)
class Erasures:
    """The acts of erasure, and the digests of what they left: the latest act about a row counts."""

    acts: list[Act] = field(default_factory=list)
    ledger: dict[int, str] = field(default_factory=dict)
    """Act → the seal of its row without the erased texts."""

    reports: dict[int, str] = field(default_factory=dict)
    """Report → SHA-256 of its bytes without the erased player."""

    lists: dict[int, dict[str, str]] = field(default_factory=dict)
    """Publication → ``digest``, ``standings`` and ``inputs`` after the erasure, where they changed."""

    def of_list(self, publication: int, name: str, published: str) -> str:
        """Return the digest that a part of a list must have now."""
        return self.lists.get(publication, {}).get(name, published)


def erasures(connection: Connection) -> Erasures:
    """Return all erasures, in their order."""
    found = Erasures()
    query = select(acts.c.seq).where(acts.c.verb == VERB).order_by(acts.c.seq)
    numbers = list(connection.execute(query).scalars())
    for act in sorted(ledger.some_acts(connection, numbers).values(), key=lambda it: it.seq):
        facts: dict[str, Any] = act.facts
        found.acts.append(act)
        found.ledger |= {int(seq): seal for seq, seal in facts.get("ledger", {}).items()}
        found.reports |= {int(report): digest for report, digest in facts.get("reports", {}).items()}
        for publication, digests in facts.get("lists", {}).items():
            found.lists.setdefault(int(publication), {}).update(digests)
    return found
