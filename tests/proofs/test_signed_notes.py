"""Signed notes: the published form, and every damaged one."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arpad.model.errors import BadInput
from arpad.proofs.signed_notes import (
    COSIGNED,
    Note,
    cosign,
    cosigned_at,
    parse_note,
    parse_public_key,
    public_key,
    sign_note,
    signers,
    succession,
    with_successors,
)

OFFICE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WITNESS = Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64)))
NAME = "ratings.example.org"
KEY = public_key(NAME, OFFICE)
SEEN_BY = public_key("witness.example.net", WITNESS, COSIGNED)
TEXT = "ratings.example.org\n7\nAAAA\n"


@pytest.fixture
def note() -> Note:
    return sign_note(TEXT, NAME, OFFICE)


def test_a_note_is_written_and_read(note: Note) -> None:
    written = note.written()
    assert written.startswith(TEXT + "\n— ratings.example.org ")
    assert parse_note(written) == note
    assert parse_note(written).signed_by(KEY)


def test_a_key_that_another_program_made() -> None:
    """The number of the key follows from its name, as for the public key of a well-known log."""
    key = parse_public_key("sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")
    assert (key.name, key.number.hex()) == ("sum.golang.org", "033de0ae")


def test_a_witness_signs_with_a_time(note: Note) -> None:
    seen = cosign(note, SEEN_BY.name, WITNESS, 1_700_000_000)
    assert cosigned_at(parse_note(seen.written()), SEEN_BY) == 1_700_000_000
    assert signers(seen, [KEY, SEEN_BY]) == [KEY, SEEN_BY]
    again = cosign(seen, SEEN_BY.name, WITNESS, 1_700_000_060)
    assert (len(again.signatures), cosigned_at(again, SEEN_BY)) == (2, 1_700_000_060)
    assert cosigned_at(note, SEEN_BY) is None


def test_a_changed_time_or_text_is_no_signature(note: Note) -> None:
    seen = cosign(note, SEEN_BY.name, WITNESS, 1_700_000_000)
    line = seen.signatures[1]
    later = line.__class__(line.name, line.number, bytes(8) + line.data[8:])
    assert cosigned_at(Note(seen.text, (later,)), SEEN_BY) is None
    other = Note(seen.text.replace("7", "8"), seen.signatures)
    assert signers(other, [KEY, SEEN_BY]) == []


def test_a_key_of_another_name_signs_nothing(note: Note) -> None:
    assert not note.signed_by(public_key("other.example.org", OFFICE))


def test_a_key_in_one_line() -> None:
    assert parse_public_key(KEY.text() + "\n") == KEY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "name+00000000+AAAA",
        "name+zz+!!",
        KEY.text()[:-4] + "AAA=",
        KEY.text().replace("ratings", "other"),
        " +1+2",
    ],
)
def test_a_damaged_key_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="bad-public-key"):
        parse_public_key(text)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name AAAA\n",
        "text\n\n- name AAAAAAAAAA==\n",
        "text\n\n— name AAAAAAAAAA==",
        "text\n\n— name !!!!\n",
    ],
)
def test_a_text_that_is_no_note_is_refused(written: str) -> None:
    with pytest.raises(BadInput, match="bad-note"):
        parse_note(written)


@pytest.mark.parametrize("name", ["\udcff\udcfe", "", "with space", "with+plus", "x" * 201])
def test_a_name_that_no_key_may_have(name: str) -> None:
    with pytest.raises(BadInput, match="bad-key-name"):
        public_key(name, OFFICE)


def test_a_key_announces_the_one_that_follows_it() -> None:
    first, second, third, foreign = (
        Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(1, 5)
    )
    keys = [public_key("a", key) for key in (first, second, third, foreign)]
    statements = [
        sign_note(succession(keys[0], keys[1]), "a", first),
        sign_note(succession(keys[1], keys[2]), "a", second),
        sign_note(succession(keys[2], keys[3]), "a", foreign),
    ]
    assert with_successors(keys[:1], statements) == keys[:3]
    assert with_successors(keys[1:2], statements) == keys[1:3]
    assert with_successors(keys[:1], statements[1:]) == keys[:1]
