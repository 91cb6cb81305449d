"""The acts of erasure in the ledger: verifying accepts what they erased, and reports every other change."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from arpad.office.register.name_rows import ERASED
from arpad.store.ledger import Act, acts_of
from arpad.store.written_rows import Removed

VERB = ERASED


@dataclass(slots=True)
class Erasures:
    """The acts of erasure, and the digests of what they left; the latest act about a row counts."""

    acts: list[Act] = field(default_factory=list)
    ledger: dict[int, dict[str, tuple[str, str]]] = field(default_factory=dict)
    """Act → ``details`` or ``reason`` → the digest of the text as it was sealed, and without the erased texts."""

    reports: dict[int, str] = field(default_factory=dict)
    """Report → SHA-256 of its bytes without the erased player."""

    lists: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Publication → ``digest``, ``standings`` and ``inputs`` after the erasure, if they changed; and in ``lines`` the
    hashes of the erased lines as they were published, by their places."""

    references: dict[int, str] = field(default_factory=dict)
    """Reference list → the digest of its blocks without the erased player."""

    reference_rows: dict[tuple[int, int], list[Removed]] = field(default_factory=dict)
    """Reference list and block → the rows that each erasure took out."""

    rows: dict[int, list[Removed]] = field(default_factory=dict)
    """Act → what each erasure took out of the record of its rows."""

    unreadable: list[int] = field(default_factory=list)
    """Acts of the same verb that do not say what they erased: no erasure of ours."""

    def of_list(self, publication: int, name: str, published: str) -> str:
        """Return the digest that a part of a list must have now."""
        digest: str = self.lists.get(publication, {}).get(name, published)
        return digest


def load_erasures(connection: Connection) -> Erasures:
    """Return all erasures, in order."""
    erasures = Erasures()
    for act in acts_of(connection, VERB):
        try:
            _add(erasures, act.facts)
        except (LookupError, TypeError, ValueError, AttributeError):
            erasures.unreadable.append(act.seq)
        else:
            erasures.acts.append(act)
    return erasures


def _add(erasures: Erasures, facts: dict[str, Any]) -> None:
    """Add what an act of erasure says; raise if it is not what one says."""
    if facts["player"] not in facts["numbers"] or not isinstance(facts["by"], str):
        raise ValueError(facts["player"])
    for seq, texts in facts["ledger"].items():
        if texts.keys() - {"details", "reason"}:
            raise ValueError(seq)
        of_act = erasures.ledger.setdefault(int(seq), {})
        of_act |= {name: (of_act.get(name, (was,))[0], left) for name, (was, left) in texts.items()}
    erasures.reports |= {int(report): str(digest) for report, digest in facts["reports"].items()}
    for number, left in facts.get("references", {}).items():
        erasures.references[int(number)] = str(left["digest"])
        for block, rows in left["rows"].items():
            erasures.reference_rows.setdefault((int(number), int(block)), []).append(_removed(rows))
    for seq, rows in facts["rows"].items():
        erasures.rows.setdefault(int(seq), []).append(_removed(rows))
    for publication, digests in facts["lists"].items():
        of_list = erasures.lists.setdefault(int(publication), {})
        lines = {str(int(place)): bytes.fromhex(it).hex() for place, it in digests.get("lines", {}).items()}
        of_list |= {**digests, "lines": {**lines, **of_list.get("lines", {})}}


def _removed(rows: Sequence[Any]) -> Removed:
    return [(int(place), bytes.fromhex(hash_).hex()) for place, hash_ in rows]
