"""Values with which the acts and queries of mails work in the office of the demo."""

import atexit
from contextlib import ExitStack
from functools import cache

from arpad.office.mails import queue_mail
from arpad.office.office import Office
from tests.builders.mail_server import Mailbox, mail_server
from tests.office.mail.mail_office import set_up_mail

VARIES = {"mail list": ("mails",), "jobs": ("jobs",)}


_STACK = ExitStack()
atexit.register(_STACK.close)


@cache
def _mailbox() -> Mailbox:
    """Serve until the tests end."""
    return _STACK.enter_context(mail_server())


def prepare(office: Office) -> None:
    """Let the office send mails, of which one waits."""
    set_up_mail(office, _mailbox().port)
    with office.store.unlogged_writing() as connection:
        queue_mail(connection, "test", "anna@example.org", language="en", path="/")
