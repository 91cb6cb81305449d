"""``arpad office``: what the office has settled about itself, and the numbers by which other bodies know a player."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.face import Json, Lang, reader
from arpad.cli.office_desk import Author, Db, Now, Player, Reason, opened, tell
from arpad.cli.office_register import pairs


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into the group."""
    app.command("settings")(settings)
    app.command("identifier")(identifier)


def settings(
    change: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="NAME=VALUE", help="As name=…, time_zone=Europe/Rome, languages='it en'."
        ),
    ] = [],  # noqa: B006  typer never changes it
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Show what the office has settled, or settle it anew from now on."""
    from arpad.office import change_settings
    from arpad.office import settings as settled

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        if change:
            change_settings(office, dict(pairs(change, "set")), reason)
        found = settled(office)
    lines = "\n".join(f"{name}\t{value}" for name, value in found.items())
    tell(lines, "arpad.office-settings/1", {"settings": found}, json=json)


def identifier(
    player: Player,
    scheme: Annotated[str, typer.Argument(metavar="fide|fsi|fid|fmjd", help="Whose number it is.")],
    value: Annotated[str, typer.Argument(metavar="NUMBER", help="The number.")],
    *,
    take: Annotated[bool, typer.Option("--take", help="Take it away: it was entered by mistake.")] = False,
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Enter the number by which another body knows a player, or take it away again."""
    from arpad.office import add_identifier, remove_identifier

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        (remove_identifier if take else add_identifier)(office, player, scheme, value, reason=reason)
    tell(say.text("office.done"), "arpad.office-done/1", {"player": player, scheme: value}, json=json)
