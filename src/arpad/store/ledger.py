"""The ledger: every act with author, time and reason, each row sealed with the digest of the one before."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, bindparam, func, or_, select

from arpad.model.act_seal import act_seal, text_digest
from arpad.model.canonical_json import dump, load
from arpad.store.bulk import FIRST, add_rows, fetch_rows, head, rows_with
from arpad.store.declared_tables import act_digest, refuse_undeclared
from arpad.store.jobs import enqueue
from arpad.store.schema import act_rows, ledger
from arpad.store.settings import PUBLIC, read_setting
from arpad.store.written_rows import DIGEST_BYTES, ActRecord, TakenRows, collected_rows

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
    rows: str
    """The digest of the rows that the act wrote (``store.written_rows``)."""

    previous: str
    digest: str

    @property
    def facts(self) -> dict[str, Any]:
        """The details as values."""
        facts: dict[str, Any] = load(self.details)
        return facts

    def sealed(self) -> str:
        """Return the digest that the row must have."""
        return act_seal(self.sealed_values())

    def sealed_values(self) -> tuple[int, str, str, str, str, str, str, str]:
        """Return the values that the seal covers, in its order."""
        return (
            self.seq, self.at, self.author, self.verb, self.details, self.reason, self.rows, self.previous,
        )  # fmt: skip


def next_seq(connection: Connection) -> int:
    """Return the number of the next act."""
    return (connection.execute(_LAST_SEQ).scalar() or 0) + 1


_LAST_SEQ = select(func.max(ledger.c.seq))


# ----------------------------------------------------------------------------------------------------- appending


ENTERED_AFTER = "entered_after"
"""In the details of an act with a time before that of an earlier act: the latest time in the ledger until then."""


class LedgerWriter:
    """Appends acts: each is sealed with the digest of the one before, and all are written at once.

    Acts with a time before that of an earlier act say so in their details.
    """

    def __init__(self, connection: Connection, at: str, author: str, reason: str) -> None:
        """Start at the end of the ledger."""
        self.connection = connection
        self.last = next_seq(connection) - 1
        self._previous = head(connection)
        self._common = (at, author, reason)
        last_act = act(connection, self.last) if self.last else None
        latest = str(last_act.facts.get(ENTERED_AFTER, last_act.at)) if last_act else ""
        self._mark = {ENTERED_AFTER: latest} if at < latest else {}
        self._unwritten: list[tuple[int, str, str]] = []

    def add(self, verb: str, details: Mapping[str, Any]) -> None:
        """Add the act with the number ``last + 1``."""
        self.last += 1
        self._unwritten.append((self.last, verb, dump({**details, **self._mark})))

    def write(self) -> None:
        """Seal and write the acts that were added, whose rows must be written before.

        Ask workers to tell of them and to update the live lists.
        """
        if not self._unwritten:
            return
        notes = collected_rows(self.connection)
        acts = [seq for seq, _, _ in self._unwritten]
        written = notes.take(self.connection, acts) if notes else {}
        records = []
        for seq, verb, details in self._unwritten:
            taken = written.get(seq, TakenRows())
            refuse_undeclared(verb, *taken.tables())
            records.append(taken.record({f"ledger[{seq}]": act_digest(details)[:DIGEST_BYTES]}))
        rows = [
            self._sealed(*act, record.digest()) for act, record in zip(self._unwritten, records, strict=True)
        ]
        add_rows(self.connection, ledger, [column.name for column in ledger.columns], rows)
        of_acts = [(act, *record) for act, record in zip(acts, records, strict=True)]
        add_rows(self.connection, act_rows, ("act", *ActRecord._fields), of_acts)
        self._unwritten.clear()
        enqueue(self.connection, CHANGES_JOB, {}, key="all")
        if read_setting(self.connection, "live_lists") == PUBLIC:
            enqueue(self.connection, "live", {}, key="live")
            enqueue(self.connection, "live-received", {}, key="live")

    def _sealed(self, seq: int, verb: str, details: str, rows: str) -> tuple[int | str, ...]:
        """Return the ledger's row of an act, sealed with the digest of the act before."""
        at, author, reason = self._common
        values = (seq, at, author, verb, details, reason, rows, self._previous)
        self._previous = act_seal(values)
        return (*values, self._previous)


def times_before(connection: Connection) -> dict[int, tuple[str, str]]:
    """Return the acts whose time is before that of an earlier act: their time, and the latest until then."""
    before, latest = {}, ""
    for seq, at in fetch_rows(connection, select(ledger.c.seq, ledger.c.at).order_by(ledger.c.seq)):
        if at < latest:
            before[seq] = at, latest
        latest = max(latest, at)
    return before


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
    for row in connection.execute(_ACTS.where(ledger.c.seq >= since)):
        yield Act(*row)


_ACTS = select(*(ledger.c[field.name] for field in fields(Act))).order_by(ledger.c.seq)
_ACTS_BETWEEN = _ACTS.where(ledger.c.seq.between(bindparam("first"), bindparam("last")))
_ACTS_OF = _ACTS.where(ledger.c.verb == bindparam("of"))


def acts_between(connection: Connection, first: int, last: int) -> list[Act]:
    """Return the acts from a number to another, in order."""
    return [Act(*row) for row in fetch_rows(connection, _ACTS_BETWEEN, {"first": first, "last": last})]


def digests(connection: Connection) -> list[str]:
    """Return the seals of all acts, in order."""
    return list(connection.execute(select(ledger.c.digest).order_by(ledger.c.seq)).scalars())


def has_seal(connection: Connection, seal: str) -> bool:
    """Return whether an act has a seal."""
    query = select(ledger.c.seq).where(ledger.c.digest == seal)
    return connection.execute(query).first() is not None


def act(connection: Connection, number: int) -> Act:
    """Return one act."""
    return some_acts(connection, [number])[number]


def some_acts(connection: Connection, numbers: Iterable[int]) -> dict[int, Act]:
    """Return acts by number."""
    return {row[0]: Act(*row) for row in rows_with(connection, _ACTS, ledger.c.seq, {*numbers})}


def acts_of(connection: Connection, verb: str) -> list[Act]:
    """Return all acts of a verb, in order."""
    return [Act(*row) for row in fetch_rows(connection, _ACTS_OF, {"of": verb})]


def next_acts(connection: Connection, after: int, verbs: Collection[str], most: int) -> list[Act]:
    """Return the first acts of some verbs after an act, in order."""
    query = _ACTS.where(ledger.c.seq > after, ledger.c.verb.in_(verbs)).limit(most)
    return [Act(*row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class AskedActs:
    """Which acts somebody wants to see: by whom, of which verb, about which report, and between which moments."""

    author: str = ""
    verb: str = ""
    report: int = 0
    since: str = ""
    until: str = ""
    """UTC, as the ledger writes it; this moment is not among them."""


def latest_acts(
    connection: Connection, asked: AskedActs, before: int, most: int, *, without: str = ""
) -> list[Act]:
    """Return the latest acts before one (0: the latest of all) that are asked for, without those of a verb."""
    about = [ledger.c.details.contains(f'"report":{asked.report}{end}', autoescape=True) for end in ",}"]
    wanted = (
        (before, ledger.c.seq < before), (asked.author, ledger.c.author == asked.author),
        (asked.verb, ledger.c.verb == asked.verb), (without, ledger.c.verb != without),
        (asked.since, ledger.c.at >= asked.since), (asked.until, ledger.c.at < asked.until),
        (asked.report, or_(*about)),
    )  # fmt: skip
    query = _ACTS.where(*(condition for is_asked, condition in wanted if is_asked))
    query = query.order_by(None).order_by(ledger.c.seq.desc()).limit(most)
    return [Act(*row) for row in fetch_rows(connection, query)]


def authors_and_verbs(connection: Connection) -> tuple[list[str], list[str]]:
    """Return everybody who did something, and everything that was done."""
    pairs = fetch_rows(connection, select(ledger.c.author, ledger.c.verb).distinct())
    return sorted({author for author, _ in pairs}), sorted({verb for _, verb in pairs})


ErasedTexts = Mapping[int, Mapping[str, tuple[str, str]]]
"""Act → ``details`` or ``reason`` → the digest of the text as it was sealed, and of the text that an erasure left."""


def first_altered(connection: Connection, erased: ErasedTexts, since: int = 0) -> tuple[int, int]:
    """Return the first act whose row is missing or does not fit its seal, or 0, and the number of acts.

    ``erased`` are the acts from whose texts something was erased. The acts up to ``since`` are relied on.
    """
    previous, expected = (act(connection, since).digest if since else FIRST), since + 1
    for row in acts(connection, since + 1):
        fits = row.sealed() == row.digest if row.seq not in erased else _fits(row, erased[row.seq])
        if row.seq != expected or row.previous != previous or not fits:
            return expected, expected
        previous, expected = row.digest, expected + 1
    return 0, expected - 1


def _fits(act: Act, erased: Mapping[str, tuple[str, str]]) -> bool:
    """Return whether an act has its seal with the digests of the texts that were erased, and what is left of them."""
    texts = {"details": act.details, "reason": act.reason}
    sealed = {name: was for name, (was, _) in erased.items()}
    left = all(text_digest(texts[name]) == digest for name, (_, digest) in erased.items())
    return left and act_seal(act.sealed_values(), **sealed) == act.digest
