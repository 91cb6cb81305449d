"""``arpad user``: who may sign in to the site; the first administrator comes from here."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arpad.cli.face import Lang, reader
from arpad.errors import BadInput


def user(
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="The name to sign in with.")],
    role: Annotated[
        list[str],
        typer.Option("--role", metavar="arbiter|officer|administrator", help="What for; repeat for several."),
    ],
    db: Annotated[
        str,
        typer.Option("--db", envvar="ARPAD_DB", metavar="URL", help="The office: a path (SQLite) or a URL."),
    ] = "",
    name: Annotated[str, typer.Option("--name", help="The person's name.")] = "",
    federation: Annotated[
        str, typer.Option("--federation", metavar="CODE", help="Only for this federation (9.3).")
    ] = "",
    author: Annotated[str, typer.Option("--author", help="Who does this, for the ledger.")] = "office",
    *,
    lang: Lang = None,
) -> None:
    """Enter somebody who may sign in; the password is asked for, or read from a pipe.

    As in: arpad user anna --role officer --db office.db
    """
    from arpad.accounts import Grant, Role, add_user
    from arpad.office.desk import open_office

    say = reader(lang)
    if not db:
        raise BadInput("value-missing", option="db")
    unknown = [text for text in role if text not in tuple(Role)]
    if unknown:
        raise BadInput("value-unknown", option="role", value=unknown[0], accepted=", ".join(Role))
    office = open_office(db, author=author)
    if sys.stdin.isatty():
        password = typer.prompt(say.text("site.password"), hide_input=True, confirmation_prompt=True)
    else:
        password = sys.stdin.readline().rstrip("\n")
    given = [Grant(Role(text), "" if text == Role.ADMINISTRATOR else federation.upper()) for text in role]
    made = add_user(office, login, name, password, given)
    typer.echo(say.text("serve.user-made", login=made.login))
