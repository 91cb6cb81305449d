"""The bundle that everybody may have is made once for each list and kept beside the server: a list never changes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Lock

_one_at_a_time = Lock()
_FOR_US_ALONE = 0o700


def kept(digest: str, make: Callable[[], bytes]) -> bytes:
    """The bundle of the list with a digest; whoever asks while it is made waits for it."""
    folder = _folder()
    if folder is None:
        return make()
    place = folder / f"{digest}.zip"
    with _one_at_a_time:
        if place.is_file():
            return place.read_bytes()
        data = make()
        part = folder / f".{digest}.{os.getpid()}"
        part.write_bytes(data)
        part.replace(place)
        return data


def _folder() -> Path | None:
    """A folder that only this user can write; none where somebody else has taken its name."""
    folder = Path(tempfile.gettempdir()) / f"arpad-bundles-{os.getuid()}"
    try:
        folder.mkdir(mode=_FOR_US_ALONE, exist_ok=True)
        about = folder.lstat()
    except OSError:
        return None
    safe = (
        about.st_uid == os.getuid() and (about.st_mode & 0o777) == _FOR_US_ALONE and not folder.is_symlink()
    )
    return folder if safe else None
