"""How far long work has come, where somebody watches; in a pipe nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

T = TypeVar("T")

_FEW = 2
"""Nobody needs a bar for so few."""

Tell: TypeAlias = Callable[..., None]
"""Takes how much is done and, where it was not known before, how much there is in all."""


@contextmanager
def bar(title: str, total: int | None = None) -> Iterator[Tell | None]:
    """A bar to be told how far the work is; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=total)
        yield lambda done, in_all=total: shown.update(task, completed=done, total=in_all)


def watched(title: str) -> Callable[[Iterable[T]], Iterator[T]]:
    """Items one by one, and how many there have been."""

    def one_by_one(items: Iterable[T]) -> Iterator[T]:
        if isinstance(items, Sized) and len(items) <= _FEW:
            yield from items
            return
        with bar(title, len(items) if isinstance(items, Sized) else None) as tell:
            for done, item in enumerate(items, start=1):
                yield item
                if tell is not None:
                    tell(done)

    return one_by_one
