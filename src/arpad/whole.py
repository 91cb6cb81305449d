"""A file, or a folder, is written whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from arpad.errors import BadInput


def write_file(path: Path, data: bytes) -> None:
    """Write these bytes, whole or not at all."""
    with whole_file(path) as stream:
        stream.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes a file's place once all of it is on the disk; until then the file stays as it was.

    A link leads to its file, which keeps its rights. What is no file (a pipe, /dev/stdout) is simply written to.
    """
    try:
        target, mode = _target(path)
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as stream:
                yield stream
            return
        with _growing(target, mode) as stream:
            yield stream
        _sync_folder(target.parent)
    except OSError as error:
        raise BadInput("cannot-write", path=str(path), reason=error.strerror or str(error)) from error


def settle_files(waiting: Path, folder: Path, names: Iterable[str]) -> list[Path]:
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
        with made.open("rb") as whole, whole_file(path) as stream:
            shutil.copyfileobj(whole, stream)
        return
    if mode is not None:
        made.chmod(stat.S_IMODE(mode))
    made.replace(path)


def _move(waiting: Path, target: Path) -> None:
    """A rename; where a link leads to another disk, a copy that grows beside its place."""
    try:
        waiting.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with _growing(target, waiting.stat().st_mode) as stream, waiting.open("rb") as source:
            shutil.copyfileobj(source, stream)


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
    except OSError as error:
        raise BadInput("cannot-write", path=str(folder), reason=error.strerror or str(error)) from error


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name once all is done; where that name is taken, it is by an empty folder."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput("folder-not-empty", path=str(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        growing = folder.parent / f".{token_hex(8)}.part"
        growing.mkdir()
        try:
            yield growing
            if folder.exists():
                folder.rmdir()
            growing.rename(folder)
        except BaseException:
            shutil.rmtree(growing, ignore_errors=True)
            raise
    except OSError as error:
        raise BadInput("cannot-write", path=str(folder), reason=error.strerror or str(error)) from error


@contextmanager
def _growing(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    """The file under another name beside its own, which it gets at the end."""
    growing = target.with_name(f".{token_hex(8)}.part")
    try:
        with growing.open("xb") as stream:
            if mode is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        growing.replace(target)
    except BaseException:
        growing.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """The new name itself must reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
