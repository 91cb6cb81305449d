"""The seal of an act of the ledger.

Details and reason are in it as digests. So the other values stay provable after a name was erased from these texts: the
act of erasure has the digests of the texts as they were.
"""

from collections.abc import Sequence
from hashlib import sha256

from arpad.model.canonical_json import dump

DETAILS, REASON = 4, 5
"""The places of the texts among the values of an act."""


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text of an act."""
    return sha256(text.encode()).hexdigest()


def act_seal(values: Sequence[int | str], details: str = "", reason: str = "") -> str:
    """Return the seal of an act: of its number, time, author, verb, details, reason, rows, and the seal before.

    ``details`` and ``reason`` are the digests of these texts, if not those of the values.
    """
    parts = [*values]
    parts[DETAILS] = details or text_digest(str(values[DETAILS]))
    parts[REASON] = reason or text_digest(str(values[REASON]))
    return sha256(dump(parts).encode()).hexdigest()
