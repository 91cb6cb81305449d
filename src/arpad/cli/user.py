"""``arpad user``: who may sign in to the site; the first administrator comes from here."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arpad.cli.office_desk import Desk
from arpad.errors import BadInput
from arpad.explain import Words


def user(
    desk: Desk,
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="The name to sign in with.")],
    role: Annotated[
        list[str],
        typer.Option("--role", metavar="arbiter|officer|administrator", help="What for; repeat for several."),
    ],
    name: Annotated[str, typer.Option("--name", help="The person's name.")] = "",
    federation: Annotated[
        str, typer.Option("--federation", metavar="CODE", help="Only for this federation (9.3).")
    ] = "",
) -> None:
    """Enter somebody who may sign in; the password is asked for, or read from a pipe.

    As in: arpad user anna --role officer --db office.db
    """
    from arpad.accounts import Grant, Role, add_user

    unknown = [text for text in role if text not in tuple(Role)]
    if unknown:
        raise BadInput("value-unknown", option="role", value=unknown[0], accepted=", ".join(Role))
    given = [Grant(Role(text), "" if text == Role.ADMINISTRATOR else federation.upper()) for text in role]
    with desk.acting() as office:
        made = add_user(office, login, name, _password(desk.say), given)
    facts = {"login": made.login, "roles": [str(grant.role) for grant in given]}
    desk.tell(desk.say.text("serve.user-made", login=made.login), "arpad.user/1", facts)


def _password(say: Words) -> str:
    if sys.stdin.isatty():
        asked: str = typer.prompt(say.text("site.password"), hide_input=True, confirmation_prompt=True)
        return asked
    return sys.stdin.readline().rstrip("\n")
