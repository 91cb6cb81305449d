"""Mails of the office: each is a job of the queue, added in the transaction of the act that it tells of.

The worker writes its text and sends it (``mail.worker``). Nothing is queued while no mail server is set.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.store import jobs
from arpad.store.accounts import MAIL, MailChoice
from arpad.store.settings import read_setting

CHOOSABLE = (
    "report-received", "report-returned", "report-accepted", "report-rated", "deadline", "list-published", "sign-in",
    "office-altered", "rehearsal-failed",
)  # fmt: skip
"""The kinds of mails that a user may refuse; those about a password come always."""

OFFICE_KINDS = ("deadline", "office-altered", "rehearsal-failed")
"""Those of them that only officers and administrators get."""

SETTINGS = ("mail_host", "mail_port", "mail_tls", "mail_user", "mail_sender", "mail_unsure", "site_address")
TLS = ("starttls", "tls", "none")
AGAIN, HOLD = "again", "hold"
UNSURE = (AGAIN, HOLD)
"""A mail that the server perhaps has, since its answer was lost, is sent again or left to the office."""
LONGEST_ADDRESS = 254


def check_address(address: str, option: str = "address") -> str:
    """Return a mail address without blanks around it; refuse what cannot be one, and everything unprintable."""
    text = address.strip()
    if len(text) > LONGEST_ADDRESS or not re.fullmatch(
        r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?", text
    ):
        raise BadInput("bad-address", option=option, given=text[:60])
    return text


def mail_is_set_up(connection: Connection) -> bool:
    """Return whether the office can send mails: a server, a sender and the address of the site are set."""
    return all(read_setting(connection, name) for name in ("mail_host", "mail_sender", "site_address"))


def queue_mail(
    connection: Connection,
    kind: str,
    to: str,
    *,
    language: str,
    path: str,
    facts: Mapping[str, Any] | None = None,
    lines: Sequence[str] = (),
    end_path: str = "",
    key: str = "",
) -> str:
    """Add a mail to the queue in the caller's transaction; return its key, or nothing if no mail server is set.

    The texts are ``mail.<kind>-subject`` and ``mail.<kind>`` of the messages, filled with ``facts`` (texts and numbers;
    days as ISO texts in facts named ``day``). ``lines`` become a list. ``path`` is the page of the site that the mail
    links to, ``end_path`` the one where such mails are ended. With a key, the same mail is queued once.
    """
    if not mail_is_set_up(connection):
        return ""
    payload = {
        "mail": kind, "to": check_address(to), "language": language if language in LANGUAGES else LANGUAGES[0],
        "facts": dict(facts or {}), "lines": list(lines), "path": path, "end_path": end_path,
    }  # fmt: skip
    return jobs.enqueue(connection, MAIL, payload, key=key, once=True)


def queue_for_user(
    connection: Connection, choice: MailChoice, kind: str, *, path: str, key: str = "", **facts: Any
) -> None:
    """Add a mail to a user, unless the user does not want such mails."""
    if kind not in choice.unwanted:
        queue_mail(
            connection, kind, choice.address, language=choice.language, path=path, key=key,
            facts=facts, end_path="/account#mail",
        )  # fmt: skip
