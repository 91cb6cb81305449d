"""One-time links to choose a password: for a new user, and for one who has forgotten it.

A link is made when its mail is written, so that its secret is never stored; the database has its digest. It ends after
a while, and with the first password that is chosen by any link of the user.
"""

from __future__ import annotations

import logging
import secrets
from datetime import timedelta

from arpad.model.errors import BadInput
from arpad.office.accounts.passwords import INVITED_DAYS, check_password, count_attempt, hasher
from arpad.office.mails import LONGEST_ADDRESS, mail_is_set_up, queue_mail
from arpad.office.office import Office, iso_time, record_act, utc_now
from arpad.office.sessions import secret_digest
from arpad.store import accounts as rows
from arpad.store import jobs
from arpad.store.jobs import Job

log = logging.getLogger("arpad.security")

LINK = "password-link"
"""The kind of the jobs that look for the users of a question."""

LINK_HOURS = {"invitation": INVITED_DAYS * 24, "forgotten": 2}
"""How long a link is valid, by the kind of its mail."""


def ask_for_link(office: Office, asked: str, address: str) -> None:
    """Queue the question for a link by a login or a mail address.

    The worker looks whether there is such a user, so that the visitor cannot tell from the time. ``address`` is the
    network address of the visitor; questions are counted like failed sign-ins.
    """
    require_mail(office)
    cleaned = asked.replace("\0", "").strip()[:LONGEST_ADDRESS]
    count_attempt(office, f"link {secret_digest(cleaned.lower())[:16]}", f"link {address}")
    with office.store.unlogged_writing() as connection:
        jobs.enqueue(connection, LINK, {"asked": cleaned})


def queue_links(office: Office, job: Job) -> None:
    """Queue the mails with a link for the users with a login or an address, and forget what was asked."""
    with office.store.unlogged_writing() as connection:
        asked = job.payload.get("asked", "")
        user = rows.user_by_login(connection, asked.lower())
        named = [(user.id, user.login)] if user and user.active else []
        for number, login in named or rows.users_of_address(connection, asked):
            choice = rows.mail_choice(connection, number)
            if choice is not None:
                log.info("password link queued", extra={"login": login})
                queue_mail(
                    connection, "forgotten", choice.address, language=choice.language, path="",
                    key=f"{job.key}-{number}",
                    facts={"user": number, "login": login, "hours": LINK_HOURS["forgotten"]},
                )  # fmt: skip
        jobs.amend(connection, job, {})


def new_link(office: Office, user: int, kind: str) -> str:
    """Return the secret of a new link for a user; only its digest is stored."""
    secret, now = secrets.token_urlsafe(32), utc_now(office)
    with office.store.unlogged_writing() as connection:
        ends = iso_time(now + timedelta(hours=LINK_HOURS[kind]))
        rows.add_password_link(connection, secret_digest(secret), user, ends, iso_time(now))
    return secret


def login_of_link(office: Office, secret: str) -> str:
    """Return the login of the user of a link; raise if it was used or has ended."""
    with office.store.reading() as connection:
        user = rows.link_user(connection, secret_digest(secret), iso_time(utc_now(office)))
    if user is None:
        raise BadInput("link-ended")
    return user[1]


def choose_password(office: Office, secret: str, password: str) -> str:
    """Set the password that the user of a link chose; end all links and sessions of the user. Return the login."""
    with record_act(office, "choose-password") as act:
        user = rows.link_user(act.connection, secret_digest(secret), iso_time(utc_now(office)))
        if user is None:
            raise BadInput("link-ended")
        number, login, name = user
        check_password(password, (login, name))
        rows.set_password(act.connection, number, hasher().hash(password), "")
        rows.end_sessions(act.connection, number)
        rows.end_password_links(act.connection, number)
        act.record(login=login)
    log.info("password chosen by link", extra={"login": login})
    return login


def require_mail(office: Office) -> None:
    """Refuse if the office cannot send mails."""
    with office.store.reading() as connection:
        if not mail_is_set_up(connection):
            raise BadInput("mail-not-set", setting="mail_host")
