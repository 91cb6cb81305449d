"""Signing in and out: sessions, and who is shut out for a while."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from arpad.accounts.lockout import limit_attempts
from arpad.accounts.passwords import digest, is_password, nobodys_password
from arpad.accounts.second_factor import accepts
from arpad.accounts.tables import sessions, users
from arpad.accounts.transactions import iso_time, unlogged_transaction, utc_now
from arpad.accounts.users import User, user_from
from arpad.model.errors import ArpadError, BadInput
from arpad.office.office import Office

log = logging.getLogger("arpad.security")

SESSION_HOURS = 12
IDLE_HOURS = 2
SEEN_EVERY_MINUTES = 10
"""How exactly it is known when a session was last used; asking costs no write each time."""

LONGEST_BROWSER = 120


@dataclass(frozen=True, slots=True)
class Session:
    """A session as its owner sees it."""

    id: str
    """The beginning of its digest: enough to name it, useless to enter with."""

    begun: str
    seen: str
    browser: str
    here: bool


def sign_in(
    office: Office, login: str, password: str, place: str, *, code: str = "", browser: str = ""
) -> str:
    """A new session for whoever knows the password, and the code where one is asked for.

    After repeated failures nobody gets in, for a while. A password that somebody else chose ends; only who knows it is
    told so.
    """
    cleaned = login.replace("\0", "\ufffd").strip().lower()[:60]
    about = {"login": cleaned, "place": place}
    with limit_attempts(office, f"login {cleaned}", place):
        row = _recognised(office, cleaned, password, code)
        if row is None:
            log.warning("sign-in failed", extra=about)
            raise BadInput("wrong-password")
    if row.password_ends and row.password_ends <= iso_time(utc_now(office)):
        log.warning("sign-in failed", extra={**about, "why": "password-ended"})
        raise BadInput("password-ended", day=date.fromisoformat(row.password_ends[:10]))
    log.info("signed in", extra={**about, "second_factor": bool(row.factor)})
    return _open_session(office, row.id, browser)


def _recognised(office: Office, login: str, password: str, code: str) -> Row[Any] | None:
    """Whose login it is, if all is right and the account is open; nobody's login takes as long to look at."""
    with office.store.reading() as connection:
        row = connection.execute(select(users).where(users.c.login == login)).first()
    nobodys = nobodys_password()  # made by whoever comes first, known or not
    known = is_password(row.password if row else nobodys, password)
    return row if row is not None and known and row.active and accepts(office, row, code) else None


def _open_session(office: Office, user: int, browser: str) -> str:
    token = secrets.token_urlsafe(32)
    now = utc_now(office)
    row = {
        "digest": digest(token), "user": user, "begun": iso_time(now), "seen": iso_time(now),
        "ends": iso_time(now + timedelta(hours=SESSION_HOURS)), "browser": browser[:LONGEST_BROWSER],
    }  # fmt: skip
    idle = iso_time(now - timedelta(hours=IDLE_HOURS))
    with unlogged_transaction(office) as connection:
        connection.execute(
            delete(sessions).where((sessions.c.ends < iso_time(now)) | (sessions.c.seen < idle))
        )
        connection.execute(insert(sessions), row)
    return token


def sign_out(office: Office, token: str) -> None:
    """End a session."""
    with unlogged_transaction(office) as connection:
        connection.execute(delete(sessions).where(sessions.c.digest == digest(token)))


def user_of_session(office: Office, token: str) -> User | None:
    """Whose session it is, as long as it lasts, is used, and the account is open."""
    now = utc_now(office)
    query = select(users, sessions.c.seen).join_from(users, sessions, sessions.c.user == users.c.id)
    query = query.where(
        sessions.c.digest == digest(token),
        sessions.c.ends > iso_time(now),
        sessions.c.seen > iso_time(now - timedelta(hours=IDLE_HOURS)),
        users.c.active == 1,
    )
    with office.store.reading() as connection:
        row = connection.execute(query).first()
        found = user_from(connection, row) if row else None
    if row is not None and row.seen < iso_time(now - timedelta(minutes=SEEN_EVERY_MINUTES)):
        _seen(office, token)
    return found


def _seen(office: Office, token: str) -> None:
    """Note that a session is in use; while a list is being published, the next request does."""
    try:
        with unlogged_transaction(office) as connection:
            mine = update(sessions).where(sessions.c.digest == digest(token))
            connection.execute(mine.values(seen=iso_time(utc_now(office))))
    except ArpadError:
        log.debug("a session could not be noted as used")


def sessions_of(office: Office, user: User, token: str) -> list[Session]:
    """Every session of somebody, the newest first."""
    query = select(sessions).where(sessions.c.user == user.id, sessions.c.ends > iso_time(utc_now(office)))
    with office.store.reading() as connection:
        rows = connection.execute(query.order_by(sessions.c.begun.desc())).all()
    mine = digest(token)
    return [Session(row.digest[:16], row.begun, row.seen, row.browser, row.digest == mine) for row in rows]


def end_other_sessions(office: Office, user: User, token: str, only: str = "") -> int:
    """End all sessions of somebody but this one, or the one that is named; gives how many."""
    others = (sessions.c.user == user.id) & (sessions.c.digest != digest(token))
    if only:
        others &= sessions.c.digest.startswith(only[:16], autoescape=True)
    with unlogged_transaction(office) as connection:
        return int(connection.execute(delete(sessions).where(others)).rowcount)
