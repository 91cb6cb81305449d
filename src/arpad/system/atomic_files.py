"""A file, or a folder, is written whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from arpad.model.errors import BadInput


def write_file(path: Path, data: bytes) -> None:
    """Write these bytes, whole or not at all."""
    with atomic_write(path) as stream:
        stream.write(data)


PRIVATE = 0o600
"""The rights of a file that only its owner may read."""


@contextmanager
def atomic_write(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content takes a file's place once all of it is on the disk; until then the file stays as it was.

    A link leads to its file, which keeps its rights; a ``private`` file is readable by its owner alone. What is no file
    (a pipe, /dev/stdout) is simply written to.
    """
    try:
        target, mode = _target(path)
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as stream:
                yield stream
            return
        with _temporary(target, PRIVATE if private else mode) as stream:
            yield stream
        _sync_folder(target.parent)
    except OSError as error:
        raise BadInput("cannot-write", path=str(path), reason=error.strerror or str(error)) from error


def move_into_place(waiting: Path, folder: Path, names: Iterable[str]) -> list[Path]:
    """Give files that lie whole in a folder beside their places as ``whole_file`` would: links, rights, pipes stay."""
    settled: list[Path] = []
    path = folder
    try:
        for name in names:
            path = folder / name
            _settle(waiting / name, path)
            settled.append(path)
        _sync_folder(folder)
    except OSError as error:
        raise BadInput("cannot-write", path=str(path), reason=error.strerror or str(error)) from error
    return settled


def _settle(made: Path, path: Path) -> None:
    _, mode = _target(path)
    if path.is_symlink() or (mode is not None and not stat.S_ISREG(mode)):
        # a link may lead to another disk, where no file can be moved; a pipe is written to
        with made.open("rb") as whole, atomic_write(path) as stream:
            shutil.copyfileobj(whole, stream)
        return
    if mode is not None:
        made.chmod(stat.S_IMODE(mode))
    made.replace(path)


@contextmanager
def waiting_file(waiting: Path, folder: Path, name: str) -> Iterator[BinaryIO]:
    """A stream for a file that ``settle_files`` is going to place; whatever fails is told of that place."""
    try:
        with (waiting / name).open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise BadInput(
            "cannot-write", path=str(folder / name), reason=error.strerror or str(error)
        ) from error


def _target(path: Path) -> tuple[Path, int | None]:
    """The file that a path leads to, and what it is where it exists; one that may not be written is refused."""
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if (
        mode is not None
        and stat.S_ISREG(mode)
        and not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    ):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target, mode


def prepare_folder(folder: Path) -> None:
    """Make a folder for files, and refuse one in which nothing can be written, before anything else is done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        clear_leftovers(folder)
    except OSError as error:
        raise BadInput("cannot-write", path=str(folder), reason=error.strerror or str(error)) from error


@contextmanager
def whole_folder(folder: Path, *, private: bool = False) -> Iterator[Path]:
    """A folder to fill, which gets its name once all is done; where that name is taken, it is by an empty folder.

    A ``private`` folder is open to its owner alone.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput("folder-not-empty", path=str(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(folder.parent)
        with part_folder(folder.parent, private=private) as growing:
            yield growing
            if folder.exists():
                folder.rmdir()
            growing.rename(folder)
    except OSError as error:
        raise BadInput("cannot-write", path=str(folder), reason=error.strerror or str(error)) from error


@contextmanager
def _temporary(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    """The file under another name beside its own, which it gets at the end."""
    clear_leftovers(target.parent)
    with _part_file(target.parent) as stream:
        growing = Path(stream.name)
        try:
            if mode is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            growing.replace(target)
        except BaseException:
            growing.unlink(missing_ok=True)
            raise


# --------------------------------------------------------------------------------------------- what was left over

_PART = re.compile(r"\.[0-9a-f]{16}\.part")
"""The name of a file or folder that is being written. Whoever writes it holds a lock on it, until the process ends."""


def clear_leftovers(folder: Path) -> None:
    """Remove files and folders that were being written in a folder when their process was killed."""
    try:
        parts = [entry for entry in os.scandir(folder) if _PART.fullmatch(entry.name)]
    except OSError:  # a folder that may be written but not listed, or none: whoever writes there says so
        return
    for entry in parts:
        try:
            handle = os.open(entry.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:  # another process has just removed it, or it belongs to somebody else
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                Path(entry.path).unlink(missing_ok=True)
        except OSError:  # it is being written
            continue
        finally:
            os.close(handle)


@contextmanager
def _part_file(folder: Path) -> Iterator[BinaryIO]:
    """Return a new file under a name of its own, locked until it is closed."""
    while True:
        path = folder / f".{token_hex(8)}.part"
        with path.open("xb") as stream:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX)
            if path.exists():  # nobody took it for a leftover before it was locked
                yield stream
                return


@contextmanager
def part_folder(folder: Path, *, private: bool = False) -> Iterator[Path]:
    """Give a new folder inside another, locked while it is filled; gone at the end unless it was renamed."""
    while True:
        path = folder / f".{token_hex(8)}.part"
        path.mkdir(mode=stat.S_IRWXU if private else 0o777)
        try:
            handle = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if path.exists():
                yield path
                return
        finally:
            os.close(handle)
            shutil.rmtree(path, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    """The new name itself must reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
