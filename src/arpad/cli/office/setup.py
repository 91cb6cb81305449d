"""``arpad office``: create an office, change its settings, import a list or a register."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli import progress
from arpad.cli.common import list_named
from arpad.cli.office.options import Reason, WriteOptions, clock, pairs, signed
from arpad.model.typed_values import parse_day


def init(
    desk: WriteOptions,
    federation: Annotated[str, typer.Option(help="The federation's code, as ITA.")] = "",
    name: Annotated[str, typer.Option(help="The name of the publisher.")] = "",
    time_zone: Annotated[str, typer.Option(help="For days and deadlines.")] = "Europe/Rome",
    numbers: Annotated[
        list[str],
        typer.Option("--numbers", metavar="SCHEME", help="What players' numbers in reports are, as fide."),
    ] = [],  # noqa: B006  typer never changes it
) -> None:
    """Create an office in an empty database.

    Example: arpad office init --db new.db --federation ITA
    """
    from arpad.office.office import init as make

    office = make(
        desk.database, federation=federation, name=name, time_zone=time_zone, numbers=numbers,
        now=clock(desk.now), author=signed(desk.author) or "office",
    )  # fmt: skip
    office.close()
    where = office.store.address
    desk.tell(desk.words.text("office.made", place=where), "arpad.office-init/1", {"database": where})


def settings(
    desk: WriteOptions,
    change: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="NAME=VALUE", help="As name=…, time_zone=Europe/Rome, languages='it en'."
        ),
    ] = [],  # noqa: B006  typer never changes it
    reason: Reason = "",
) -> None:
    """Show or change the office's settings."""
    from arpad.office.settings import all_settings as settled
    from arpad.office.settings import change_settings

    with desk.acting() as office:
        if change:
            change_settings(office, dict(pairs(change, "set")), reason)
        values = settled(office)
    lines = "\n".join(f"{name}\t{value}" for name, value in values.items())
    desk.tell(lines, "arpad.office-settings/1", {"settings": values})


def import_list(
    desk: WriteOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FIDE TXT, XML or CSV; for draughts a CSV.")],
    date: Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="The list's day.")],
    list_: Annotated[str, typer.Option("--list", metavar="LIST", help="The list.")] = "standard",
    last_event: Annotated[
        str | None,
        typer.Option(
            "--last-event", metavar="YYYY-MM-DD", help="Draughts: last event, if the list has none."
        ),
    ] = None,
    reason: Reason = "",
) -> None:
    """Import a list that another office published.

    Example: arpad office import-list list.txt --list rapid --date 2018-05-01 --db office.db
    """
    from arpad.office.import_list import import_list as take

    words = desk.words
    with desk.acting() as office, progress.bar(words.text("report.reading")) as update:
        result = take(
            office, file, list_named(list_), parse_day(date, "date"), progress=update, reason=reason,
            last_event=parse_day(last_event, "last-event") if last_event else None,
        )  # fmt: skip
    facts = {"rows": result.rows, "newcomers": result.newcomers, "changed": result.changed}
    sentence = words.text("office.imported-again") if result.again else words.text("office.imported", **facts)
    if result.undated:
        sentence += "\n" + words.text("office.imported-undated", players=result.undated)
    desk.tell(sentence, "arpad.office-import/1", {**facts, "again": result.again, "undated": result.undated})


def import_register(
    desk: WriteOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV: name, federation, born, fide, fsi …")],
    date: Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="The day from which it applies.")],
    reason: Reason = "",
) -> None:
    """Import players without ratings. Doubtful rows are skipped and reported."""
    from arpad.office.import_register import import_register as take

    words = desk.words
    with desk.acting() as office:
        result = take(office, file, parse_day(date, "date"), reason=reason)
    facts = {"rows": result.rows, "newcomers": result.newcomers, "changed": result.changed}
    lines = [words.text("office.imported", **facts)]
    for doubt in result.doubts:
        key = "another-number" if doubt.held else "doubt" if doubt.candidates else "twice"
        lines.append(words.text(f"register.{key}", **asdict(doubt)))
    doubts = [asdict(doubt) for doubt in result.doubts]
    desk.tell("\n".join(lines), "arpad.office-register/1", {**facts, "doubts": doubts})
