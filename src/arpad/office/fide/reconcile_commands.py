"""``arpad office reconcile``: compare FIDE's newest reference list with the accepted reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import console, list_named, print_json
from arpad.cli.office.options import ReadOptions, day_of
from arpad.cli.reconcile import print_reconciliation
from arpad.system.atomic_files import write_file


def reconcile(
    look: ReadOptions,
    list_: Annotated[
        str, typer.Option("--list", metavar="LIST", help="standard, rapid or blitz.")
    ] = "standard",
    day: Annotated[
        str | None,
        typer.Option("--day", metavar="YYYY-MM-DD", help="The day of FIDE's list; default: the newest."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the whole comparison as CSV.")
    ] = None,
) -> int:
    """Compare FIDE's list with the changes computed from the accepted reports, and say why they differ."""
    from arpad.explain.reconciliation_document import csv_text, document
    from arpad.office.fide.reconcile import reconcile_office

    words = look.words
    with look.opened() as office:
        result = reconcile_office(office, list_named(list_), day_of(day, "day"))
    if csv is not None:
        write_file(csv, csv_text(result, words).encode())
    if look.json:
        print_json("arpad.reconcile/1", document(result, words))
    else:
        print_reconciliation(result, words)
        if csv is not None:
            console().print(words.text("reconcile.written", path=str(csv)))
    return int(bool(result.differing()))
