"""Other processes put a long list's rankings in order and write its files, while the office enters its rows.

They have the canonical text and nothing else. What they write lies in a folder beside until the list is out; where it
does not come out, nothing is left. A process that dies costs time and nothing else: its work is done here.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from arpad.lists.canonical import with_rows
from arpad.lists.published import PublishedList
from arpad.lists.rankings import Rankings, ranked
from arpad.publishing.files import list_files
from arpad.system.atomic_files import move_into_place, part_folder, waiting_file, write_file
from arpad.system.batches import gc_paused
from arpad.system.workers import end_with_parent

Done = TypeVar("Done")

LONG = 20_000
"""Players from which on other processes pay: they take half a second to start."""

_TOGETHER = (("csv", "sections"), ("txt", "xml"), ("pdf",), ("xlsx",))
"""Kinds of files that have work in common go to the same process."""

_TEXT = "list"


@dataclass(frozen=True, slots=True)
class Scribes:
    """What other processes are doing for a list."""

    folder: Path
    ranking: Future[Rankings] | None
    writing: tuple[Future[list[str]] | None, ...]

    def rankings(self) -> Rankings | None:
        """The rankings; nothing where the process died."""
        return _result(self.ranking)

    def settle(self, out: Path) -> list[Path] | None:
        """Give the files their names; nothing where a process died, for then all are written anew."""
        written = [_result(one) for one in self.writing]
        names = [name for some in written if some is not None for name in some]
        if None in written:
            return None
        return move_into_place(self.folder, out, names)


def _result(future: Future[Done] | None) -> Done | None:
    try:
        return future.result() if future is not None else None
    except BrokenProcessPool:
        return None


Engage = Callable[[str, bytes, Sequence[str], str], Scribes]
"""Hands out a list: its head, its text, the kinds of files, the publisher."""


@contextmanager
def scribes(out: Path, processes: int) -> Iterator[Engage]:
    """Processes that wait for a list, and a folder for what they write; both are gone at the end."""
    # not forked: the office is in the middle of a transaction, which no copy of it may touch
    pool = ProcessPoolExecutor(max(1, processes - 1), multiprocessing.get_context("spawn"), end_with_parent)

    def engage(head: str, text: bytes, kinds: Sequence[str], publisher: str) -> Scribes:
        folder = stack.enter_context(part_folder(out))
        write_file(folder / _TEXT, text)
        place = str(folder)
        groups = [tuple(kind for kind in group if kind in kinds) for group in _TOGETHER]
        return Scribes(
            folder,
            _handed(pool, _rankings, place, head),
            tuple(_handed(pool, _files, place, head, group, publisher) for group in groups if group),
        )

    with ExitStack() as stack:
        try:
            yield engage
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _handed(pool: ProcessPoolExecutor, work: Callable[..., Done], *given: object) -> Future[Done] | None:
    try:
        return pool.submit(work, *given)
    except BrokenProcessPool:
        return None


# ------------------------------------------------------------------------------------------------ in another process


def _rankings(place: str, head: str) -> Rankings:
    with gc_paused():
        return ranked(_published(place, head))


def _files(place: str, head: str, kinds: Sequence[str], publisher: str) -> list[str]:
    with gc_paused():
        folder, names = Path(place), []
        text = (folder / _TEXT).read_bytes()
        for file in list_files(_published(place, head), kinds, publisher=publisher, text=text):
            with waiting_file(folder, folder.parent, file.name) as stream:
                file.write(stream)
            names.append(file.name)
        return names


@lru_cache(maxsize=1)
def _published(place: str, head: str) -> PublishedList:
    return with_rows(head, Path(place, _TEXT).read_bytes().decode()[len(head) :].split("\n")[:-1])
