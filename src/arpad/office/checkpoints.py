"""Signed checkpoints of the ledger, the proofs between them, and receipts for reports.

A checkpoint follows from the first acts of the ledger and the key alone, so that it can be made again for every size:
nothing is stored. What protects the ledger is that people keep checkpoints elsewhere.
"""

from __future__ import annotations

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.office import Office
from arpad.office.report_status import report_on_file
from arpad.office.signing_keys import SigningKey, require_signing_key
from arpad.proofs.checkpoints import checkpoint_of
from arpad.proofs.merkle import Tree
from arpad.proofs.receipts import Receipt, leaf_of
from arpad.proofs.signed_notes import Note, sign_note
from arpad.store import ledger


def ledger_tree(connection: Connection) -> Tree:
    """Return the tree over the seals of all acts."""
    return Tree(leaf_of(digest) for digest in ledger.digests(connection))


def checkpoint(office: Office, size: int | None = None) -> Note:
    """Return the signed checkpoint over the first acts, by default all."""
    key = require_signing_key(office)
    with office.store.reading() as connection:
        tree = ledger_tree(connection)
    return _signed(tree, len(tree) if size is None else size, key)


def consistency(office: Office, earlier: int, later: int | None = None) -> tuple[int, list[bytes]]:
    """Return the size of the later tree, and the proof that it begins with the earlier one."""
    with office.store.reading() as connection:
        tree = ledger_tree(connection)
    end = len(tree) if later is None else later
    if not 0 <= earlier <= end <= len(tree):
        raise BadInput("no-such-checkpoint", size=max(earlier, end), acts=len(tree))
    return end, tree.consistency(earlier, end)


def receipt(office: Office, report: int) -> Receipt:
    """Return the receipt for a report: its act in the ledger, under the checkpoint of now."""
    key = require_signing_key(office)
    with office.store.reading() as connection:
        act = ledger.act(connection, report_on_file(connection, report).act)
        tree = ledger_tree(connection)
    if act.sealed() != act.digest:  # a player's name was erased from it
        raise BadInput("receipt-erased", report=report)
    path = tuple(tree.inclusion(act.seq - 1))
    return Receipt(act.sealed_values(), len(tree), path, _signed(tree, len(tree), key))


def _signed(tree: Tree, size: int, key: SigningKey) -> Note:
    if not 0 <= size <= len(tree):
        raise BadInput("no-such-checkpoint", size=size, acts=len(tree))
    return sign_note(checkpoint_of(key.name, tree, size).text(), key.name, key.private)
