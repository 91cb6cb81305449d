"""Signed checkpoints of the ledger, the proofs between them, receipts for reports, and proofs about published lists.

A checkpoint follows from the first acts of the ledger and the key alone, so that it can be made again for every size.
Those of publications and of each night are also acts of the ledger: an act has the note as it was signed, so that what
is printed on a list stays the same after the key was replaced. What protects the ledger is that people keep checkpoints
elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from arpad.lists.table import LINE, lines_bytes
from arpad.model.canonical_json import dump
from arpad.model.errors import BadInput
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.rows import Publication
from arpad.office.office import Office, record_act, signed_by, utc
from arpad.office.proof.erasures import load_erasures
from arpad.office.proof.signing_keys import public_keys, refuse_lost_key, require_signing_key, signing_key
from arpad.office.reports.status import report_on_file
from arpad.proofs import merkle
from arpad.proofs.checkpoints import Checkpoint, checkpoint_of, parse_checkpoint
from arpad.proofs.lines import GROUP, HASH, LineProof, group_leaves, line_hashes, published_list
from arpad.proofs.merkle import Tree
from arpad.proofs.receipts import Receipt, leaf_of
from arpad.proofs.signed_notes import (
    COSIGNED,
    Note,
    PublicKey,
    SigningKey,
    joined_notes,
    parse_note,
    parse_public_key,
    sign_note,
    signers,
)
from arpad.store import ledger
from arpad.store.bulk import kept
from arpad.store.ledger import Act, acts_of

VERB = "checkpoint"


def ledger_tree(connection: Connection) -> Tree:
    """Return the tree over the seals of all acts."""
    return Tree(leaf_of(digest) for digest in ledger.digests(connection))


def checkpoint(office: Office, size: int | None = None) -> Note:
    """Return the signed checkpoint over the first acts, by default all."""
    key = require_signing_key(office)
    with office.store.reading() as connection:
        return (
            _signed_now(connection, office, key)
            if size is None
            else _signed(ledger_tree(connection), size, key)
        )


def consistency(office: Office, earlier: int, later: int | None = None) -> tuple[int, list[bytes]]:
    """Return the size of the later tree, and the proof that it begins with the earlier one."""
    with office.store.reading() as connection:
        tree = ledger_tree(connection)
    end = len(tree) if later is None else later
    if not 0 <= earlier <= end <= len(tree):
        raise BadInput("no-such-checkpoint", size=max(earlier, end), acts=len(tree))
    return end, tree.consistency(earlier, end)


# ------------------------------------------------------------------------------------------ checkpoints in the ledger


def record_checkpoint(office: Office) -> Note | None:
    """Sign the ledger as it is, and note it in the ledger; None without a key, or if nothing else happened since."""
    key = signing_key(office)
    if key is None:
        with office.store.reading() as connection:
            refuse_lost_key(office, connection)
        return None
    with record_act(office, VERB) as act:
        if ledger.act(act.connection, act.seq - 1).verb == VERB:
            return None
        note = _signed_now(act.connection, office, key)
        act.record(note=note.written())
    return note


def checkpoint_after(office: Office) -> Callable[[Connection], None]:
    """Return what appends a checkpoint behind an act, in its transaction; nothing if the office never had a key.

    The checkpoint of a publication is the act right behind it or none. So it never changes, and neither do the files
    on which it is printed. If the ledger knows a key and it is missing, the act is refused.
    """
    key = signing_key(office)

    def append(connection: Connection) -> None:
        if key is None:
            refuse_lost_key(office, connection)
            return
        details = {"note": _signed_now(connection, office, key).written()}
        ledger.append(connection, utc(office.now()), signed_by(office), VERB, details, "")

    return append


def checkpoint_behind(connection: Connection, act: int) -> Note | None:
    """Return the checkpoint that was appended right behind an act; None if there is none."""

    def read() -> Note | None:
        following = ledger.some_acts(connection, [act + 1]).get(act + 1)
        return parse_note(str(following.facts["note"])) if following and following.verb == VERB else None

    return kept(connection, ("checkpoint behind", act), read)


def first_checkpoint_over(connection: Connection, act: int) -> Note | None:
    """Return the first checkpoint of the ledger behind an act; None if the ledger was not signed since."""
    following = ledger.next_acts(connection, act, [VERB], 1)
    return parse_note(str(following[0].facts["note"])) if following else None


# ---------------------------------------------------------------------------------------------------------- receipts


def receipt(office: Office, report: int) -> Receipt:
    """Return the receipt for a report: its act in the ledger, under the checkpoint of now."""
    (of_report,) = receipts(office, [report])
    return of_report


def receipts(office: Office, reports: Iterable[int]) -> list[Receipt]:
    """Return the receipts for reports under one checkpoint."""
    key = require_signing_key(office)
    with office.store.reading() as connection:
        acts = {number: report_on_file(connection, number).act for number in reports}
        tree = ledger_tree(connection)
        note = _signed(tree, len(tree), key, utc(office.now()))
        rows = ledger.some_acts(connection, acts.values())
    given = {number: act_receipt(rows[act], tree, note) for number, act in acts.items()}
    for number, receipt in given.items():
        if receipt is None:
            raise BadInput("receipt-erased", report=number)
    return [receipt for receipt in given.values() if receipt is not None]


def act_receipt(act: ledger.Act, tree: Tree, note: Note, size: int | None = None) -> Receipt | None:
    """Return the proof of an act under a checkpoint, by default over all acts; None if a name was erased from it."""
    if act.sealed() != act.digest:
        return None
    whole = len(tree) if size is None else size
    return Receipt(act.sealed_values(), whole, tuple(tree.inclusion(act.seq - 1, whole)), note)


def _signed_now(connection: Connection, office: Office, key: SigningKey) -> Note:
    tree = ledger_tree(connection)
    return _signed(tree, len(tree), key, utc(office.now()))


def _signed(tree: Tree, size: int, key: SigningKey, time: str = "") -> Note:
    if not 0 <= size <= len(tree):
        raise BadInput("no-such-checkpoint", size=size, acts=len(tree))
    return sign_note(checkpoint_of(key.name, tree, size, time).text(), key.name, key.private)


COSIGNATURE = "cosignature"


def add_cosignatures(office: Office, note: Note, keys: Iterable[PublicKey] = ()) -> list[PublicKey]:
    """Keep the signatures of witnesses under a checkpoint of this office; return the witnesses.

    A witness whose signature is kept already is known by its key; the key of another one is given. Refuse a
    checkpoint that is not of this ledger.
    """
    checkpoint = parse_checkpoint(note)
    with record_act(office, COSIGNATURE) as act:
        own = public_keys(act.connection)
        if not signers(note, own):
            raise BadInput("cosigned-unsigned", origin=checkpoint.origin)
        if not begins_with(ledger_tree(act.connection), checkpoint):
            raise BadInput("cosigned-other-ledger", size=checkpoint.size)
        given = [key for key in keys if key.kind == COSIGNED]
        witnesses = signers(note, dict.fromkeys([*witness_keys(act.connection), *given]))
        if not witnesses:
            raise BadInput("cosigned-by-nobody", origin=checkpoint.origin)
        kept = note.signed_only_by([*own, *witnesses])
        act.record(note=kept.written(), witnesses=[key.text() for key in witnesses])
    return witnesses


def witness_keys(connection: Connection) -> list[PublicKey]:
    """Return the keys of the witnesses whose signatures are kept."""
    return list(dict.fromkeys(key for act in acts_of(connection, COSIGNATURE) for key in witnesses_of(act)))


def witnesses_of(act: Act) -> Iterator[PublicKey]:
    """Yield the witnesses whose signatures an act has added."""
    return map(parse_public_key, act.facts["witnesses"])


def cosigned_checkpoint(connection: Connection, size: int | None = None) -> Note | None:
    """Return the newest checkpoint with signatures of witnesses, or the one over the first acts; None without one."""
    by_text: dict[str, Note] = {}
    for act in acts_of(connection, COSIGNATURE):
        note = parse_note(str(act.facts["note"]))
        by_text[note.text] = joined_notes(by_text.get(note.text, note), note)
    wanted = [note for note in by_text.values() if size in (None, parse_checkpoint(note).size)]
    return max(wanted, key=lambda note: parse_checkpoint(note).size, default=None)


def require_cosigned(office: Office, size: int | None = None) -> Note:
    """Return the newest checkpoint with signatures of witnesses; refuse if there is none."""
    with office.store.reading() as connection:
        note = cosigned_checkpoint(connection, size)
    if note is None:
        raise BadInput("not-cosigned")
    return note


def begins_with(tree: Tree, checkpoint: Checkpoint) -> bool:
    """Return whether a ledger begins with the acts of a checkpoint."""
    return checkpoint.size <= len(tree) and tree.root(checkpoint.size) == checkpoint.root


ERASED_LINES = "lines"
"""The name of the hashes that an erasure kept: of the lines of its player, by their places in a list."""


def publication_receipt(connection: Connection, publication: Publication) -> Receipt | None:
    """Return the act of a publication under the checkpoint right behind it; None if there is none.

    It is the same at any later time: the ledger grows behind it.
    """
    note = checkpoint_behind(connection, publication.act)
    return None if note is None else _receipt_under(connection, publication, note)


def _receipt_under(connection: Connection, publication: Publication, note: Note) -> Receipt | None:
    act = ledger.act(connection, publication.act)
    return act_receipt(act, ledger_tree(connection), note, parse_checkpoint(note).size)


def publication_proof(connection: Connection, publication: Publication) -> bytes:
    """Return the same as a file, for bundles; empty if there is none."""
    receipt = publication_receipt(connection, publication)
    return b"" if receipt is None else (dump(receipt.document()) + "\n").encode()


def line_proof(connection: Connection, publication: Publication, player: int) -> LineProof:
    """Return the proof of a player's line on a list; refuse if the list has none, or a name beside it was erased.

    An imported list, and one from before the first key, has no checkpoint right behind it: the first later one counts.
    """
    note = first_checkpoint_over(connection, publication.act)
    receipt = None if note is None else _receipt_under(connection, publication, note)
    seal = {} if receipt is None else published_list(receipt, publication.id).get("lines", {})
    if receipt is None or not seal:
        raise BadInput("no-line-proof", list=publication.name)
    table = read_table(connection, publication.id, ("player", "rating", *LINE)).filter("listed")
    index = table["player"].index_of(player)
    if index is None:
        raise BadInput("no-line", player=player, list=publication.name)
    text = lines_bytes(table)
    kept = kept_lines(load_erasures(connection).lists.get(publication.id, {}))
    if index in kept:
        raise BadInput("line-proof-erased", list=publication.name)
    hashes, number = with_kept_lines(line_hashes(text), kept), index // GROUP
    leaves = group_leaves(hashes)
    line = text.split(b"\n", index + 1)[index].decode()
    start, end = number * GROUP * HASH, min((number + 1) * GROUP * HASH, len(hashes))
    group_hashes = tuple(hashes[at : at + HASH] for at in range(start, end, HASH))
    path = tuple(merkle.Tree(leaves).inclusion(number))
    return LineProof(receipt, publication.id, line, index, group_hashes, path)


def kept_lines(digests: Mapping[str, Any]) -> dict[int, bytes]:
    """Return the hashes of lines from which a name was erased, as they were published: place → hash."""
    return {int(place): bytes.fromhex(hash_) for place, hash_ in digests.get(ERASED_LINES, {}).items()}


def with_kept_lines(hashes: bytes, kept: Mapping[int, bytes]) -> bytes:
    """Return the hashes of the lines of a list as they were published."""
    published = bytearray(hashes)
    for place, hash_ in kept.items():
        published[place * HASH : (place + 1) * HASH] = hash_
    return bytes(published)


def lines_to_keep(
    connection: Connection, publication: Publication, players: frozenset[int]
) -> dict[str, dict[str, str]]:
    """Return the hashes of the lines of these players, by their places, before a name is erased from them."""
    table = read_table(connection, publication.id, ("player", "rating", *LINE)).filter("listed")
    places = [place for player in sorted(players) if (place := table["player"].index_of(player)) is not None]
    if not places:
        return {}
    hashes = line_hashes(lines_bytes(table))
    return {ERASED_LINES: {str(at): hashes[at * HASH : (at + 1) * HASH].hex() for at in places}}
