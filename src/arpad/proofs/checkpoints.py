"""Checkpoints: a signed note with the size and the root of the tree over a ledger.

Three lines: the name of the office (its origin), the number of acts, the root in Base64. Lines after that may say more
to people; they are covered by the signature too.
"""

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from arpad.model.errors import BadInput
from arpad.proofs import merkle
from arpad.proofs.signed_notes import Note

_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
_TIME = "time "
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_ROOT_BYTES = 32
_FIXED_LINES = 3


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a ledger at one moment."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()

    @property
    def time(self) -> str:
        """Return when the ledger had this size and no other, in UTC; empty if the checkpoint does not say it."""
        times = [line.removeprefix(_TIME) for line in self.more if line.startswith(_TIME)]
        return times[0] if times and _MOMENT.fullmatch(times[0]) else ""

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


def checkpoint_of(origin: str, tree: merkle.Tree, size: int | None = None, time: str = "") -> Checkpoint:
    """Return the checkpoint over the first acts of a ledger, by default all.

    ``time`` says that the ledger had no more acts then; a checkpoint over earlier acts has none.
    """
    more = (f"{_TIME}{time}",) if time else ()
    return Checkpoint(origin, len(tree) if size is None else size, tree.root(size), more)


def consistent(earlier: Checkpoint, later: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a ledger only grew from one checkpoint to another."""
    return earlier.origin == later.origin and merkle.continues(
        earlier.size, later.size, earlier.root, later.root, proof
    )


def contradict(first: Checkpoint, second: Checkpoint) -> bool:
    """Return whether two checkpoints of one office cannot both be true.

    They give two roots to the same number of acts, or the later one has fewer acts: a ledger only grows.
    """
    if first.origin != second.origin:
        return False
    if first.size == second.size:
        return first.root != second.root
    shorter, longer = sorted((first, second), key=lambda it: it.size)
    return bool(shorter.time and longer.time and longer.time < shorter.time)
