"""Write a file or a folder whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import io
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from mmap import mmap
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from arpad.model.errors import BadInput, Unreadable

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


def write_file(path: Path, data: bytes) -> None:
    """Write these bytes to a file, whole or not at all."""
    with atomic_write(path) as stream:
        stream.write(data)


PRIVATE = 0o600
"""The rights of a file that only its owner may read."""


@contextmanager
def atomic_write(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a stream whose content replaces a file once all of it is on the disk; until then the file is unchanged.

    If the path is a link, its target is replaced and keeps its rights; a ``private`` file is readable by its owner
    alone. A path that is no regular file (a pipe, /dev/stdout) is written to directly.
    """
    with _refusing(path):
        target, mode = _target(path)
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as stream:
                yield stream
            return
        clear_leftovers(target.parent)
        with _replace_at_end(target, PRIVATE if private else mode) as stream:
            yield stream
        sync_folder(target.parent)


Content = Callable[[BinaryIO], Any]
"""Writes the content of a file to a stream."""


@contextmanager
def files_together(folder: Path, beside: Executor) -> Iterator[Callable[[str, Content], Path]]:
    """Return a function that writes a file of a prepared folder, each whole or not at all.

    While the next file is written, others reach the disk ``beside`` it; at the end all of them and their names are on
    the disk. Waiting for the disk after each file takes as long as computing the files of a list of 20,000 players.
    """
    folders: set[Path] = set()
    finished: list[Future[None]] = []
    blocks: list[mmap] = []
    """Memory of finished files."""

    def write(name: str, content: Content) -> Path:
        path = folder / name
        with _refusing(path), ExitStack() as stack:
            target, mode = _target(path)
            if mode is not None and not stat.S_ISREG(mode):
                content(stack.enter_context(atomic_write(path)))
                return path
            folders.add(target.parent)
            stack.enter_context(_refusing(path))
            file = stack.enter_context(_replace_at_end(target, mode))
            block = blocks.pop() if blocks else mmap(-1, _BLOCK)  # begins with a page, as a disk needs it
            stream = _Blocks(file.fileno(), block)
            content(cast("BinaryIO", stream))
            stream.write_end()
            blocks.append(block)
            finished.append(beside.submit(stack.pop_all().close))
        return path

    yield write
    for file in finished:
        file.result()
    for changed in sorted(folders):
        with _refusing(changed):
            sync_folder(changed)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Name the file that the system refuses to write."""
    try:
        yield
    except OSError as error:
        raise BadInput("cannot-write", path=str(path), reason=error.strerror or str(error)) from error


def _target(path: Path) -> tuple[Path, int | None]:
    """Return the file that a path leads to, and its mode if it exists; refuse a file that may not be written."""
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
    """Make a folder for files; refuse one that is not writable, before any other work is done."""
    with _refusing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        clear_leftovers(folder)


@contextmanager
def atomic_folder(folder: Path, *, private: bool = False) -> Iterator[Path]:
    """Return a temporary folder that gets its name at the end; a folder of that name may exist if it is empty.

    A ``private`` folder is open to its owner alone, and so are the files and folders in it.
    """
    with _refusing(folder):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput("folder-not-empty", path=str(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(folder.parent)
        with temporary_folder(folder.parent, private=private) as temporary:
            yield temporary
            for path in temporary.rglob("*") if private else ():
                path.chmod(stat.S_IRWXU if path.is_dir() else PRIVATE)
            if folder.exists():
                folder.rmdir()
            temporary.rename(folder)


@contextmanager
def _replace_at_end(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    """Open a file under a temporary name in the same folder; it replaces the target at the end."""
    with _temporary_file(target.parent) as stream:
        temporary = Path(stream.name)
        try:
            if mode is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


# --------------------------------------------------------------------------------------- past the cache of files

_BLOCK = 1 << 21
"""Bytes that are written together."""

_DIRECT = getattr(os, "O_DIRECT", 0)


class _Blocks(io.BufferedIOBase):
    """A stream to a new file that does not fill the system's cache: only the end of the file goes through it.

    It writes block by block and cannot go back. The files of a large list are not read again soon, and copying them
    into the cache takes longer than computing them.
    """

    def __init__(self, file: int, block: mmap) -> None:
        self._file = file
        self._block = block
        self._filled = 0

    def writable(self) -> bool:
        """Return that bytes can be written."""
        return True

    def write(self, data: Any, /) -> int:
        """Take bytes; write each block that they fill."""
        rest = memoryview(data)
        while len(rest) >= (room := _BLOCK - self._filled):
            self._block[self._filled :] = rest[:room]
            self._filled, rest = _BLOCK, rest[room:]
            self._write_block()
        end = self._filled + len(rest)
        self._block[self._filled : end] = rest
        self._filled = end
        return len(data)

    def _write_block(self) -> None:
        written = 0
        with suppress(OSError):  # not every file system can, and the end of a full disk is reported below
            fcntl.fcntl(self._file, fcntl.F_SETFL, _DIRECT)
            written = os.write(self._file, self._block)
        fcntl.fcntl(self._file, fcntl.F_SETFL, 0)
        self.write_end(written)

    def write_end(self, start: int = 0) -> None:
        """Write what was taken since the last block."""
        with memoryview(self._block) as block:
            while start < self._filled:
                start += os.write(self._file, block[start : self._filled])
        self._filled = 0


# --------------------------------------------------------------------------------------------- temporary names

_TEMPORARY_NAME = re.compile(r"\.[0-9a-f]{16}\.part")
"""The name of a file or folder that is being written. Its writer holds a lock on it until the process ends."""


def clear_leftovers(folder: Path) -> None:
    """Remove files and folders that were being written in a folder when their process was killed."""
    try:
        parts = [entry for entry in os.scandir(folder) if _TEMPORARY_NAME.fullmatch(entry.name)]
    except OSError:  # not listable, or not there: the writer reports that
        return
    for entry in parts:
        try:
            handle = os.open(entry.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:  # just removed by another process, or another user's
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
def _temporary_file(folder: Path) -> Iterator[BinaryIO]:
    """Open a new file under a temporary name, locked until it is closed."""
    while True:
        path = folder / f".{token_hex(8)}.part"
        with path.open("xb") as stream:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX)
            if path.exists():  # no other process removed it as a leftover before it was locked
                yield stream
                return


@contextmanager
def temporary_folder(folder: Path, *, private: bool = False) -> Iterator[Path]:
    """Return a new folder inside another, locked while it is filled; removed at the end unless it was renamed."""
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


def sync_folder(folder: Path) -> None:
    """Write the folder itself to the disk, since the new name must reach it too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
