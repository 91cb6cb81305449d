"""``arpad office edition``: a federation's own edition, put in force for a list from a day on (11.3)."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.common import console, list_named, table
from arpad.cli.office.options import ReadOptions, Reason, WriteOptions, day_of
from arpad.cli.typer_groups import Commands
from arpad.rating.arguments import read_toml

app = Commands(help="Adopt, list or revoke the federation's own editions.")


@app.command()
def add(
    desk: WriteOptions,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The edition's TOML file.")],
    reason: Reason,
    list_: Annotated[
        list[str], typer.Option("--list", metavar="LIST", help="The list; default: all lists of the edition.")
    ] = [],  # noqa: B006  typer never changes it
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="YYYY-MM-DD", help="The first day; default: as in the file."),
    ] = None,
) -> None:
    """Adopt an own edition for lists and events from a day on, until another follows it."""
    from arpad.office.editions.acts import adopt_edition, own_editions

    text = read_toml(file)
    on_lists = [list_named(name) for name in list_]
    with desk.acting() as office:
        numbers = adopt_edition(office, text, on_lists=on_lists, since=day_of(since, "since"), reason=reason)
        adoptions = [adoption for adoption in own_editions(office) if adoption.id in numbers]
    name, since_day, names = (
        adoptions[0].edition,
        adoptions[0].since,
        [str(adoption.list) for adoption in adoptions],
    )
    sentence = desk.words.text("own.adopted", edition=name, since=since_day, lists=", ".join(names))
    facts = {"edition": name, "since": str(since_day), "lists": names, "adoptions": list(numbers)}
    desk.tell(sentence, "arpad.office-edition/1", facts)


@app.command("list")
def adopted(look: ReadOptions) -> None:
    """List the own editions in force, list by list."""
    from arpad.office.editions.acts import own_editions

    words = look.words
    with look.opened() as office:
        adoptions = own_editions(office)
    if look.json or not adoptions:
        rows = [
            {
                "adoption": adoption.id,
                "list": str(adoption.list),
                "edition": adoption.edition,
                "since": str(adoption.since),
            }
            for adoption in adoptions
        ]
        look.tell(words.text("own.none"), "arpad.office-editions/1", {"editions": rows})
        return
    keys = ("own.number", "column.list", "column.edition", "own.since")
    lines = [
        (str(adoption.id), str(adoption.list), adoption.edition, str(adoption.since))
        for adoption in adoptions
    ]
    console().print(table([(words.text(key), "left") for key in keys], lines))


@app.command()
def revoke(
    desk: WriteOptions,
    adoption: Annotated[
        int, typer.Argument(metavar="NUMBER", help="Its number, as `edition list` shows it.")
    ],
    reason: Reason,
) -> None:
    """Revoke the adoption of an own edition, unless a list already used it."""
    from arpad.office.editions.acts import revoke_edition

    with desk.acting() as office:
        revoke_edition(office, adoption, reason)
    desk.done({"adoption": adoption})
