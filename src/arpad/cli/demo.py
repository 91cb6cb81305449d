"""``arpad demo``: a made-up federation with two years of lists, to look at and to try things on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.face import Json, Lang, print_json, reader
from arpad.explain import Words

if TYPE_CHECKING:
    from arpad.demo.build import Progress


def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    db: Annotated[
        str, typer.Option("--db", metavar="URL", help="Another database than DIR/office.db, empty.")
    ] = "",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Make a demonstration office: a federation that never was, its reports, lists and corrections.

    Example: arpad demo bellariva
    """
    say = reader(lang)
    from arpad.demo.build import build

    with _shown(say) as progress:
        built = build(folder, database=db, progress=progress)
    if json:
        print_json(
            "arpad.demo/1",
            {
                "database": built.database,
                "lists": str(built.lists),
                "players": built.players,
                "reports": built.reports,
                "publications": built.publications,
            },
        )
        return
    sys.stdout.write(
        say.text(
            "demo.built",
            players=built.players,
            reports=built.reports,
            publications=built.publications,
            database=built.database,
            lists=str(built.lists),
        )
        + "\n"
    )


@contextmanager
def _shown(say: Words) -> Iterator[Progress | None]:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True)
    ) as bar:
        task = bar.add_task(say.text("demo.building"))
        yield lambda done, total: bar.update(task, completed=done, total=total)
