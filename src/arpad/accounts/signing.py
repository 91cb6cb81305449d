"""Signing in and out: sessions, and who is shut out for a while."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from arpad.accounts.keeping import moment, stamp, writing
from arpad.accounts.passwords import digest, is_password, nobodys_password
from arpad.accounts.people import User, user_from
from arpad.accounts.second_factor import accepts
from arpad.accounts.tables import failures, sessions, users
from arpad.errors import BadInput
from arpad.office.desk import Office

log = logging.getLogger("arpad.security")

SESSION_HOURS = 12
IDLE_HOURS = 2
SEEN_EVERY_MINUTES = 10
"""How exactly it is known when a session was last used; asking costs no write each time."""

MOST_FAILURES = 5
MOST_FAILURES_FROM_ONE_PLACE = 30
LOCKED_MINUTES = 15
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

    After repeated failures nobody gets in, for a while.
    """
    cleaned = login.strip().lower()[:60]
    keys = (f"login {cleaned}", f"place {place}")
    _refuse_locked(office, keys)
    with office.store.reading() as connection:
        row = connection.execute(select(users).where(users.c.login == cleaned)).first()
    known = is_password(row.password if row else nobodys_password(), password)
    if row is None or not known or not row.active or not accepts(office, row, code):
        _note_failure(office, keys)
        log.warning("sign-in failed", extra={"login": cleaned, "place": place})
        raise BadInput("wrong-password")
    log.info("signed in", extra={"login": cleaned, "place": place, "second_factor": bool(row.factor)})
    return _open_session(office, row.id, keys[0], browser)


def _counted_since(office: Office) -> str:
    return stamp(moment(office) - timedelta(minutes=LOCKED_MINUTES))


def _note_failure(office: Office, keys: tuple[str, str]) -> None:
    """Who failed and from where; forgotten as soon as it no longer counts."""
    at = stamp(moment(office))
    with writing(office) as connection:
        connection.execute(delete(failures).where(failures.c.at <= _counted_since(office)))
        connection.execute(insert(failures), [{"key": key, "at": at} for key in keys])


def _refuse_locked(office: Office, keys: tuple[str, str]) -> None:
    since = _counted_since(office)
    with office.store.reading() as connection:
        for key, most in zip(keys, (MOST_FAILURES, MOST_FAILURES_FROM_ONE_PLACE), strict=True):
            query = select(func.count()).where(failures.c.key == key, failures.c.at > since)
            if (connection.execute(query).scalar() or 0) >= most:
                log.warning("sign-in locked", extra={"key": key})
                raise BadInput("locked-out", minutes=LOCKED_MINUTES)


def _open_session(office: Office, user: int, key: str, browser: str) -> str:
    token = secrets.token_urlsafe(32)
    now = moment(office)
    row = {
        "digest": digest(token), "user": user, "begun": stamp(now), "seen": stamp(now),
        "ends": stamp(now + timedelta(hours=SESSION_HOURS)), "browser": browser[:LONGEST_BROWSER],
    }  # fmt: skip
    idle = stamp(now - timedelta(hours=IDLE_HOURS))
    with writing(office) as connection:
        connection.execute(delete(sessions).where((sessions.c.ends < stamp(now)) | (sessions.c.seen < idle)))
        connection.execute(delete(failures).where(failures.c.key == key))
        connection.execute(insert(sessions), row)
    return token


def sign_out(office: Office, token: str) -> None:
    """End a session."""
    with writing(office) as connection:
        connection.execute(delete(sessions).where(sessions.c.digest == digest(token)))


def user_of_session(office: Office, token: str) -> User | None:
    """Whose session it is, as long as it lasts, is used, and the account is open."""
    now = moment(office)
    query = select(users, sessions.c.seen).join_from(users, sessions, sessions.c.user == users.c.id)
    query = query.where(
        sessions.c.digest == digest(token),
        sessions.c.ends > stamp(now),
        sessions.c.seen > stamp(now - timedelta(hours=IDLE_HOURS)),
        users.c.active == 1,
    )
    with office.store.reading() as connection:
        row = connection.execute(query).first()
        found = user_from(connection, row) if row else None
    if row is not None and row.seen < stamp(now - timedelta(minutes=SEEN_EVERY_MINUTES)):
        _seen(office, token)
    return found


def _seen(office: Office, token: str) -> None:
    """Note that a session is in use; while a list is being published, the next request does."""
    try:
        with office.store.engine.connect() as connection:
            connection.detach()  # its own patience goes with it
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA busy_timeout = 100")
                connection.rollback()
            writer = connection.execution_options(arpad_writing=True)
            with writer.begin():
                mine = update(sessions).where(sessions.c.digest == digest(token))
                writer.execute(mine.values(seen=stamp(moment(office))))
    except SQLAlchemyError:
        log.debug("a session could not be noted as used")


def sessions_of(office: Office, user: User, token: str) -> list[Session]:
    """Every session of somebody, the newest first."""
    query = select(sessions).where(sessions.c.user == user.id, sessions.c.ends > stamp(moment(office)))
    with office.store.reading() as connection:
        rows = connection.execute(query.order_by(sessions.c.begun.desc())).all()
    mine = digest(token)
    return [Session(row.digest[:16], row.begun, row.seen, row.browser, row.digest == mine) for row in rows]


def end_other_sessions(office: Office, user: User, token: str, only: str = "") -> int:
    """End all sessions of somebody but this one, or the one that is named; gives how many."""
    others = (sessions.c.user == user.id) & (sessions.c.digest != digest(token))
    if only:
        others &= sessions.c.digest.startswith(only[:16], autoescape=True)
    with writing(office) as connection:
        return int(connection.execute(delete(sessions).where(others)).rowcount)
