"""What is sent in: files, folders of files, ZIP and tar archives of files, one after the other in the order of names.

An archive is never unpacked into a folder, so the names in it can do no harm; still, names that point elsewhere,
archives within archives, encrypted or broken ones and those that unfold out of all proportion are refused, each in one
sentence.
"""

from __future__ import annotations

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
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Self

from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.reports.formats.encoding import LIMIT

MOST_FILES = 100_000
MOST_UNPACKED = 4 << 30
"""What an archive may come to in all."""

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_BLOCK = 1 << 20
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError,
    LookupError, struct.error,
)  # fmt: skip
"""What the libraries raise for a damaged archive; a kind of ZIP they do not know is a ``RuntimeError``,
a file without a name a ``LookupError``."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One file that was sent."""

    place: str
    """Where it stands, as people name it: the path, inside an archive with the name there."""

    file: str
    """Its own name."""

    read: Callable[[], bytes]
    path: Path | None = None
    """Where it can be read by anybody; None inside an archive."""


class Arrivals:
    """Everything under some paths; archives stay open until it is left."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Look at what is there; nothing is read yet but the tables of archives."""
        self.found: list[Arrival | tuple[str, ArpadError]] = []
        """In order: what can be read, and what cannot, with its place."""

        self._open = ExitStack()
        for path in paths:
            self.found.extend(self._under(path))

    def __enter__(self) -> Self:
        """Leave the archives open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close the archives."""
        self._open.close()

    def __len__(self) -> int:
        """How many files there are."""
        return len(self.found)

    def only(self) -> Arrival:
        """The one file there is."""
        (one,) = self.found
        if not isinstance(one, Arrival):
            raise one[1]
        return one

    def all_readable(self) -> list[Arrival]:
        """Return all files, or raise the error of the first that cannot be read."""
        for one in self.found:
            if not isinstance(one, Arrival):
                raise one[1]
        return [one for one in self.found if isinstance(one, Arrival)]

    def _under(self, path: Path) -> Iterator[Arrival | tuple[str, ArpadError]]:
        if path.is_dir():
            found = sorted(_files(path), key=lambda file: file.relative_to(path).parts)
            if not found:
                yield str(path), BadInput("folder-empty", path=str(path))
            for file in found:
                yield from self._one(file)
        else:
            yield from self._one(path)

    def _one(self, path: Path) -> Iterator[Arrival | tuple[str, ArpadError]]:
        if not path.name.lower().endswith(ARCHIVES):
            yield Arrival(str(path), path.name, lambda: read_file(path), path)
            return
        try:
            yield from self._zip(path) if path.name.lower().endswith(".zip") else self._tar(path)
        except ArpadError as error:
            yield str(path), error
        except FileNotFoundError as error:
            yield str(path), BadInput("cannot-read", path=str(path), reason=error.strerror or str(error))
        except _BROKEN as error:
            yield str(path), Unreadable("archive-broken", path=str(path), reason=_reason(error))

    def _zip(self, path: Path) -> list[Arrival | tuple[str, ArpadError]]:
        archive = self._open.enter_context(zipfile.ZipFile(path))
        members = [info for info in archive.infolist() if not info.is_dir()]
        _refuse_many(path, len(members), sum(info.file_size for info in members))
        found: list[Arrival | tuple[str, ArpadError]] = []
        for info in sorted(members, key=lambda info: PurePosixPath(info.filename).parts):
            place = f"{path}/{info.filename}"
            if _hidden(info.filename):
                continue
            if error := _refused(place, info.filename, info.file_size):
                found.append((place, error))
            elif info.flag_bits & 1:
                found.append((place, Unreadable("archive-encrypted", path=place)))
            else:
                found.append(_member(place, info.filename, partial(archive.open, info)))
        return found

    def _tar(self, path: Path) -> list[Arrival | tuple[str, ArpadError]]:
        archive = self._open.enter_context(tarfile.open(fileobj=self._plain(path), mode="r:"))  # noqa: SIM115  the stack closes it
        members = [info for info in archive.getmembers() if not info.isdir()]
        _refuse_many(path, len(members), sum(info.size for info in members))
        found: list[Arrival | tuple[str, ArpadError]] = []
        for info in sorted(members, key=lambda info: PurePosixPath(info.name).parts):
            place = f"{path}/{info.name}"
            if _hidden(info.name):
                continue
            if error := _refused(place, info.name, info.size, plain=info.isreg()):
                found.append((place, error))
            else:
                found.append(_member(place, info.name, partial(archive.extractfile, info)))
        return found

    def _plain(self, path: Path) -> IO[bytes]:
        """A tar as it is, or unpacked into a temporary file, since its files are asked for in another order."""
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


def _files(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _hidden(name)]
        yield from (Path(here) / name for name in names if not _hidden(name))


def _hidden(name: str) -> bool:
    """Files that systems leave behind."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part == "__MACOSX" or (part.startswith(".") and part != "..") for part in parts)


def read_file(path: Path) -> bytes:
    """The bytes of a report."""
    try:
        if path.stat().st_size > LIMIT:
            raise Unreadable("file-too-large", limit=LIMIT >> 20)
        return path.read_bytes()
    except OSError as error:
        raise BadInput("cannot-read", path=str(path), reason=error.strerror or str(error)) from error


def _member(place: str, name: str, opened: Callable[[], IO[bytes] | None]) -> Arrival:
    def read() -> bytes:
        try:
            stream = opened()
            if stream is None:
                raise Unreadable("archive-member", path=place)
            with stream:
                data = stream.read(LIMIT + 1)
        except _BROKEN as error:
            raise Unreadable("archive-broken", path=place, reason=_reason(error)) from error
        if len(data) > LIMIT:
            raise Unreadable("file-too-large", limit=LIMIT >> 20)
        return data

    return Arrival(place, PurePosixPath(name).name, read)


def _refused(place: str, name: str, size: int, *, plain: bool = True) -> ArpadError | None:
    """Why a file in an archive is not even looked at."""
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or ":" in name[:3]:
        return Unreadable("archive-name", path=place)
    if not plain:
        return Unreadable("archive-member", path=place)
    if name.lower().endswith(ARCHIVES):
        return Unreadable("archive-nested", path=place)
    if size > LIMIT:
        return Unreadable("file-too-large", limit=LIMIT >> 20)
    return None


def _refuse_many(path: Path, files: int, unpacked: int) -> None:
    if files > MOST_FILES:
        raise Unreadable("archive-too-many", path=str(path), files=files, most=MOST_FILES)
    if unpacked > _most_unpacked(path):
        raise Unreadable("archive-too-large", path=str(path), most=_most_unpacked(path) >> 20)
    if not files:
        raise Unreadable("archive-empty", path=str(path))


def _most_unpacked(path: Path) -> int:
    """Texts shrink to a tenth or so; what grows two hundred times is made to fill memories."""
    return min(MOST_UNPACKED, max(64 << 20, 200 * path.stat().st_size))


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
