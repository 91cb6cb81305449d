"""``arpad mail``: test the mail server."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.office.options import WriteOptions
from arpad.cli.typer_groups import Commands

app = Commands(help="Test the mail server.")


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
