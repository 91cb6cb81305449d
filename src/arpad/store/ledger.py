"""The ledger: every act with author, time and reason, each row sealed with the digest of the one before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, func, select

from arpad.model.canonical_json import dump, load
from arpad.store.bulk import add_rows, id_batches
from arpad.store.jobs import enqueue
from arpad.store.schema import ledger
from arpad.store.settings import PUBLIC, read_setting

FIRST = "0" * 64
CHANGES_JOB = "changes"
"""The kind of the job that tells webhooks and followers of new acts."""


@dataclass(frozen=True, slots=True)
class Act:
    """One row of the ledger."""

    seq: int
    at: str
    """UTC, ISO 8601."""

    author: str
    verb: str
    details: str
    """Canonical JSON."""

    reason: str
    previous: str
    digest: str

    @property
    def facts(self) -> dict[str, Any]:
        """The details as values."""
        facts: dict[str, Any] = load(self.details)
        return facts

    def sealed(self) -> str:
        """Return the digest that the row must have."""
        return seal(self.seq, self.at, self.author, self.verb, self.details, self.reason, self.previous)


def seal(seq: int, at: str, author: str, verb: str, details: str, reason: str, previous: str) -> str:
    """Return the SHA-256 of a row and the digest of the one before."""
    return sha256(dump([seq, at, author, verb, details, reason, previous]).encode()).hexdigest()


def next_seq(connection: Connection) -> int:
    """Return the number of the next act."""
    return (connection.execute(select(func.max(ledger.c.seq))).scalar() or 0) + 1


def head(connection: Connection) -> str:
    """Return the seal of the last act: it identifies the state of the office."""
    query = select(ledger.c.digest).order_by(ledger.c.seq.desc()).limit(1)
    return connection.execute(query).scalar() or FIRST


# ----------------------------------------------------------------------------------------------------- appending


class LedgerWriter:
    """Appends acts: each is sealed with the digest of the one before, and all are written at once."""

    def __init__(self, connection: Connection, at: str, author: str, reason: str) -> None:
        """Start at the end of the ledger."""
        self.connection = connection
        self.last = next_seq(connection) - 1
        self._previous = head(connection)
        self._common = (at, author, reason)
        self._unwritten: list[tuple[Any, ...]] = []

    def add(self, verb: str, details: Mapping[str, Any]) -> None:
        """Seal the act with the number ``last + 1``."""
        at, author, reason = self._common
        seq, text = self.last + 1, dump(details)
        digest = seal(seq, at, author, verb, text, reason, self._previous)
        self._unwritten.append((seq, at, author, verb, text, reason, self._previous, digest))
        self.last, self._previous = seq, digest

    def write(self) -> None:
        """Write the acts that were added, and ask workers to tell of them and to update the live lists."""
        if not self._unwritten:
            return
        add_rows(self.connection, ledger, [column.name for column in ledger.columns], self._unwritten)
        self._unwritten.clear()
        enqueue(self.connection, CHANGES_JOB, {}, key="all")
        if read_setting(self.connection, "live_lists") == PUBLIC:
            enqueue(self.connection, "live", {}, key="live")
            enqueue(self.connection, "live-received", {}, key="live")


def append(
    connection: Connection, at: str, author: str, verb: str, details: Mapping[str, Any], reason: str
) -> None:
    """Append one act."""
    writer = LedgerWriter(connection, at, author, reason)
    writer.add(verb, details)
    writer.write()


# ------------------------------------------------------------------------------------------------------- reading


def acts(connection: Connection, since: int = 1) -> Iterator[Act]:
    """Yield all acts from a number on, in order."""
    query = select(ledger).where(ledger.c.seq >= since).order_by(ledger.c.seq)
    for row in connection.execute(query).mappings():
        yield Act(**row)


def digests(connection: Connection) -> list[str]:
    """Return the seals of all acts, in order."""
    return list(connection.execute(select(ledger.c.digest).order_by(ledger.c.seq)).scalars())


def act(connection: Connection, number: int) -> Act:
    """Return one act."""
    return some_acts(connection, [number])[number]


def some_acts(connection: Connection, numbers: Iterable[int]) -> dict[int, Act]:
    """Return acts by number."""
    acts: dict[int, Act] = {}
    for batch in id_batches(set(numbers)):
        query = select(ledger).where(ledger.c.seq.in_(batch))
        acts |= {row["seq"]: Act(**row) for row in connection.execute(query).mappings()}
    return acts


def acts_of(connection: Connection, verb: str) -> list[Act]:
    """Return all acts of a verb, in order."""
    query = select(ledger).where(ledger.c.verb == verb).order_by(ledger.c.seq)
    return [Act(**row) for row in connection.execute(query).mappings()]


def next_acts(connection: Connection, after: int, verbs: Collection[str], most: int) -> list[Act]:
    """Return the first acts of some verbs after an act, in order."""
    query = select(ledger).where(ledger.c.seq > after, ledger.c.verb.in_(verbs))
    query = query.order_by(ledger.c.seq).limit(most)
    return [Act(**row) for row in connection.execute(query).mappings()]


def first_altered(connection: Connection, erased: Mapping[int, str]) -> tuple[int, int]:
    """Return the first act whose row is missing or does not fit its seal, or 0, and the number of acts.

    ``erased`` are the seals of rows from which texts were erased; such a row keeps its old digest in the chain.
    """
    previous, expected = FIRST, 1
    for row in acts(connection):
        fits = row.sealed() == erased.get(row.seq, row.digest)
        if row.seq != expected or row.previous != previous or not fits:
            return expected, expected
        previous, expected = row.digest, expected + 1
    return 0, expected - 1
