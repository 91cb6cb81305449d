"""``arpad office user``: add a user of the site; the first administrator is added here."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.office.options import WriteOptions
from arpad.explain.words import Words
from arpad.model.errors import BadInput

if TYPE_CHECKING:
    from arpad.office.users import User


def user(
    desk: WriteOptions,
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="The name to sign in with.")],
    role: Annotated[
        list[str],
        typer.Option("--role", metavar="arbiter|officer|administrator", help="A role; repeat for several."),
    ],
    name: Annotated[str, typer.Option("--name", help="The person's name.")] = "",
    federation: Annotated[
        str, typer.Option("--federation", metavar="CODE", help="Only for this federation (9.3).")
    ] = "",
    invite: Annotated[
        str,
        typer.Option(
            "--invite", metavar="ADDRESS", help="Send a link to this address, to choose a password."
        ),
    ] = "",
) -> None:
    """Add a user who may sign in to the site.

    The password is typed, or read from a pipe.

    Everyone except the first administrator must choose a new password at the first sign-in.

    With --invite no password is asked for: the office sends a link by mail.

    Example: arpad office user anna --role officer --db office.db
    """
    from arpad.office.accounts.users import add_user, all_users
    from arpad.office.users import Grant, Role

    unknown = [text for text in role if text not in tuple(Role)]
    if unknown:
        raise BadInput("value-unknown", option="role", value=unknown[0], accepted=", ".join(Role))
    grants = [Grant(Role(text), "" if text == Role.ADMINISTRATOR else federation.upper()) for text in role]
    with desk.acting() as office:
        # The first administrator chose the password here and may keep it (docs/explanation/security.md, 6.4.1).
        first = Role.ADMINISTRATOR in role and not any(
            account.has(Role.ADMINISTRATOR) for account in all_users(office)
        )
        password = "" if invite else _password(desk.words)
        new_user = add_user(
            office, login, name, password, grants, own_password=first and not invite, address=invite,
            language=desk.words.language,
        )  # fmt: skip
    facts = {
        "login": new_user.login,
        "roles": [str(grant.role) for grant in grants],
        "password_ends": new_user.password_ends or None,
    }
    sentence = _created_text(desk.words, new_user)
    if invite:
        sentence = desk.words.text("serve.user-invited", login=new_user.login, address=invite)
    desk.tell(sentence, "arpad.user/1", facts | ({"invited": True} if invite else {}))


def _created_text(words: Words, user: User) -> str:
    if not user.password_ends:
        return words.text("serve.user-made", login=user.login)
    day = date.fromisoformat(user.password_ends[:10])
    return words.text("serve.user-made-given", login=user.login, day=day)


def _password(words: Words) -> str:
    if sys.stdin.isatty():
        password: str = typer.prompt(words.text("site.password"), hide_input=True, confirmation_prompt=True)
        return password
    return sys.stdin.readline().rstrip("\n")
