"""Receipts: that an act is in the ledger of an office, under a signed checkpoint.

A receipt holds the act itself, its place in the ledger, the path to the root, and the checkpoint. Whoever keeps it can
show later that the office has taken the act in, even if the office no longer has it.
"""

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from arpad.model.act_seal import act_seal
from arpad.model.canonical_json import load
from arpad.model.errors import BadInput
from arpad.proofs import merkle
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.signed_notes import Note, PublicKey, is_text, parse_note

SCHEMA = "arpad.receipt/1"
ACT = ("seq", "at", "author", "verb", "details", "reason", "rows", "previous")
_LONGEST_PATH = 64


@dataclass(frozen=True, slots=True)
class Receipt:
    """An act with the proof that it is in a ledger."""

    act: tuple[Any, ...]
    """Number, time, author, verb, details as canonical JSON, reason, digest of its rows, of the act before."""

    size: int
    path: tuple[bytes, ...]
    checkpoint: Note

    @property
    def seq(self) -> int:
        """Return the number of the act."""
        number: int = self.act[0]
        return number

    def document(self) -> dict[str, Any]:
        """Return the receipt as it is kept in a file."""
        return {
            "schema": SCHEMA,
            "act": dict(zip(ACT, self.act, strict=True)),
            "size": self.size,
            "path": encoded_nodes(self.path),
            "checkpoint": self.checkpoint.written(),
        }


def document_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a receipt or a proof as the bytes of its file."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def leaf_of(digest: str) -> bytes:
    """Return the leaf of an act in the tree, from the act's seal."""
    return merkle.leaf_hash(bytes.fromhex(digest))


def parse_receipt(document: object) -> Receipt:
    """Return the receipt of a document; refuse one that is damaged."""
    if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
        raise BadInput("bad-receipt")
    return parse_parts(document)


def parse_parts(document: Mapping[Any, Any]) -> Receipt:
    """Return the act, the path and the checkpoint of a document, whatever else it proves."""
    act, size, note = (document.get(name) for name in ("act", "size", "checkpoint"))
    right = (
        isinstance(act, Mapping)
        and set(act) == set(ACT)
        and is_number(act["seq"])
        and all(is_text(act[name]) for name in ACT[1:])
        and is_number(size)
        and isinstance(note, str)
    )
    if not right:
        raise BadInput("bad-receipt")
    assert isinstance(act, Mapping) and isinstance(size, int)  # noqa: S101, PT018  for mypy
    path = decoded_nodes(document.get("path"))
    return Receipt(tuple(act[name] for name in ACT), size, path, parse_note(str(note)))


def encoded_nodes(nodes: Sequence[bytes]) -> list[str]:
    """Return hashes as they are written in a document."""
    return [b64encode(node).decode() for node in nodes]


def decoded_nodes(written: object, most: int = _LONGEST_PATH) -> tuple[bytes, ...]:
    """Return the hashes of a document; refuse anything else, and more than a path can have."""
    if not isinstance(written, list) or len(written) > most:
        raise BadInput("bad-receipt")
    try:
        return tuple(b64decode(node, validate=True) for node in written)
    except (binascii.Error, ValueError, TypeError):
        raise BadInput("bad-receipt") from None


def is_number(value: object) -> bool:
    """Return whether a value can be the number of an act or of acts."""
    return type(value) is int and 0 < value < 2**53


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """The proofs of a receipt; each question is answered by itself."""

    included: bool
    """The act is in the tree of the checkpoint."""

    signed: bool | None
    """The checkpoint is signed by the key of the office; None if no key was given."""

    file: bool | None
    """The file has the digest that the act names; None if no file was given."""

    @property
    def holds(self) -> bool:
        """Return whether nothing that was asked is wrong."""
        return self.included and self.signed is not False and self.file is not False


def check_receipt(receipt: Receipt, key: PublicKey | None = None, data: bytes | None = None) -> ReceiptCheck:
    """Return what a receipt proves, for a key of the office and the bytes of the report if they are given."""
    checkpoint = parse_checkpoint(receipt.checkpoint)
    included = checkpoint.size == receipt.size and merkle.includes(
        receipt.seq - 1, receipt.size, leaf_of(act_seal(receipt.act)), receipt.path, checkpoint.root
    )
    signed = None
    if key is not None:
        signed = key.name == checkpoint.origin and receipt.checkpoint.signed_by(key)
    same = None if data is None else named_facts(receipt).get("sha256") == sha256(data).hexdigest()
    return ReceiptCheck(included, signed, same)


def named_facts(receipt: Receipt) -> Mapping[str, Any]:
    """Return what the act says; empty if it cannot be read."""
    try:
        details = load(receipt.act[4])
    except (ValueError, RecursionError):
        return {}
    return details if isinstance(details, Mapping) else {}


def proof_document(earlier: int, later: int, proof: Sequence[bytes]) -> dict[str, Any]:
    """Return the proof that a ledger grew from one size to another, as it is served."""
    return {
        "schema": "arpad.consistency/1",
        "from": earlier,
        "to": later,
        "proof": encoded_nodes(proof),
    }
