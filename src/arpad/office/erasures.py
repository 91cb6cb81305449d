"""The acts of erasure in the ledger: verifying accepts what they erased, and reports every other change."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from sqlalchemy import Connection

from arpad.model.values import dataclass
from arpad.store.ledger import Act, acts_of
from arpad.store.register_names import ERASED

VERB = ERASED


@dataclass(slots=True)
class Erasures:
    """The acts of erasure, and the digests of what they left; the latest act about a row counts."""

    acts: list[Act] = field(default_factory=list)
    ledger: dict[int, str] = field(default_factory=dict)
    """Act → the seal of its row without the erased texts."""

    reports: dict[int, str] = field(default_factory=dict)
    """Report → SHA-256 of its bytes without the erased player."""

    lists: dict[int, dict[str, str]] = field(default_factory=dict)
    """Publication → ``digest``, ``standings`` and ``inputs`` after the erasure, if they changed."""

    references: dict[int, str] = field(default_factory=dict)
    """Reference list → the digest of its blocks without the erased player."""

    rows: dict[int, str] = field(default_factory=dict)
    """Act → the digest of the record of its rows without those of the erased player."""

    def of_list(self, publication: int, name: str, published: str) -> str:
        """Return the digest that a part of a list must have now."""
        return self.lists.get(publication, {}).get(name, published)


def load_erasures(connection: Connection) -> Erasures:
    """Return all erasures, in order."""
    erasures = Erasures(acts_of(connection, VERB))
    for act in erasures.acts:
        facts: dict[str, Any] = act.facts
        erasures.ledger |= {int(seq): seal for seq, seal in facts.get("ledger", {}).items()}
        erasures.reports |= {int(report): digest for report, digest in facts.get("reports", {}).items()}
        erasures.references |= {int(number): digest for number, digest in facts.get("references", {}).items()}
        erasures.rows |= {int(seq): digest for seq, digest in facts.get("rows", {}).items()}
        for publication, digests in facts.get("lists", {}).items():
            erasures.lists.setdefault(int(publication), {}).update(digests)
    return erasures
