"""The hashes of the lines of a list, from which the proof of a line is made."""

import pytest

from arpad.proofs import merkle
from arpad.proofs.lines import GROUP, HASH, group_leaves, line_hash, line_hashes, lines_seal

LONG = "".join(f"{number}\tBianchi, Ada {number}\n" for number in range(40_000)).encode()
"""More lines than are cut at once."""


@pytest.mark.parametrize("text", [b"", b"\n", b"1\tAda\n", b"1\tAda\n\n2\tUgo\n", b"1\tAda\nno end", LONG])
def test_the_hashes_of_a_text_are_those_of_its_lines(text: bytes) -> None:
    assert line_hashes(text) == b"".join(line_hash(line) for line in text.split(b"\n")[:-1])


def test_hashes_can_begin_after_a_head() -> None:
    assert line_hashes(b"head\nmore\n" + LONG, 10) == line_hashes(LONG)


def test_a_leaf_is_the_hashes_of_64_lines() -> None:
    hashes = line_hashes(LONG)
    leaves = [
        merkle.leaf_hash(b"".join(line_hash(line) for line in LONG.split(b"\n")[start : start + GROUP]))
        for start in range(0, 39_936, GROUP)
    ]
    assert group_leaves(hashes)[: len(leaves)] == leaves
    assert lines_seal(hashes) == {
        "count": len(hashes) // HASH,
        "root": merkle.Tree(group_leaves(hashes)).root().hex(),
    }
