"""Signed notes, and the keys that sign them: a text, an empty line, and below it one line for each signature.

The form is the public one of transparency logs: a line begins with a long dash and the name of the key; then comes, in
Base64, a short number of the key and the signature. Whoever knows the key checks its line and passes over the others.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ED25519 = 1
COSIGNED = 4
"""The kind of a witness's signature, which covers a time too."""

_LINE = re.compile(r"— (\S+) ([A-Za-z0-9+/]+={0,2})")
_NAME = re.compile(r"[^\s+\ud800-\udfff]{1,200}")
"""A name is signed as UTF-8, so it has no half characters, which come from bytes on a command line."""

_NUMBER_BYTES, _KEY_BYTES, _SIGNATURE_BYTES, _TIME_BYTES = 4, 32, 64, 8
_START = "PRIVATE+KEY+"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A named public key (Ed25519)."""

    name: str
    kind: int
    data: bytes

    @property
    def number(self) -> bytes:
        """Return the four bytes that announce a signature of this key."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.data).digest()[:_NUMBER_BYTES]

    def text(self) -> str:
        """Return the key in one line: name, number, and kind with key in Base64."""
        return f"{self.name}+{self.number.hex()}+{b64encode(bytes([self.kind]) + self.data).decode()}"

    def accepts(self, signature: bytes, message: bytes) -> bool:
        """Return whether a signature of a message is of this key."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.data).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def parse_public_key(text: str) -> PublicKey:
    """Return the key of a line; refuse one that is damaged."""
    name, _, rest = text.strip().partition("+")
    number, _, encoded = rest.partition("+")
    data = _decoded(encoded) or b"\0"
    key = PublicKey(name, data[0], data[1:])
    right = len(key.data) == _KEY_BYTES and key.kind in (ED25519, COSIGNED) and _NAME.fullmatch(name)
    if not right or key.number.hex() != number:
        raise BadInput("bad-public-key", value=text.strip()[:80])
    return key


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One line below a note."""

    name: str
    number: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A text with its signatures, not yet checked."""

    text: str
    """It ends with a line break."""

    signatures: tuple[NoteSignature, ...]

    def written(self) -> str:
        """Return the note as it is kept and served."""
        lines = (f"— {it.name} {b64encode(it.number + it.data).decode()}\n" for it in self.signatures)
        return self.text + "\n" + "".join(lines)

    def signed_only_by(self, keys: Iterable[PublicKey]) -> Note:
        """Return the note with the valid signatures of some keys, without all others."""
        wanted = {(key.name, key.number) for key in signers(self, keys)}
        return Note(self.text, tuple(it for it in self.signatures if (it.name, it.number) in wanted))

    def signature_of(self, key: PublicKey) -> bytes | None:
        """Return the valid signature of a key, or None."""
        of_key = (it.data for it in self.signatures if (it.name, it.number) == (key.name, key.number))
        return next((data for data in of_key if _valid(self.text, data, key)), None)

    def signed_by(self, key: PublicKey) -> bool:
        """Return whether the note has a valid signature of a key."""
        return self.signature_of(key) is not None


def is_text(value: object) -> bool:
    """Return whether a value is a text that can be written; JSON may contain half a character."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def parse_note(written: str) -> Note:
    """Return the note of a text; refuse one without the form of a note."""
    if not is_text(written):
        raise BadInput("bad-note")
    text, empty, below = written.rpartition("\n\n")
    lines = below.split("\n")
    if not empty or lines.pop() or not lines:
        raise BadInput("bad-note")
    signatures = []
    for line in lines:
        match = _LINE.fullmatch(line)
        data = _decoded(match[2]) if match else None
        if match is None or data is None or len(data) <= _NUMBER_BYTES:
            raise BadInput("bad-note")
        signatures.append(NoteSignature(match[1], data[:_NUMBER_BYTES], data[_NUMBER_BYTES:]))
    return Note(text + "\n", tuple(signatures))


def sign_note(text: str, name: str, key: Ed25519PrivateKey) -> Note:
    """Return a text as a note with one signature."""
    public = public_key(name, key, ED25519)
    return Note(text, (NoteSignature(name, public.number, key.sign(text.encode())),))


def cosign(note: Note, name: str, key: Ed25519PrivateKey, seconds: int) -> Note:
    """Return a note with the signature of a witness, who saw it at a time."""
    public = public_key(name, key, COSIGNED)
    signature = key.sign(_with_time(note.text, seconds))
    line = NoteSignature(name, public.number, seconds.to_bytes(_TIME_BYTES, "big") + signature)
    return Note(note.text, (*(it for it in note.signatures if it.number != public.number), line))


def cosigned_at(note: Note, key: PublicKey) -> int | None:
    """Return when a witness signed a note, in seconds since 1970; None without a valid signature."""
    data = note.signature_of(key)
    return None if data is None else int.from_bytes(data[:_TIME_BYTES], "big")


def moment_text(seconds: int) -> str:
    """Return the time of a signature in UTC; the number itself if no calendar has such a day."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):
        return str(seconds)


def public_key(name: str, key: Ed25519PrivateKey, kind: int = ED25519) -> PublicKey:
    """Return the public half of a key under a name."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    if not _NAME.fullmatch(name):
        raise BadInput("bad-key-name", value=name[:80])
    return PublicKey(name, kind, key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def succession(old: PublicKey, new: PublicKey) -> str:
    """Return the statement of a key about the one that follows it."""
    return f"{old.name}\nkey {old.text()}\nis followed by {new.text()}\n"


def with_successors(keys: Iterable[PublicKey], statements: Iterable[Note]) -> list[PublicKey]:
    """Return keys with those that follow them, as statements signed by the key before say."""
    known = list(keys)
    for note in statements:
        lines = note.text.split("\n")
        for old in known:
            if lines[1:2] == [f"key {old.text()}"] and note.signed_by(old) and lines[2:3]:
                new = parse_public_key(lines[2].removeprefix("is followed by "))
                if note.text == succession(old, new) and new.name == old.name and new not in known:
                    known.append(new)
                    break
    return known


def joined_notes(first: Note, second: Note) -> Note:
    """Return a note with the signatures of two notes with the same text; of each key the one of the second."""
    signatures = {(it.name, it.number): it for it in (*first.signatures, *second.signatures)}
    return Note(second.text, tuple(signatures.values()))


def signers(note: Note, keys: Iterable[PublicKey]) -> list[PublicKey]:
    """Return the keys whose signature a note has."""
    return [key for key in keys if note.signed_by(key)]


def _valid(text: str, data: bytes, key: PublicKey) -> bool:
    if key.kind == COSIGNED:
        seconds, signature = int.from_bytes(data[:_TIME_BYTES], "big"), data[_TIME_BYTES:]
        return len(signature) == _SIGNATURE_BYTES and key.accepts(signature, _with_time(text, seconds))
    return len(data) == _SIGNATURE_BYTES and key.accepts(data, text.encode())


def _with_time(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _decoded(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key under a name."""

    name: str
    private: Ed25519PrivateKey
    kind: int = ED25519

    @property
    def public(self) -> PublicKey:
        """Return the half that everybody may know."""
        return public_key(self.name, self.private, self.kind)

    def text(self) -> str:
        """Return the key in the one line that is kept."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        data = self.private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        public = self.public
        encoded = b64encode(bytes([public.kind]) + data).decode()
        return f"{_START}{self.name}+{public.number.hex()}+{encoded}\n"


def new_signing_key(name: str, kind: int = ED25519) -> SigningKey:
    """Return a new key; refuse a name that no key may have."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = SigningKey(name, Ed25519PrivateKey.generate(), kind)
    key.public  # noqa: B018  refuses the name
    return key


def signing_key_of_seed(name: str, seed: bytes) -> SigningKey:
    """Return the key that 32 bytes give: the same each time, so only for offices that need no secret."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return SigningKey(name, Ed25519PrivateKey.from_private_bytes(seed))


def parse_signing_key(text: str, source: str) -> SigningKey:
    """Return the key of a line; ``source`` is named if it cannot be read."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    parts = text.removeprefix(_START).split("+", 2)
    try:
        name, number, encoded = parts
        data = b64decode(encoded, validate=True)
        key = SigningKey(name, Ed25519PrivateKey.from_private_bytes(data[1:]), data[0])
    except (ValueError, IndexError, binascii.Error):
        raise BadInput("signing-key-unreadable", place=source) from None
    if not text.startswith(_START) or key.public.number.hex() != number:
        raise BadInput("signing-key-unreadable", place=source)
    return key
