"""``arpad mail``: test the mail server, and choose which mails a user gets."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arpad.cli.office.options import WriteOptions
from arpad.cli.typer_groups import Commands
from arpad.explain.words import LANGUAGES

app = Commands(help="Test the mail server, and choose which mails a user gets.")


@app.command("test")
def test(
    desk: WriteOptions,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the test mail goes.")],
) -> None:
    """Send a test mail at once, with the office's settings.

    The password of the server is in ARPAD_MAIL_PASSWORD, or in the file that ARPAD_MAIL_PASSWORD_FILE names.

    Example: arpad mail test anna@example.org --db office.db
    """
    from arpad.office.mails import check_address
    from arpad.worker.mails import send_test

    words = desk.words
    to = check_address(address)
    with desk.acting() as office:
        server = send_test(office, to, words.language)
    sentence = words.text("mail.tested", host=server.host, address=to)
    desk.tell(sentence, "arpad.mail-test/1", {"host": server.host, "address": to})


@app.command("choose")
def choose(
    desk: WriteOptions,
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="The user.")],
    address: Annotated[
        str | None, typer.Option("--address", metavar="ADDRESS", help="Where the mails go; '' for none.")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", metavar="|".join(LANGUAGES), help="The language of the mails.")
    ] = None,
    unwanted: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="KIND", help="A kind not to send; '' for all kinds."),
    ] = None,
) -> None:
    """Show or change which mails a user gets, where and in which language.

    Example: arpad mail choose anna --address anna@example.org --without list-published --db office.db
    """
    from arpad.office.accounts.mail_choices import choice_of, choose_mails

    words = desk.words
    with desk.acting() as office:
        choice = choice_of(office, login)
        if not (address is None and language is None and unwanted is None):
            before = choice
            choice = choose_mails(
                office, login,
                address if address is not None else before.address if before else "",
                language or (before.language if before else words.language),
                [kind for kind in unwanted if kind] if unwanted is not None else before.unwanted if before else (),
            )  # fmt: skip
    facts: dict[str, Any] = {
        "login": login, "address": choice.address if choice else None,
        "language": choice.language if choice else None, "unwanted": sorted(choice.unwanted) if choice else [],
    }  # fmt: skip
    key = "mail.chosen" if choice else "mail.chosen-none"
    sentence = words.text(key, **{name: str(facts[name]) for name in ("login", "address", "language")})
    desk.tell(
        "\n".join([sentence, *(f"– {kind}" for kind in facts["unwanted"])]), "arpad.mail-choice/1", facts
    )
