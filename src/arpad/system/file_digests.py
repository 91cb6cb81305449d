"""The digest of a file, read in pieces."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from arpad.model.errors import Unreadable

_PIECE = 1 << 20


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = sha256()
    try:
        with path.open("rb") as stream:
            while piece := stream.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    return digest.hexdigest()
