"""Sessions: sign in, sign out, and the user of a session."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from arpad.model.errors import BadInput
from arpad.model.retention import amount_of
from arpad.office.accounts.mail_choices import note_sign_in
from arpad.office.accounts.passwords import is_password, limit_attempts, placeholder_password
from arpad.office.accounts.second_factor import use_second_factor
from arpad.office.office import Office, iso_time, local_moment, utc_now
from arpad.office.sessions import IDLE_HOURS, secret_digest
from arpad.office.users import User
from arpad.store import accounts as rows
from arpad.store.accounts import SessionRow, UserRow

log = logging.getLogger("arpad.security")

SESSION_HOURS = amount_of("sessions")

LONGEST_BROWSER = 120


@dataclass(frozen=True, slots=True)
class Session:
    """A session as its owner sees it."""

    id: str
    """The beginning of its digest: enough to name it, useless to sign in with."""

    begun: datetime
    """By the clock of the office."""

    last_seen: datetime
    browser: str
    current: bool
    """The session that asks."""


def sign_in(
    office: Office, login: str, password: str, address: str, *, code: str = "", browser: str = ""
) -> str:
    """Open a session if the password is right, and the code if one is needed; return its token.

    Repeated failures lock the login for a while. A password that another person chose expires; only a user
    with that password gets this message.
    """
    cleaned = login.replace("\0", "\ufffd").strip().lower()[:60]
    about = {"login": cleaned, "place": address}
    with limit_attempts(office, f"login {cleaned}", address):
        user = _recognise(office, cleaned, password, code)
        if user is None:
            log.warning("sign-in failed", extra=about)
            raise BadInput("wrong-password")
    if user.password_ends and user.password_ends <= iso_time(utc_now(office)):
        log.warning("sign-in failed", extra={**about, "why": "password-ended"})
        raise BadInput("password-ended", day=date.fromisoformat(user.password_ends[:10]))
    log.info("signed in", extra={**about, "second_factor": bool(user.factor)})
    token = _open_session(office, user.id, browser)
    note_sign_in(office, user.id, address, browser)
    return token


def _recognise(office: Office, login: str, password: str, code: str) -> UserRow | None:
    """Return the user if everything is right and the account is open; an unknown login takes as long to check."""
    with office.store.reading() as connection:
        user = rows.user_by_login(connection, login)
    placeholder = placeholder_password()  # created by the first request, for known and unknown logins
    right = is_password(user.password if user else placeholder, password)
    return (
        user if user is not None and right and user.active and use_second_factor(office, user, code) else None
    )


def _open_session(office: Office, user: int, browser: str) -> str:
    token = secrets.token_urlsafe(32)
    now = utc_now(office)
    ends = iso_time(now + timedelta(hours=SESSION_HOURS))
    session = SessionRow(
        secret_digest(token), user, iso_time(now), ends, iso_time(now), browser[:LONGEST_BROWSER]
    )
    with office.store.unlogged_writing() as connection:
        rows.add_session(connection, session, iso_time(now - timedelta(hours=IDLE_HOURS)))
    return token


def sign_out(office: Office, token: str) -> None:
    """End a session."""
    with office.store.unlogged_writing() as connection:
        rows.end_session(connection, secret_digest(token))


def sessions_of(office: Office, user: User, token: str) -> list[Session]:
    """Return every session of a user, the newest first."""
    with office.store.reading() as connection:
        return [
            Session(
                session.digest[:16],
                local_moment(connection, datetime.fromisoformat(session.begun)),
                local_moment(connection, datetime.fromisoformat(session.seen)),
                session.browser,
                session.digest == secret_digest(token),
            )
            for session in rows.sessions_of(connection, user.id, iso_time(utc_now(office)))
        ]


def end_other_sessions(office: Office, user: User, token: str, only: str = "") -> int:
    """End all sessions of a user except this one, or the one named by ``only``; return how many."""
    with office.store.unlogged_writing() as connection:
        return rows.end_sessions(connection, user.id, except_digest=secret_digest(token), beginning=only[:16])
