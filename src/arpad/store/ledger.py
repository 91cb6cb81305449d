"""The ledger: every act with author, time and reason, each row sealed with the digest of the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, func, insert, select

from arpad.model.json_values import dump, load
from arpad.store.bulk import id_batches
from arpad.store.schema import ledger

FIRST = "0" * 64


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
        found: dict[str, Any] = load(self.details)
        return found

    def sealed(self) -> str:
        """The digest that the row must have."""
        return seal(self.seq, self.at, self.author, self.verb, self.details, self.reason, self.previous)


def seal(seq: int, at: str, author: str, verb: str, details: str, reason: str, previous: str) -> str:
    """SHA-256 over a row and the digest of the one before."""
    return sha256(dump([seq, at, author, verb, details, reason, previous]).encode()).hexdigest()


def next_seq(connection: Connection) -> int:
    """The number of the act to come."""
    return (connection.execute(select(func.max(ledger.c.seq))).scalar() or 0) + 1


def head(connection: Connection) -> str:
    """The seal of the last act: it tells one state of the office from every other."""
    query = select(ledger.c.digest).order_by(ledger.c.seq.desc()).limit(1)
    return connection.execute(query).scalar() or FIRST


def append(
    connection: Connection, seq: int, at: str, author: str, verb: str, details: Mapping[str, Any], reason: str
) -> str:
    """Write an act at the end of the chain; gives its digest."""
    previous = connection.execute(select(ledger.c.digest).where(ledger.c.seq == seq - 1)).scalar() or FIRST
    told = dump(details)
    digest = seal(seq, at, author, verb, told, reason, previous)
    row = {
        "seq": seq, "at": at, "author": author, "verb": verb, "details": told, "reason": reason,
        "previous": previous, "digest": digest,
    }  # fmt: skip
    connection.execute(insert(ledger), row)
    return digest


def acts(connection: Connection, since: int = 1) -> Iterator[Act]:
    """The acts from one on, in order: the whole rest of the ledger."""
    query = select(ledger).where(ledger.c.seq >= since).order_by(ledger.c.seq)
    for row in connection.execute(query).mappings():
        yield Act(**row)


def act(connection: Connection, number: int) -> Act:
    """One act."""
    return some_acts(connection, [number])[number]


def some_acts(connection: Connection, numbers: Iterable[int]) -> dict[int, Act]:
    """A few acts by number, however long the ledger is."""
    found: dict[int, Act] = {}
    for some in id_batches(set(numbers)):
        query = select(ledger).where(ledger.c.seq.in_(some))
        found |= {row["seq"]: Act(**row) for row in connection.execute(query).mappings()}
    return found


def first_altered(connection: Connection, erased: Mapping[int, str]) -> tuple[int, int]:
    """The first act whose row is missing or does not fit its seal (0 where all do), and how many acts there are.

    ``erased`` are the seals of rows from which texts were erased; such a row keeps its old digest in the chain.
    """
    previous, expected = FIRST, 1
    for found in acts(connection):
        sealed = found.sealed()
        fits = sealed == erased.get(found.seq, found.digest)
        if found.seq != expected or found.previous != previous or not fits:
            return expected, expected
        previous, expected = found.digest, expected + 1
    return 0, expected - 1
