"""The files to submit: single files, folders, ZIP and tar archives, in the order of their names.

An archive is never unpacked into a folder, so the names in it can do no harm. Names that point elsewhere, archives
within archives, encrypted or broken archives and those that unpack to far more than their size are refused all the
same.
"""

import bz2
import gzip
import lzma
import os
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, NamedTuple, Self

from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.reports.formats.encoding import LIMIT
from arpad.system.batches import gc_paused

MOST_FILES = 100_000
MOST_UNPACKED = 4 << 30
"""Bytes that an archive may unpack to."""

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_BLOCK = 1 << 20
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError,
    LookupError, struct.error,
)  # fmt: skip
"""What the libraries raise for a damaged archive: also RuntimeError for an unknown kind of ZIP, LookupError for a file
without a name."""


class IncomingFile(NamedTuple):
    """One file; reading it raises its error if it cannot be read."""

    address: str
    """As people name it: the path; inside an archive, with the name there."""

    name: str
    unpack: Callable[[], bytes] | None = None
    """Reads it inside an archive; None if the address is that of a file, which other processes can read too."""

    def read(self) -> bytes:
        """Return its bytes."""
        return self.unpack() if self.unpack else read_file(self.address)


def _unreadable(address: str, error: ArpadError) -> IncomingFile:
    """Return a file that cannot be read."""

    def fail() -> bytes:
        raise error

    return IncomingFile(address, PurePosixPath(address).name, fail)


class IncomingFiles:
    """All files under some paths; a context manager, since archives stay open."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """List the files; of archives, only the tables of contents are read."""
        self._open = ExitStack()
        with gc_paused():
            self.files = [file for path in paths for file in self._under(path)]

    def __enter__(self) -> Self:
        """Leave the archives open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close the archives."""
        self._open.close()

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self.files)

    def _under(self, path: Path) -> Iterator[IncomingFile]:
        if path.is_dir():
            files = sorted(_files(path))
            if not files:
                yield _unreadable(str(path), BadInput("folder-empty", path=str(path)))
            for parts, address in files:
                yield from self._at(address, parts[-1])
        else:
            yield from self._at(str(path), path.name)

    def _at(self, address: str, name: str) -> Iterable[IncomingFile]:
        """Return a file, or those in an archive."""
        if not name.lower().endswith(ARCHIVES):
            return (IncomingFile(address, name),)
        path = Path(address)
        try:
            return self._in_zip(path) if name.lower().endswith(".zip") else self._in_tar(path)
        except ArpadError as error:
            return (_unreadable(address, error),)
        except FileNotFoundError as error:
            reason = error.strerror or str(error)
            return (_unreadable(address, BadInput("cannot-read", path=address, reason=reason)),)
        except _BROKEN as error:
            return (_unreadable(address, Unreadable("archive-broken", path=address, reason=_reason(error))),)

    def _in_zip(self, path: Path) -> list[IncomingFile]:
        archive = self._open.enter_context(zipfile.ZipFile(path))
        members = [info for info in archive.infolist() if not info.is_dir()]
        _refuse_large(path, len(members), sum(info.file_size for info in members))
        files = []
        for info in sorted(members, key=lambda info: PurePosixPath(info.filename).parts):
            address = f"{path}/{info.filename}"
            if _hidden(info.filename):
                continue
            if error := _refusal(address, info.filename, info.file_size):
                files.append(_unreadable(address, error))
            elif info.flag_bits & 1:
                files.append(_unreadable(address, Unreadable("archive-encrypted", path=address)))
            else:
                files.append(_member(address, info.filename, partial(archive.open, info)))
        return files

    def _in_tar(self, path: Path) -> list[IncomingFile]:
        archive = self._open.enter_context(tarfile.open(fileobj=self._unpacked(path), mode="r:"))  # noqa: SIM115  the stack closes it
        members = [info for info in archive.getmembers() if not info.isdir()]
        _refuse_large(path, len(members), sum(info.size for info in members))
        files = []
        for info in sorted(members, key=lambda info: PurePosixPath(info.name).parts):
            address = f"{path}/{info.name}"
            if _hidden(info.name):
                continue
            if error := _refusal(address, info.name, info.size, plain=info.isreg()):
                files.append(_unreadable(address, error))
            else:
                files.append(_member(address, info.name, partial(archive.extractfile, info)))
        return files

    def _unpacked(self, path: Path) -> IO[bytes]:
        """Open a tar, unpacked into a temporary file if it is compressed: its files are read in another order."""
        name = path.name.lower()
        packed: IO[bytes]
        if name.endswith(".tar"):
            return self._open.enter_context(path.open("rb"))
        if name.endswith((".gz", ".tgz")):
            packed = gzip.open(path)  # type: ignore[assignment]  # noqa: SIM115  closed below
        elif name.endswith(".bz2"):
            packed = bz2.open(path)  # noqa: SIM115  closed below
        else:
            packed = lzma.open(path)  # noqa: SIM115  closed below
        plain = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  the stack closes it
        most = _most_unpacked(path)
        with packed:
            while block := packed.read(_BLOCK):
                plain.write(block)
                if plain.tell() > most:
                    raise Unreadable("archive-too-large", path=str(path), most=most >> 20)
        plain.seek(0)
        return plain


def _files(folder: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the parts of the path of each file within a folder, and its address."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _hidden(name)]
        within = Path(parent).relative_to(folder).parts
        beginning = str(Path(parent, "-")).removesuffix("-")
        yield from (((*within, name), beginning + name) for name in names if not _hidden(name))


def _hidden(name: str) -> bool:
    """Return whether an operating system left a file behind."""
    parts = name.replace("\\", "/").split("/")
    return any(part == "__MACOSX" or (part.startswith(".") and part not in (".", "..")) for part in parts)


def read_file(path: str) -> bytes:
    """Return the bytes of a report; raise if the file is too large."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123  a path of each of thousands takes longer
            if os.fstat(file.fileno()).st_size > LIMIT:
                raise Unreadable("file-too-large", limit=LIMIT >> 20)
            return file.readall()
    except OSError as error:
        raise BadInput("cannot-read", path=path, reason=error.strerror or str(error)) from error


def _member(address: str, name: str, open_member: Callable[[], IO[bytes] | None]) -> IncomingFile:
    def read() -> bytes:
        try:
            stream = open_member()
            if stream is None:
                raise Unreadable("archive-member", path=address)
            with stream:
                data = stream.read(LIMIT + 1)
        except _BROKEN as error:
            raise Unreadable("archive-broken", path=address, reason=_reason(error)) from error
        if len(data) > LIMIT:
            raise Unreadable("file-too-large", limit=LIMIT >> 20)
        return data

    return IncomingFile(address, PurePosixPath(name).name, read)


def _refusal(address: str, name: str, size: int, *, plain: bool = True) -> ArpadError | None:
    """Return why a file in an archive is not read, if it is refused."""
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or ":" in name[:3]:
        return Unreadable("archive-name", path=address)
    if not plain:
        return Unreadable("archive-member", path=address)
    if name.lower().endswith(ARCHIVES):
        return Unreadable("archive-nested", path=address)
    if size > LIMIT:
        return Unreadable("file-too-large", limit=LIMIT >> 20)
    return None


def _refuse_large(path: Path, files: int, unpacked: int) -> None:
    """Refuse an archive with too many files or too many bytes, or an empty one."""
    if files > MOST_FILES:
        raise Unreadable("archive-too-many", path=str(path), files=files, most=MOST_FILES)
    if unpacked > _most_unpacked(path):
        raise Unreadable("archive-too-large", path=str(path), most=_most_unpacked(path) >> 20)
    if not files:
        raise Unreadable("archive-empty", path=str(path))


def _most_unpacked(path: Path) -> int:
    """Return how large an archive may become; text shrinks about tenfold, so 200 times is an attack."""
    return min(MOST_UNPACKED, max(64 << 20, 200 * path.stat().st_size))


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
