"""Private keys in one line, as they are kept in a file: of an office, or of a witness."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput
from arpad.proofs.signed_notes import ED25519, PublicKey, public_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_START = "PRIVATE+KEY+"


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
