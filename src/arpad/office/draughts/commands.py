"""``arpad office draughts``: points taken and given back, promotions, FMJD ratings (tables 11, 12, 18b, 22)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from arpad.cli.common import console, list_named, print_json, table
from arpad.cli.office.options import ReadOptions, day_of
from arpad.cli.typer_groups import Commands
from arpad.explain.words import Words
from arpad.model.typed_values import parse_day
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.office.draughts.documents import RecordTable

DraughtsList: TypeAlias = Annotated[str, typer.Argument(metavar="LIST", help="italiana or internazionale.")]
Csv: TypeAlias = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write it as CSV into a file.")
]
app = Commands(help="Show points taken, promotions and FMJD ratings.")
_NUMBERS = ("player", "year", "points", "total", "capital", "left", "threshold", "rating", "factor")


@app.command()
def points(look: ReadOptions, list_: DraughtsList, csv: Csv = None) -> None:
    """Show points taken and given back, and cancelled capitals (18b, 22).

    Example: arpad office draughts points italiana --csv points.csv --db office.db
    """
    from arpad.office.draughts.documents import points_document, points_table
    from arpad.office.draughts.points import points_register

    with look.opened() as office:
        register = points_register(office, list_named(list_, "LIST"))
    _tell(look, points_table(register), "arpad.office-draughts-points/1", points_document(register), csv)


@app.command()
def promotions(
    look: ReadOptions,
    list_: DraughtsList,
    from_: Annotated[str, typer.Option("--from", metavar="YYYY-MM-DD", help="The first day.")],
    to: Annotated[str, typer.Option("--to", metavar="YYYY-MM-DD", help="The last day.")],
    csv: Csv = None,
) -> None:
    """Show the promotions of a period's events (tables 11, 12).

    Example: arpad office draughts promotions italiana --from 2024-01-01 --to 2024-12-31 --db office.db
    """
    from arpad.office.draughts.documents import promotions_document, promotions_table
    from arpad.office.draughts.records import promotions as ask

    on_list, first, last = list_named(list_, "LIST"), parse_day(from_, "from"), parse_day(to, "to")
    with look.opened() as office:
        promotions_found = ask(office, on_list, first, last)
    document = promotions_document(on_list, first, last, promotions_found)
    _tell(look, promotions_table(promotions_found), "arpad.office-draughts-promotions/1", document, csv)


@app.command()
def fmjd(
    look: ReadOptions,
    date: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day; default: today.")
    ] = None,
    csv: Csv = None,
) -> None:
    """Show the FMJD ratings in force and their capitals (table 22).

    Example: arpad office draughts fmjd --date 2024-06-30 --db office.db
    """
    from arpad.office.draughts.documents import fmjd_document, fmjd_table
    from arpad.office.draughts.records import fmjd_ratings

    with look.opened() as office:
        ratings = fmjd_ratings(office, day_of(date, "date"))
    _tell(look, fmjd_table(ratings), "arpad.office-draughts-fmjd/1", fmjd_document(ratings), csv)


# --------------------------------------------------------------------------------------------------- printing


def _tell(
    look: ReadOptions, rows: RecordTable, schema: str, document: dict[str, Any], csv: Path | None
) -> None:
    """Write the CSV if a file is named; else print the document or the table."""
    words = look.words
    if csv is not None:
        write_file(csv, rows.csv().encode("utf-8"))
        sys.stderr.write(words.text("rubele.written", file=str(csv)) + "\n")
    if look.json:
        print_json(schema, document)
    elif csv is None:
        _print(rows, words)


def _print(record: RecordTable, words: Words) -> None:
    out = console()
    if not record.rows:
        out.print(words.text("rubele.none"))
        return
    columns = [
        (words.text(f"record-column.{name}"), "right" if name in _NUMBERS else "left")
        for name in record.columns
    ]
    out.print(table(columns, [_row_in_words(record.columns, row, words) for row in record.rows]))


def _row_in_words(
    columns: tuple[str, ...], row: tuple[str | int | None, ...], words: Words
) -> tuple[str, ...]:
    """Return a row with categories and kinds of entries in words."""
    cells: list[str] = []
    for name, value in zip(columns, row, strict=True):
        if value is None:
            cells.append("–")
        elif name in ("held", "reached"):
            cells.append(words.text(f"category.{value}"))
        elif name == "kind":
            cells.append(words.text(f"record-kind.{value}"))
        else:
            cells.append(str(value))
    return tuple(cells)
