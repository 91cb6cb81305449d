"""The cookies of ours in a request; whatever else a browser sends along changes nothing.

Parsers of whole headers stumble over what other programs of the same host set: one odd cookie, and those behind it are
lost. Here each piece stands alone, only our names count, and of two with the same name the first, which browsers send
for the narrower path.
"""

from __future__ import annotations

from collections.abc import Iterable

OURS = frozenset(
    {
        "arpad_lang", "arpad_session", "arpad_form",
        "__Host-arpad_session", "__Host-arpad_form",
    }
)  # fmt: skip
LONGEST = 200
"""Longer values are none of ours."""


def own_cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return our cookies in the headers of a request."""
    found: dict[str, str] = {}
    for header, value in headers:
        if header != b"cookie":
            continue
        for piece in value.decode("latin-1").split(";"):
            name, equals, text = piece.strip().partition("=")
            if equals and name in OURS and len(text) <= LONGEST and text.isascii() and text.isprintable():
                found.setdefault(name, text.strip('"'))
    return found
