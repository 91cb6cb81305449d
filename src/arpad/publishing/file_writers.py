"""Rank a long list and write its files in other processes, while the office stores its rows.

A list of 50,000 takes 4.4 s of work in one process; shared, 2.3 s in this one and 2.5 s in the other.
The other processes get the canonical text and nothing else. Their files are in a temporary folder until the list is
published; if it is not, nothing is left. If a process dies, its work is repeated in this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from arpad.lists.canonical import list_from_lines
from arpad.lists.published import PublishedList
from arpad.lists.rankings import Rankings, compute_rankings
from arpad.publishing.files import list_files
from arpad.system.atomic_files import move_into_place, staged_file, temporary_folder, write_file
from arpad.system.batches import gc_paused
from arpad.system.workers import spawned_pool

Result = TypeVar("Result")

LONG = 20_000
"""Players from which on other processes pay: they take half a second to start."""

_GROUPS = (("csv", "sections"), ("txt", "xml"), ("pdf",), ("xlsx",))
"""Kinds of files with work in common go to the same process."""

_TEXT = "list"


@dataclass(frozen=True, slots=True)
class FileWriters:
    """The work of other processes for a list."""

    folder: Path
    ranking: Future[Rankings] | None
    files: tuple[Future[list[str]] | None, ...]

    def rankings(self) -> Rankings | None:
        """Return the rankings; None if the process died."""
        return _result(self.ranking)

    def move_files_to(self, out: Path) -> list[Path] | None:
        """Move the files to their folder; None if a process died, since then all are written again."""
        written = [_result(future) for future in self.files]
        names = [name for group in written if group is not None for name in group]
        if None in written:
            return None
        return move_into_place(self.folder, out, names)


def _result(future: Future[Result] | None) -> Result | None:
    try:
        return future.result() if future is not None else None
    except BrokenProcessPool:
        return None


StartWriters = Callable[[str, bytes, Sequence[str], str], FileWriters]
"""Starts the work for a list: its head, its text, the kinds of files, the publisher."""


@contextmanager
def file_writers(out: Path, processes: int) -> Iterator[StartWriters]:
    """Open processes for the files of a list; they and their temporary folder are gone at the end."""
    pool = spawned_pool(max(1, processes - 1))

    def start(head: str, text: bytes, kinds: Sequence[str], publisher: str) -> FileWriters:
        folder = stack.enter_context(temporary_folder(out))
        write_file(folder / _TEXT, text)
        groups = [tuple(kind for kind in group if kind in kinds) for group in _GROUPS]
        return FileWriters(
            folder,
            _submit(pool, _rank, str(folder), head),
            tuple(
                _submit(pool, _write_files, str(folder), head, group, publisher) for group in groups if group
            ),
        )

    with ExitStack() as stack:
        try:
            yield start
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor, work: Callable[..., Result], *arguments: object
) -> Future[Result] | None:
    try:
        return pool.submit(work, *arguments)
    except BrokenProcessPool:
        return None


# ------------------------------------------------------------------------------------------------ in another process


def _rank(folder: str, head: str) -> Rankings:
    with gc_paused():
        return compute_rankings(_published(folder, head))


def _write_files(folder: str, head: str, kinds: Sequence[str], publisher: str) -> list[str]:
    with gc_paused():
        path, names = Path(folder), []
        text = (path / _TEXT).read_bytes()
        for file in list_files(_published(folder, head), kinds, publisher=publisher, text=text):
            with staged_file(path, path.parent, file.name) as stream:
                file.write(stream)
            names.append(file.name)
        return names


@lru_cache(maxsize=1)
def _published(folder: str, head: str) -> PublishedList:
    return list_from_lines(head, Path(folder, _TEXT).read_bytes().decode()[len(head) :].split("\n")[:-1])
