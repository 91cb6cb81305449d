"""A progress bar for long work on a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

T = TypeVar("T")

_FEW = 2
"""Up to this many items no bar is shown."""

Update: TypeAlias = Callable[..., None]
"""Takes how much is done and, if it was not known before, how much there is in all."""


@contextmanager
def bar(title: str, total: int | None = None) -> Iterator[Update | None]:
    """Show a progress bar; yield a function that updates it, or None if stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, of=total: progress.update(task, completed=done, total=of)


def watched(title: str) -> Callable[[Iterable[T]], Iterator[T]]:
    """Return a function that yields items and counts them on a progress bar."""

    def counted(items: Iterable[T]) -> Iterator[T]:
        if isinstance(items, Sized) and len(items) <= _FEW:
            yield from items
            return
        with bar(title, len(items) if isinstance(items, Sized) else None) as update:
            for done, item in enumerate(items, start=1):
                yield item
                if update is not None:
                    update(done)

    return counted
