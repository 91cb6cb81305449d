"""Verify the signed checkpoints in the ledger: without the key nobody signs them again over other acts."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from arpad.model.errors import ArpadError
from arpad.office.proof import checkpoints, cosignatures, signing_keys
from arpad.office.proof.checkpoints import ledger_tree
from arpad.office.proof.cosignatures import begins_with, witnesses_of
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.merkle import Tree
from arpad.proofs.signed_notes import PublicKey, parse_note, parse_public_key, signers
from arpad.publishing.verification import Alteration
from arpad.store.ledger import Act, acts_of

_SIGNED = (checkpoints.VERB, cosignatures.VERB)


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
        witnesses = list(witnesses_of(act)) if act.verb == cosignatures.VERB else []
    except (ArpadError, LookupError):
        return False
    covered = checkpoint.size < act.seq and begins_with(tree, checkpoint)
    return covered and (not keys or bool(signers(note, keys))) and signers(note, witnesses) == witnesses
