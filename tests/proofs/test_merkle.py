"""The Merkle tree: the published examples of Certificate Transparency, and every proof of small trees."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.proofs.merkle import EMPTY, Tree, continues, includes, leaf_hash, node_hash

LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The roots over the first 0 to 8 leaves, as the tests of Certificate Transparency print them."""


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(map(leaf_hash, LEAVES))


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots(tree: Tree, size: int) -> None:
    assert tree.root(size).hex() == ROOTS[size]
    assert Tree(map(leaf_hash, LEAVES[:size])).root().hex() == ROOTS[size]


def plain_root(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, 2.1, word by word."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaves[0]
    split = max(1 << bits for bits in range(20) if 1 << bits < len(leaves))
    return node_hash(plain_root(leaves[:split]), plain_root(leaves[split:]))


MANY = [leaf_hash(bytes([number])) for number in range(40)]
LARGE = Tree(MANY)


@pytest.mark.parametrize("size", range(41))
def test_every_inclusion_of_small_trees(size: int) -> None:
    root = LARGE.root(size)
    assert root == plain_root(MANY[:size])
    for index in range(size):
        path = LARGE.inclusion(index, size)
        assert includes(index, size, MANY[index], path, root)
        assert not includes(index, size, MANY[(index + 1) % 40], path, root)
        assert not includes(index, size, MANY[index], [*path, root], root)
        assert not path or not includes(index, size, MANY[index], path[:-1], root)
        assert not includes(index, size, MANY[index], path, LARGE.root(size - 1))


@pytest.mark.parametrize("size", range(41))
def test_every_consistency_of_small_trees(size: int) -> None:
    for earlier in range(size + 1):
        proof = LARGE.consistency(earlier, size)
        old, new = LARGE.root(earlier), LARGE.root(size)
        assert continues(earlier, size, old, new, proof)
        assert not continues(earlier, size, old, new, [*proof, new])
        if proof:
            assert not continues(earlier, size, old, new, proof[:-1])
            assert not continues(earlier, size, leaf_hash(b"another"), new, proof)
            assert not continues(earlier, size, old, leaf_hash(b"another"), proof)


@given(st.lists(st.binary(max_size=3), min_size=2, max_size=60), st.data())
def test_another_history_is_not_a_continuation(entries: list[bytes], data: st.DataObject) -> None:
    """Where one earlier leaf was changed, no proof of the changed tree fits the earlier root."""
    earlier = data.draw(st.integers(1, len(entries)))
    changed = data.draw(st.integers(0, earlier - 1))
    first = Tree(map(leaf_hash, entries[:earlier]))
    other = [*entries[:changed], entries[changed] + b"!", *entries[changed + 1 :]]
    second = Tree(map(leaf_hash, other))
    assert not continues(earlier, len(second), first.root(), second.root(), second.consistency(earlier))


def test_roots_of_a_growing_tree_differ() -> None:
    roots = [LARGE.root(size) for size in range(41)]
    assert all(before != after for before, after in pairwise(roots))


@pytest.mark.parametrize(
    "call", [lambda: LARGE.inclusion(40), lambda: LARGE.root(41), lambda: LARGE.consistency(41)]
)
def test_beyond_the_tree(call: object) -> None:
    with pytest.raises(IndexError):
        call()  # type: ignore[operator]
