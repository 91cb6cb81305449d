"""The Merkle tree over a list of leaves, as in Certificate Transparency (RFC 6962, 2.1; RFC 9162, 2.1).

A leaf is hashed after the byte 0, two nodes are hashed together after the byte 1, so that no node passes for a leaf. A
tree of ``n`` leaves is split at the largest power of two below ``n``: a tree that grows keeps its full subtrees.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node from those of its two parts."""
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree over leaf hashes in order, with all its full subtrees; a leaf is added in time that does not grow."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.add(leaf)

    def __len__(self) -> int:
        """Return the number of leaves."""
        return len(self._levels[0])

    def add(self, leaf: bytes) -> None:
        """Add a leaf hash at the end."""
        level, node = 0, leaf
        while True:
            nodes = self._levels[level]
            nodes.append(node)
            if len(nodes) % 2:
                return
            node = node_hash(nodes[-2], nodes[-1])
            level += 1
            if level == len(self._levels):
                self._levels.append([])

    def root(self, size: int | None = None) -> bytes:
        """Return the root over the first leaves, by default all."""
        whole = self._size(size)
        return self._hash(0, whole) if whole else EMPTY

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """Return the path from a leaf to the root over the first leaves (RFC 6962, 2.1.1)."""
        whole = self._size(size)
        if not 0 <= index < whole:
            raise IndexError(index)
        return self._path(index, 0, whole)

    def consistency(self, earlier: int, size: int | None = None) -> list[bytes]:
        """Return the proof that a tree begins with an earlier one (RFC 6962, 2.1.2)."""
        whole = self._size(size)
        if not 0 <= earlier <= whole:
            raise IndexError(earlier)
        return self._continues(earlier, 0, whole, known=True) if 0 < earlier < whole else []

    def _size(self, size: int | None) -> int:
        if size is None:
            return len(self)
        if not 0 <= size <= len(self):
            raise IndexError(size)
        return size

    def _hash(self, first: int, end: int) -> bytes:
        """Return the hash over leaves; a full subtree is known already."""
        count = end - first
        if count & (count - 1) == 0:
            return self._levels[count.bit_length() - 1][first // count]
        middle = first + _split(count)
        return node_hash(self._hash(first, middle), self._hash(middle, end))

    def _path(self, index: int, first: int, end: int) -> list[bytes]:
        if end - first == 1:
            return []
        middle = first + _split(end - first)
        if index < middle:
            return [*self._path(index, first, middle), self._hash(middle, end)]
        return [*self._path(index, middle, end), self._hash(first, middle)]

    def _continues(self, earlier: int, first: int, end: int, *, known: bool) -> list[bytes]:
        """Return the nodes with which both roots are computed; ``known`` if the subtree is the whole earlier tree."""
        if earlier == end - first:
            return [] if known else [self._hash(first, end)]
        split = _split(end - first)
        middle = first + split
        if earlier <= split:
            return [*self._continues(earlier, first, middle, known=known), self._hash(middle, end)]
        return [*self._continues(earlier - split, middle, end, known=False), self._hash(first, middle)]


def _split(count: int) -> int:
    """Return the largest power of two below a number."""
    return 1 << (count - 1).bit_length() - 1


# ------------------------------------------------------------------------------------------------------ checking


def root_from_inclusion(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a path gives for a leaf; None if the path has the wrong length (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return None
    last, root = size - 1, leaf
    for node in path:
        if last == 0:
            return None
        if index % 2 or index == last:
            root = node_hash(node, root)
            while not index % 2 and index:
                index, last = index >> 1, last >> 1
        else:
            root = node_hash(root, node)
        index, last = index >> 1, last >> 1
    return root if last == 0 else None


def includes(index: int, size: int, leaf: bytes, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether a path proves that a leaf is in the tree with a root."""
    return root_from_inclusion(index, size, leaf, path) == root


def continues(earlier: int, size: int, earlier_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a tree begins with an earlier one (RFC 9162, 2.1.4.2)."""
    if not 0 <= earlier <= size:
        return False
    if earlier in (0, size):
        same = earlier_root == (EMPTY if earlier == 0 else root)
        return same and not proof
    path = list(proof)
    if earlier & (earlier - 1) == 0:
        path.insert(0, earlier_root)
    if not path:
        return False
    index, last = earlier - 1, size - 1
    while index % 2:
        index, last = index >> 1, last >> 1
    old = new = path[0]
    for node in path[1:]:
        if last == 0:
            return False
        if index % 2 or index == last:
            old, new = node_hash(node, old), node_hash(node, new)
            while not index % 2 and index:
                index, last = index >> 1, last >> 1
        else:
            new = node_hash(new, node)
        index, last = index >> 1, last >> 1
    return last == 0 and old == earlier_root and new == root
