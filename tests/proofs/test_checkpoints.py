"""Checkpoints: written, read, continued, contradicted."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arpad.model.errors import BadInput
from arpad.proofs.checkpoints import Checkpoint, checkpoint_of, consistent, contradict, parse_checkpoint
from arpad.proofs.merkle import Tree, leaf_hash
from arpad.proofs.signed_notes import parse_note, sign_note

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
TREE = Tree(leaf_hash(bytes([number])) for number in range(20))
ORIGIN = "ratings.example.org"


def signed(checkpoint: Checkpoint) -> str:
    return sign_note(checkpoint.text(), ORIGIN, KEY).written()


def test_a_checkpoint_is_written_and_read() -> None:
    checkpoint = Checkpoint(ORIGIN, 20, TREE.root(), ("2026-11-16T07:00:00Z",))
    assert parse_checkpoint(parse_note(signed(checkpoint))) == checkpoint


def test_a_ledger_that_grew_is_consistent() -> None:
    earlier, later = checkpoint_of(ORIGIN, TREE, 7), checkpoint_of(ORIGIN, TREE)
    assert consistent(earlier, later, TREE.consistency(7))
    assert not consistent(earlier, later, TREE.consistency(8))
    assert not consistent(Checkpoint("another", 7, earlier.root), later, TREE.consistency(7))
    assert not contradict(earlier, later)


def test_two_histories_contradict_each_other() -> None:
    other = Tree(leaf_hash(bytes([number, 1])) for number in range(20))
    assert contradict(checkpoint_of(ORIGIN, TREE), checkpoint_of(ORIGIN, other))
    assert not contradict(checkpoint_of(ORIGIN, TREE), checkpoint_of("another", other))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x\n",
        "x\n1\n",
        "x\n01\nAAAA\n",
        "x\n1\nAAAA\n",
        "\n1\n" + "A" * 43 + "=\n",
        "x\n-1\n" + "A" * 43 + "=\n",
    ],
)
def test_a_note_that_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="bad-checkpoint"):
        parse_checkpoint(sign_note(text, ORIGIN, KEY))


@pytest.mark.parametrize(
    ("sizes", "times", "result"),
    [
        ((20, 15), ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"), True),
        ((15, 20), ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"), True),
        ((15, 20), ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"), False),
        ((15, 20), ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), False),
        ((20, 15), ("2026-01-01T00:00:00Z", ""), False),
        ((20, 15), ("2026-01-01T00:00:00Z", "tomorrow"), False),
    ],
)
def test_a_later_ledger_has_no_fewer_acts(
    sizes: tuple[int, int], times: tuple[str, str], *, result: bool
) -> None:
    first, second = (checkpoint_of(ORIGIN, TREE, *it) for it in zip(sizes, times, strict=True))
    assert contradict(first, second) == contradict(second, first) == result
