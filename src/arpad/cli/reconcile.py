"""``arpad reconcile``: compare FIDE's next list with the changes calculated from your reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import (
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    naming_file,
    print_json,
    table,
    watched,
    words_for,
)
from arpad.explain.words import Words
from arpad.model.declared import document as as_json
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from datetime import date

    from arpad.lists.reconciled import Reconciliation
    from arpad.lists.reconciliation_inputs import Played

_SHOWN = 60
"""Differing players that the terminal shows; all are in the JSON and in the CSV."""


def reconcile(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT…", help="The reports of the period.")],
    before: Annotated[
        Path, typer.Option("--before", metavar="LIST", help="FIDE's list as the period begins.")
    ],
    after: Annotated[Path, typer.Option("--after", metavar="LIST", help="FIDE's list after it.")],
    *,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            "--earlier", metavar="LIST", help="An earlier list, for events begun under it; repeatable."
        ),
    ] = None,
    federation: Annotated[
        str, typer.Option("--federation", metavar="CODE", help="Compare the players of this federation only.")
    ] = "",
    on_list: ListOption = "standard",
    before_day: Annotated[
        str | None,
        typer.Option("--before-day", metavar="YYYY-MM-DD", help="Its day, if the file does not say."),
    ] = None,
    after_day: Annotated[
        str | None,
        typer.Option("--after-day", metavar="YYYY-MM-DD", help="Its day, if the file does not say."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the whole comparison as CSV.")
    ] = None,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Compare FIDE's next list with your own calculation, and say why they differ.

    Example: arpad reconcile --before may18.txt --after jun18.txt --federation ITA open.trf
    """
    from arpad.lists.reconciliation import reconcile as compare
    from arpad.lists.reconciliation_inputs import NamedReport, events_of, list_day, read_dated_list
    from arpad.reports.formats import read_file

    words, name = words_for(lang), chess_list(on_list)
    named = []
    for path in watched(words.text("report.reading"))(reports):
        with naming_file(path):
            named.append(NamedReport(path.name, read_file(path)))

    def dated(path: Path, stated: str | None, option: str) -> tuple[Path, date]:
        with naming_file(path):
            return path, list_day(path, parse_day(stated, option) if stated else None, option)

    days = [dated(path, None, "before-day") for path in earlier or ()]
    days += [dated(before, before_day, "before-day"), dated(after, after_day, "after-day")]
    if days[-1][1] <= days[-2][1]:
        raise BadInput("lists-out-of-order", before=days[-2][1], after=days[-1][1])
    lists = []
    for path, day in days:
        with naming_file(path):
            lists.append(read_dated_list(path, day, name, named, federation))
    played = events_of(named, lists, name)
    result = compare(name, lists[-2], lists[-1], played.events, earlier=lists[:-2], federation=federation)
    if csv is not None:
        from arpad.explain.reconciliation_document import csv_text

        write_file(csv, csv_text(result, words).encode())
    if json:
        from arpad.explain.reconciliation_document import document

        print_json("arpad.reconcile/1", {**as_json(document(result, words)), **_left_out(played)})
    else:
        _print_left_out(played, words)
        print_reconciliation(result, words)
        if csv is not None:
            console().print(words.text("reconcile.written", path=str(csv)))
    return int(bool(result.differing()))


def _left_out(played: Played) -> dict[str, object]:
    return {
        "other_lists": [{"file": file, "list": str(its_list)} for file, its_list in played.other_lists],
        "unidentified": [{"file": file, "name": name} for file, name in played.unidentified],
    }


def _print_left_out(played: Played, words: Words) -> None:
    out = console()
    for file, its_list in played.other_lists:
        out.print(words.text("reconcile.other-lists", file=file, list=words.text(f"site.list-{its_list}")))
    for file, name in played.unidentified:
        out.print(words.text("reconcile.unidentified", file=file, name=name))


def print_reconciliation(result: Reconciliation, words: Words) -> None:
    """Print the summary and the players whose results differ."""
    from arpad.explain.reconciliation_document import cells, heads, summary

    out = console()
    differing = result.differing()
    out.print(words.text("reconcile.title", list=words.text(f"site.list-{result.on_list}"), day=result.day))
    for event in result.other_periods:
        out.print(words.text("reconcile.other-periods", file=event.id, day=event.last_day))
    for event in result.before_first_list:
        out.print(words.text("reconcile.before-first-list", file=event.id, day=event.first_day))
    out.print(summary(result, words))
    if differing:
        sides = ("right", "left", "right", "right", "right", "right", "right", "right", "left")
        rows = [cells(player, words) for player in differing[:_SHOWN]]
        out.print(table(zip(heads(words), sides, strict=True), rows))
