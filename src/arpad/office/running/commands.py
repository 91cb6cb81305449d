"""``arpad office running``: send the rounds of tournaments in progress, list them, end one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Reason, WriteOptions
from arpad.cli.typer_groups import Commands

if TYPE_CHECKING:
    from arpad.office.running.acts import RunningPage

app = Commands(help="Show tournaments in progress: send each round, list them, end one.")

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The name in the address: small letters, digits, hyphens.")
]


@app.command()
def send(
    desk: WriteOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The report after the round.")],
    name: Name,
    *,
    older: Annotated[
        bool, typer.Option("--older", help="Replace the present version although this one is older.")
    ] = False,
) -> None:
    """Show a round: the version replaces the one before; nothing is submitted."""
    from arpad.office.running.acts import send_version
    from arpad.reports.formats import read_bytes

    data = read_bytes(file)
    with desk.acting() as office:
        sent = send_version(office, data, file.name, name, older=older)
    tournament = sent.tournament
    key = "again" if sent.again else "sent"
    sentence = desk.words.text(
        f"running.{key}", name=name, version=tournament.version, rounds=tournament.rounds
    )
    document = {"name": name, "version": tournament.version, "rounds": tournament.rounds, "again": sent.again}
    desk.tell(sentence, "arpad.office-running-sent/1", document)


@app.command("list")
def list_(look: ReadOptions) -> None:
    """List the tournaments in progress."""
    from arpad.office.running.acts import running_pages

    with look.opened() as office, office.store.reading() as connection:
        pages = running_pages(connection)
    rows = [_document(page) for page in pages]
    if look.json:
        print_json("arpad.office-running/1", {"tournaments": rows})
        return
    if not rows:
        console().print(look.words.text("running.none"))
        return
    figures = ("version", "rounds", "players", "report")
    columns = [
        (look.words.text(f"running.{name}"), "right" if name in figures else "left") for name in rows[0]
    ]
    lines = [["" if value is None else str(value) for value in row.values()] for row in rows]
    console().print(table(columns, lines))


def _document(page: RunningPage) -> dict[str, Any]:
    names = ("name", "title", "list", "version", "rounds", "players", "received", "sender")
    return {name: getattr(page.tournament, name) for name in names} | {"report": page.report}


@app.command()
def end(desk: WriteOptions, name: Name, reason: Reason = "") -> None:
    """End the page of a tournament; its last version is deleted."""
    from arpad.office.running.acts import end_tournament

    with desk.acting() as office:
        end_tournament(office, name, reason=reason)
    desk.tell(desk.words.text("running.ended", name=name), "arpad.office-running-ended/1", {"name": name})
