"""``arpad history``: a folder of reports under a rating system, as a chain with lists on given days."""

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import Json, Lang, naming_file, print_json, watched, with_file, words_for
from arpad.lists.system_history import (
    HistoryStart,
    list_days,
    rate_history,
    read_events,
    read_source,
    read_start,
)
from arpad.model.errors import BadInput
from arpad.model.rules import Fact
from arpad.model.typed_values import parse_day
from arpad.rating.event_question import read_file
from arpad.regulations.system_fields import read_fields, shown
from arpad.regulations.systems import system_named
from arpad.system.atomic_files import prepare_folder

_NAME = re.compile(r"[a-z0-9-]{1,40}")
"""Of the lists, and so of their files."""


def history(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the reports.")],
    system: Annotated[
        str,
        typer.Option(
            "--system", metavar="NAME", help="The rating system, as icu; an unknown name lists all."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder of the lists.")],
    start: Annotated[
        Path | None,
        typer.Option("--start", metavar="FILE", help="The list to start from, as CSV with id and states."),
    ] = None,
    facts: Annotated[
        Path | None,
        typer.Option("--facts", metavar="FILE", help='What the federation sets, as JSON: {"tau": "0.5"}.'),
    ] = None,
    months: Annotated[
        int,
        typer.Option("--months", min=1, max=12, help="Months from one list to the next, from January on."),
    ] = 12,
    days: Annotated[
        list[str],
        typer.Option("--list-day", metavar="YYYY-MM-DD", help="The day of a list, instead; repeatable."),
    ] = [],  # noqa: B006  typer never changes it
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The name of the lists.")] = "history",
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Rate the reports of a folder one after the other under any rating system, with a list on each list day.

    Started again, it goes on where it stopped, and rates again from the first report that is new or changed.

    Example: arpad history events --system icu --start list.csv --out lists
    """
    words = words_for(lang)
    rating_system = system_named(system)
    given = sorted({parse_day(text, "--list-day") for text in days})
    if not _NAME.fullmatch(name):
        raise BadInput("bad-form", option="--name", value=shown(name), accepted="a-z, 0-9, -")
    stated: Mapping[str, Fact] = {}
    if facts is not None:
        with naming_file(facts, with_places=True):
            stated = read_fields(rating_system.unit_facts, read_file(facts), "")
    known = HistoryStart()
    if start is not None:
        with naming_file(start, with_places=True):
            known = read_start(rating_system, start)
    prepare_folder(out)
    events, refused = read_events(folder, out, watched(words.text("history.reading")))
    for file, error in refused:
        typer.echo(with_file(words.error(error), file), err=True)
    if refused:
        raise BadInput("reports-unreadable", count=len(refused), of=len(refused) + len(events))
    last_days = [date.fromisoformat(event["last_day"]) for event in events]
    with naming_file(folder, with_places=True):
        source = read_source(
            rating_system, events, known, given or list_days(last_days, months), stated, name
        )
    result = rate_history(source, out, watched(words.text("history.rating")))
    if json:
        document = {
            "system": system,
            "events": result.events,
            "rated": result.rated,
            "lists": [{"name": it.name, "players": len(it.rows)} for it in result.lists],
            "findings": [
                {"event": event, "message": words.finding(finding)} for event, finding in result.findings
            ],
        }
        print_json("arpad.history/1", document)
        return 0
    for event, finding in result.findings:
        typer.echo(f"{event}{words.form.colon} {words.cited_finding(finding)}")
    for published in result.lists:
        typer.echo(words.text("history.list", list=published.name, players=len(published.rows)))
    typer.echo(words.text("history.rated", events=result.events, rated=result.rated, path=str(out)))
    return 0
