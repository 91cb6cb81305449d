"""The files of a list that everybody may have are made once and kept beside the server: a list never changes.

They lie in a folder that all workers of this machine share; each is whole or not there, and those asked for least
lately go when it is full. What a file depends on is in its key: a correction is another list and another key, and so
is the list after a player asked not to be shown. All files are then thrown away, since they name that player.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from threading import BoundedSemaphore

from arpad import __version__
from arpad.model.errors import BadInput

MOST_BYTES = 256 * 1024 * 1024
"""What is kept in all; a file of more than a quarter of it is made anew."""

_FOR_US_ALONE = 0o700
_waiting = BoundedSemaphore(16)
"""Requests of this worker that make a file or wait for one; more are told to come again."""


def cached_file(make: Callable[[], bytes], *parts: str) -> bytes:
    """The file that some parts tell from every other: as it was made before, or made now."""
    key = sha256("\0".join((__version__, *parts)).encode()).digest()
    folder = _folder()
    if folder is None:
        return make()
    place = folder / key.hex()
    found = _read(place)
    if found is None:
        with _alone(place):
            found = _read(place)
            if found is None:
                found = make()
                if len(found) <= MOST_BYTES // 4:
                    _keep(place, found)
    return found


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Let one request of all workers make a file; the others wait until it is there."""
    if not _waiting.acquire(blocking=False):
        raise BadInput("server-busy")
    lock = place.with_name(f".{place.name}.lock")
    try:
        with ExitStack() as held:
            with suppress(OSError):  # a full disk locks nothing, and nobody need know
                flock(held.enter_context(lock.open("wb")), LOCK_EX)
                held.callback(lock.unlink, missing_ok=True)
            yield
    finally:
        _waiting.release()


def clear() -> None:
    """Throw away every file that is kept."""
    folder = _folder()
    for place in folder.iterdir() if folder is not None else ():
        place.unlink(missing_ok=True)


def _read(place: Path) -> bytes | None:
    """What is there; from now on it is the one asked for last."""
    try:
        data = place.read_bytes()
        os.utime(place)
    except OSError:  # never made, or another worker has just made room
        return None
    return data


def _keep(place: Path, data: bytes) -> None:
    """Put a file there at once, then make room; a full disk keeps nothing, and nobody need know."""
    part = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(place)
        _make_room(place.parent)
    except OSError:
        part.unlink(missing_ok=True)


def _make_room(folder: Path) -> None:
    found: list[tuple[int, int, str]] = []
    for entry in os.scandir(folder):
        try:
            about = entry.stat(follow_symlinks=False)
        except FileNotFoundError:  # another worker makes room too
            continue
        found.append((about.st_mtime_ns, about.st_size, entry.path))
    size = sum(one[1] for one in found)
    for _, less, path in sorted(found):
        if size <= MOST_BYTES:
            break
        Path(path).unlink(missing_ok=True)
        size -= less


def _folder() -> Path | None:
    """A folder that only this user can write; none where somebody else has taken its name."""
    folder = Path(tempfile.gettempdir()) / f"arpad-files-{os.getuid()}"
    try:
        folder.mkdir(mode=_FOR_US_ALONE, exist_ok=True)
        about = folder.lstat()
    except OSError:
        return None
    safe = (
        about.st_uid == os.getuid() and (about.st_mode & 0o777) == _FOR_US_ALONE and not folder.is_symlink()
    )
    return folder if safe else None
