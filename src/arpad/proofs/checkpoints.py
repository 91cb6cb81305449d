"""Checkpoints: a signed note with the size and the root of the tree over a ledger.

Three lines: the name of the office (its origin), the number of acts, the root in Base64. Lines after that may say more
to people; they are covered by the signature too.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from arpad.model.errors import BadInput
from arpad.proofs import merkle
from arpad.proofs.signed_notes import Note

_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
_ROOT_BYTES = 32
_FIXED_LINES = 3


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a ledger at one moment."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the text that is signed."""
        lines = (self.origin, str(self.size), b64encode(self.root).decode(), *self.more)
        return "".join(f"{line}\n" for line in lines)


def parse_checkpoint(note: Note) -> Checkpoint:
    """Return the checkpoint of a note, whose signatures are checked apart."""
    lines = note.text.split("\n")[:-1]
    if len(lines) >= _FIXED_LINES and lines[0] and _SIZE.fullmatch(lines[1]):
        try:
            root = b64decode(lines[2], validate=True)
        except (binascii.Error, ValueError):
            root = b""
        if len(root) == _ROOT_BYTES:
            return Checkpoint(lines[0], int(lines[1]), root, tuple(lines[3:]))
    raise BadInput("bad-checkpoint")


def checkpoint_of(origin: str, tree: merkle.Tree, size: int | None = None) -> Checkpoint:
    """Return the checkpoint over the first acts of a ledger, by default all."""
    return Checkpoint(origin, len(tree) if size is None else size, tree.root(size))


def consistent(earlier: Checkpoint, later: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a ledger only grew from one checkpoint to another."""
    return earlier.origin == later.origin and merkle.continues(
        earlier.size, later.size, earlier.root, later.root, proof
    )


def contradict(first: Checkpoint, second: Checkpoint) -> bool:
    """Return whether two checkpoints of one office cannot both be true: the same size with two roots."""
    return (first.origin, first.size) == (second.origin, second.size) and first.root != second.root
