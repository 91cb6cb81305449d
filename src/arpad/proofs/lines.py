"""The proof of one line of one list: the line, its place in the list, and the act that published the list.

A list is proved by a Merkle tree over groups of 64 lines: a group is the hashes of its lines, one after the other. Its
root is in the act of publication. Groups cost a third of a tree over single lines, and a proof shows only the hashes of
the lines beside its own: nobody reads in it the line of a player who asked not to be shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from arpad.model.errors import BadInput
from arpad.proofs import merkle
from arpad.proofs.receipts import Receipt, decoded_nodes, encoded_nodes, is_number, named_facts, parse_parts
from arpad.proofs.signed_notes import is_text

SCHEMA = "arpad.line-proof/1"
GROUP = 64
"""Lines of a group."""

HASH = 32
"""Bytes of the hash of a line."""

_PIECE = 1 << 18
"""Bytes of a text that are cut into lines at once: their memory is used again for the next."""


def line_hash(line: bytes) -> bytes:
    """Return the hash of a line, without its end."""
    return sha256(line).digest()


def line_hashes(text: bytes, start: int = 0) -> bytes:
    """Return the hashes of the lines of a text from a byte on, one after the other."""
    hashes = []
    while start < len(text):
        end = text.find(b"\n", start + _PIECE) + 1 or len(text)
        hashes.append(b"".join([sha256(line).digest() for line in text[start:end].split(b"\n")[:-1]]))
        start = end
    return b"".join(hashes)


def group_leaves(hashes: bytes) -> list[bytes]:
    """Return the leaf of each group of lines."""
    group = GROUP * HASH
    return [merkle.leaf_hash(hashes[start : start + group]) for start in range(0, len(hashes), group)]


def lines_seal(hashes: bytes) -> dict[str, Any]:
    """Return what an act says about the lines of a list: how many, and the root of the tree over their groups."""
    return {"count": len(hashes) // HASH, "root": merkle.Tree(group_leaves(hashes)).root().hex()}


@dataclass(frozen=True, slots=True)
class LineProof:
    """A line with the proof that it is in a list, and that the list is in a ledger."""

    receipt: Receipt
    publication: int
    """The number of the list in its act, since a correction publishes several."""

    line: str
    index: int
    group: tuple[bytes, ...]
    """The hashes of the lines of its group."""

    path: tuple[bytes, ...]

    def document(self) -> dict[str, Any]:
        """Return the proof as it is kept in a file."""
        return {
            **self.receipt.document(), "schema": SCHEMA, "publication": self.publication, "line": self.line,
            "index": self.index, "group": encoded_nodes(self.group), "line_path": encoded_nodes(self.path),
        }  # fmt: skip


def parse_line_proof(document: object) -> LineProof:
    """Return the proof of a document; refuse one that is damaged."""
    if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
        raise BadInput("bad-receipt")
    publication, line, index = (document.get(name) for name in ("publication", "line", "index"))
    if not (is_number(publication) and is_text(line) and type(index) is int and 0 <= index < 2**53):
        raise BadInput("bad-receipt")
    group = decoded_nodes(document.get("group"), GROUP)
    path = decoded_nodes(document.get("line_path"))
    return LineProof(parse_parts(document), int(str(publication)), str(line), index, group, path)


def published_lists(receipt: Receipt) -> list[Mapping[str, Any]]:
    """Return what an act says about each list that it published; empty for other acts."""
    facts = named_facts(receipt)
    revisions = facts.get("revisions", [{}])
    listed = revisions if isinstance(revisions, list) else []
    entries = [{**facts, **entry} for entry in listed if isinstance(entry, Mapping)]
    return [entry for entry in entries if "publication" in entry]


def published_list(receipt: Receipt, publication: int) -> Mapping[str, Any]:
    """Return what an act says about one list, by its number; empty if nothing."""
    return next((entry for entry in published_lists(receipt) if entry["publication"] == publication), {})


def line_included(proof: LineProof) -> bool:
    """Return whether the line is in the list that the act published."""
    seal = published_list(proof.receipt, proof.publication).get("lines")
    if not isinstance(seal, Mapping):
        return False
    count, root = seal.get("count"), seal.get("root")
    if type(count) is not int or not isinstance(root, str) or not 0 <= proof.index < count:
        return False
    number, index = divmod(proof.index, GROUP)
    right_size = len(proof.group) == min(GROUP, count - number * GROUP)
    if not right_size or proof.group[index] != line_hash(proof.line.encode()):
        return False
    groups, leaf = -(-count // GROUP), merkle.leaf_hash(b"".join(proof.group))
    computed = merkle.root_from_inclusion(number, groups, leaf, proof.path)
    return computed is not None and computed.hex() == root
