"""``arpad office open-data``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.office.options import ReadOptions
from arpad.office.open_data.acts import write_open_data


def open_data(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory.")],
    look: ReadOptions,
) -> None:
    """Write what everybody may see as CSV and Parquet, with a datapackage.json.

    Players, lists, ratings, events, games, and how each rating changed.
    """
    with look.opened() as office:
        rows = write_open_data(office, folder)
    sentence = look.words.text("office.written", path=str(folder), rows=sum(rows.values()))
    look.tell(sentence, "arpad.office-open-data/1", {"folder": str(folder), "rows": rows})


COMMANDS = {"open-data": open_data}
