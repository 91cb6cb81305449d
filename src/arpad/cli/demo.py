"""``arpad demo``: a fictitious federation with two years of lists, to try things on."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli import progress
from arpad.cli.common import Json, Lang, print_json, words_for
from arpad.model.rules import Fact
from arpad.model.typed_values import parse_day


def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    db: Annotated[
        str, typer.Option("--db", metavar="URL", help="An empty database instead of DIR/office.db.")
    ] = "",
    day: Annotated[
        str, typer.Option("--day", metavar="YYYY-MM-DD", help="The day on which it ends; default: today.")
    ] = "",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Create a demonstration office with two years of lists.

    It is a fictitious federation with reports, lists and corrections. It ends in the month of today, with work to do.

    Example: arpad demo bellariva
    """
    from arpad.demo.build import build

    words = words_for(lang)
    with progress.bar(words.text("demo.building")) as tell:
        end = parse_day(day, "day") if day else datetime.now(UTC).date()
        built = build(folder, database=db, end=end, living=True, progress=tell)
    facts: dict[str, Fact] = {
        "database": built.database, "lists": str(built.lists), "players": built.players, "reports": built.reports,
        "publications": built.publications,
    }  # fmt: skip
    if json:
        print_json("arpad.demo/1", facts)
    else:
        sys.stdout.write(words.text("demo.built", **facts) + "\n")
