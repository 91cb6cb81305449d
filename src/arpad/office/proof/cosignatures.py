"""Signatures of witnesses under the checkpoints of an office: kept in the ledger, and served with the checkpoint.

A witness keeps checkpoints of the office and has checked that its ledger only grew. Its signature under a checkpoint
(``arpad witness cosign``) says so to everybody who trusts the witness, and when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.office.proof.checkpoints import ledger_tree
from arpad.office.proof.signing_keys import public_keys
from arpad.proofs.checkpoints import Checkpoint, parse_checkpoint
from arpad.proofs.merkle import Tree
from arpad.proofs.signed_notes import (
    COSIGNED,
    Note,
    PublicKey,
    joined_notes,
    parse_note,
    parse_public_key,
    signers,
)
from arpad.store.ledger import Act, acts_of

VERB = "cosignature"


def add_cosignatures(office: Office, note: Note, keys: Iterable[PublicKey] = ()) -> list[PublicKey]:
    """Keep the signatures of witnesses under a checkpoint of this office; return the witnesses.

    A witness whose signature is kept already is known by its key; the key of another one is given. Refuse a
    checkpoint that is not of this ledger.
    """
    checkpoint = parse_checkpoint(note)
    with record_act(office, VERB) as act:
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
    return list(dict.fromkeys(key for act in acts_of(connection, VERB) for key in witnesses_of(act)))


def witnesses_of(act: Act) -> Iterator[PublicKey]:
    """Yield the witnesses whose signatures an act has added."""
    return map(parse_public_key, act.facts["witnesses"])


def cosigned_checkpoint(connection: Connection, size: int | None = None) -> Note | None:
    """Return the newest checkpoint with signatures of witnesses, or the one over the first acts; None without one."""
    by_text: dict[str, Note] = {}
    for act in acts_of(connection, VERB):
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
