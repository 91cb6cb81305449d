"""Verify the database: the ledger's chain, every row by its act, and what follows from the rows, computed again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.declared import Accepts
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import Alteration
from arpad.office.declared import Reading, costly, query
from arpad.office.lists import rows as lists
from arpad.office.office import Office, today
from arpad.office.parts import altered_tables
from arpad.office.proof import checkpoints, signing_keys
from arpad.office.proof.checkpoints import begins_with, ledger_tree, witnesses_of
from arpad.office.proof.erasures import Erasures, load_erasures
from arpad.office.register.number_rows import merged_in_a_circle
from arpad.office.reports.rows import digest_of
from arpad.office.users import officer_of_all
from arpad.office.verify.derived import altered_by_erasures, altered_derived
from arpad.office.verify.lists import (
    FactsByAct,
    ListChecks,
    Progress,
    altered_acts,
    altered_lists,
    entered_later,
)
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.merkle import Tree
from arpad.proofs.signed_notes import PublicKey, parse_note, parse_public_key, signers
from arpad.publishing.verification import Uncompared, Verification
from arpad.store import bulk, damaged_rows, ledger, proved_rows, tables, written_once
from arpad.store.database import refuse_other_tables
from arpad.store.declared_tables import derived_tables, kept_tables, not_covered, proved_tables, verbs
from arpad.store.fingerprint import tables_of_no_feature
from arpad.store.ledger import Act, acts_of
from arpad.store.triggers import altered_triggers
from arpad.system.batches import gc_paused

_SIGNED = (checkpoints.VERB, checkpoints.COSIGNATURE)


def altered_signatures(connection: Connection, since: int = 0) -> Iterator[Alteration]:
    """Yield the acts after one whose checkpoint is not over the acts before it, or not signed as it says."""
    signed = [act for verb in _SIGNED for act in acts_of(connection, verb) if act.seq > since]
    if not signed:
        return
    tree = ledger_tree(connection)
    keys = [
        (act.seq, parse_public_key(str(act.facts["public"])))
        for act in acts_of(connection, signing_keys.VERB)
    ]
    for act in sorted(signed, key=lambda act: act.seq):
        if not _is_right(act, tree, [key for seq, key in keys if seq < act.seq]):
            yield Alteration("checkpoint-act", {"seq": act.seq})


def _is_right(act: Act, tree: Tree, keys: list[PublicKey]) -> bool:
    """Return whether the checkpoint of an act is over acts before it, and signed by a key that was known then.

    An office that has its key from a variable may never have noted it: then only the acts are compared.
    """
    try:
        note = parse_note(str(act.facts["note"]))
        checkpoint = parse_checkpoint(note)
        witnesses = list(witnesses_of(act)) if act.verb == checkpoints.COSIGNATURE else []
    except (ArpadError, LookupError):
        return False
    covered = checkpoint.size < act.seq and begins_with(tree, checkpoint)
    return covered and (not keys or bool(signers(note, keys))) and signers(note, witnesses) == witnesses


TrustedAct = Annotated[int, Accepts("0", low=0, word="trusted-act")]
Quick = Annotated[bool, Accepts(word="quick")]


@dataclass(frozen=True, slots=True)
class AlteredPlace:
    """Something that is not as it was, in words."""

    code: str
    facts: Mapping[str, Any]
    message: str


@dataclass(frozen=True, slots=True)
class Covered:
    """The tables that a verification compared, and what it never covers."""

    since: int
    proved: tuple[str, ...]
    derived: tuple[str, ...]
    not_covered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether the office is as its acts left it, and what was altered."""

    intact: bool
    altered: tuple[AlteredPlace, ...]
    counted: Mapping[str, int]
    covered: Covered
    uncompared: Uncompared | None
    stale: tuple[Alteration, ...]
    entered_later: tuple[Mapping[str, Any], ...]
    erased: tuple[Mapping[str, Any], ...]


@costly
@query("verify", officer_of_all("office"), path="/verification")
def show_verification(reading: Reading, *, quick: Quick = False, since: TrustedAct = 0) -> Verified:
    """Verify that nothing was altered in the office."""
    result = verify(reading.office, recompute=not quick, since=since)
    return verified(result, reading.words, quick=quick, since=since)


def verified(result: Verification, words: Words, *, quick: bool, since: int) -> Verified:
    """Return a verification of an office as an answer."""
    derived = () if quick else tuple(sorted(derived_tables()))
    altered = tuple(
        AlteredPlace(it.code, it.facts, words.text(f"altered.{it.code}", **it.facts)) for it in result.altered
    )
    return Verified(
        result.intact, altered, result.counted,
        Covered(since, tuple(sorted(proved_tables())), derived, tuple(not_covered())), result.uncompared,
        result.stale, tuple(item.facts for item in result.later), tuple(item.facts for item in result.erased),
    )  # fmt: skip


def verify(
    office: Office, *, recompute: bool = True, since: int = 0, progress: Progress | None = None
) -> Verification:
    """Return whether every row is as an act wrote it, or follows from such rows, and what was altered.

    ``recompute`` also computes again what follows: every list from its reports, rankings, the index of names, drafts
    and live lists. ``since`` relies on the acts up to one, and verifies those after it with the rows that they wrote.
    ``progress`` is called with the lists done and all.
    """
    with gc_paused(), office.store.reading() as connection:
        stored = refuse_other_tables(office.store.address, connection)
        _refuse_unknown_act(connection, since)
        damaged = tuple(damaged_rows.damaged_cells(connection))
        if damaged:  # nothing that depends on these rows can be verified
            return Verification("office", damaged, _counts(connection))
        erased = load_erasures(connection)
        wrong, _ = ledger.first_altered(connection, erased.ledger, since)
        altered = [Alteration("ledger-row", {"seq": wrong})] if wrong else []
        broken = list(_broken(connection, ledger_whole=not wrong))
        if broken:
            return Verification("office", (*altered, *broken), _counts(connection))
        altered += [
            Alteration("triggers-missing", {"table": it})
            for it in altered_triggers(connection, kept_tables())
        ]
        facts_by_act = {act.seq: act.facts for act in ledger.acts(connection)} if not wrong else {}
        if not since:
            altered += _reports(connection, facts_by_act, erased)
            altered += _editions(connection, facts_by_act)
            altered += altered_tables(connection, facts_by_act, erased)
        publications = lists.ever_published(connection)
        checks = ListChecks(facts_by_act, erased, recompute, bulk.head(connection))
        later = tuple(publication for publication in publications if publication.act > since)
        with altered_lists(office, connection, later, checks, progress) as of_lists:
            # meanwhile the lists are verified in other processes, if they are many
            absent = _uncompared(connection, tables_of_no_feature(stored))
            rows = list(_rows(connection, erased, facts_by_act, since, absent)) if not wrong else []
            altered += of_lists
        altered += altered_acts(connection, publications, facts_by_act, since) if facts_by_act else ()
        altered += rows
        # what follows from altered rows says nothing more
        derived, stale = _derived(office, connection, erased) if recompute and not altered else ((), ())
        altered += derived
        counts, later_acts = _counts(connection), entered_later(connection)
    erasures = tuple(Alteration("player", _erasure(act)) for act in erased.acts)
    return Verification(
        "office", tuple(altered), counts, erased=erasures, stale=stale, later=later_acts, uncompared=absent
    )


def _uncompared(connection: Connection, absent: tuple[str, ...]) -> Uncompared | None:
    """Return what belongs to features that this installation does not have, with some tables; None if it has all."""
    if not absent:
        return None
    unknown = {act.verb for act in ledger.acts(connection)} - verbs()
    return Uncompared(absent, tuple(sorted(unknown)))


def _derived(
    office: Office, connection: Connection, erased: Erasures
) -> tuple[tuple[Alteration, ...], tuple[Alteration, ...]]:
    """Return what does not follow from the rows, and drafts and live lists that could not be compared."""
    stale: list[Alteration] = []
    return tuple(altered_derived(connection, today(office, connection), erased, stale)), tuple(stale)


def _refuse_unknown_act(connection: Connection, since: int) -> None:
    last = ledger.next_seq(connection) - 1
    if not 0 <= since <= last:
        raise BadInput("no-such-act", act=since, last=last)


def _erasure(act: ledger.Act) -> dict[str, Any]:
    """Return which player was erased, with the day and the author."""
    return {"player": act.facts["player"], "day": date.fromisoformat(act.at[:10]), "by": act.facts["by"]}


def _broken(connection: Connection, *, ledger_whole: bool) -> Iterator[Alteration]:
    """Yield the rows that refer to missing rows or lists, or to each other in a circle."""
    yield from damaged_rows.missing_rows(connection, ledger=ledger_whole)
    yield from damaged_rows.backward_rows(connection)
    for number in lists.of_no_list(connection):
        yield Alteration("row-damaged", {"table": "publications", "row": str(number), "column": "list"})
    for player in merged_in_a_circle(connection):
        yield Alteration("merge-circle", {"player": player})


def _rows(
    connection: Connection,
    erased: Erasures,
    facts_by_act: FactsByAct,
    since: int,
    absent: Uncompared | None,
) -> Iterator[Alteration]:
    """Check the signatures in the ledger, what the acts say of rows, and the rows of all proved tables."""
    yield from altered_signatures(connection, since)
    broken = [
        Alteration("act-rows", {"seq": act})
        for act in proved_rows.broken_records(connection, erased.rows, since)
    ]
    yield from broken
    if broken:
        return
    records = proved_rows.read_records(connection).without(absent.tables if absent else ())
    yield from written_once.wrong_writes(records, facts_by_act, since, absent.verbs if absent else ())
    yield from proved_rows.altered_rows(connection, records.expected, since, facts_by_act)
    yield from altered_by_erasures(connection, erased, records, facts_by_act)


def _counts(connection: Connection) -> dict[str, int]:
    """Return the number of acts, reports and lists."""
    counted = {"acts": "ledger", "reports": "reports", "lists": "publications"}
    return {name: tables.count(connection, table) for name, table in counted.items()}


def _reports(connection: Connection, facts_by_act: FactsByAct, erased: Erasures) -> Iterator[Alteration]:
    for row in tables.rows(connection, "reports", ("id", "digest", "data", "act")):
        digest = digest_of(row["digest"])
        recorded = facts_by_act.get(row["act"], {}).get("sha256", digest)
        data = row["data"].encode() if isinstance(row["data"], str) else bytes(row["data"])
        if sha256(data).hexdigest() != erased.reports.get(row["id"], digest) or recorded != digest:
            yield Alteration("report-bytes", {"report": row["id"]})


def _editions(connection: Connection, facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Compare each own edition with what the ledger says was adopted."""
    for row in tables.rows(connection, "editions"):
        digest = sha256(row["text"].encode()).hexdigest()
        stored = {"edition": row["edition"], "since": row["since"], "sha256": digest}
        facts = facts_by_act.get(row["act"], {**stored, "lists": [row["list"]]})
        if row["list"] not in written_once.listed(facts, "lists") or stored != {
            name: facts.get(name) for name in stored
        }:
            yield Alteration("edition-text", {"edition": row["edition"]})
