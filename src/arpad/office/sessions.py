"""Whose a session or a token is."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection

from arpad.model.errors import ArpadError
from arpad.office.office import Office, iso_time, utc_now
from arpad.office.users import Grant, Role, User
from arpad.store import accounts as rows
from arpad.store.accounts import UserRow


def build_user(connection: Connection, row: UserRow) -> User:
    """Build a ``User`` with its roles from a row."""
    roles = tuple(Grant(Role(role), federation) for role, federation in rows.grants_of(connection, row.id))
    return User(row.id, row.login, row.name, roles, row.active, bool(row.factor), row.password_ends)


log = logging.getLogger("arpad.security")

IDLE_HOURS = 2


SEEN_EVERY_MINUTES = 10
"""How often the last use of a session is written, so that not every request writes."""


def user_of_session(office: Office, token: str) -> User | None:
    """Return the user of a session that has not ended and is not idle, if the account is open."""
    now = utc_now(office)
    idle_since = iso_time(now - timedelta(hours=IDLE_HOURS))
    with office.store.reading() as connection:
        session = rows.session_user(connection, secret_digest(token), iso_time(now), idle_since)
        if session is None:
            return None
        row, last_seen, ends = session
        user = replace(build_user(connection, row), session_ends=ends)
    if last_seen < iso_time(now - timedelta(minutes=SEEN_EVERY_MINUTES)):
        _touch(office, token)
    return user


def minutes_left(office: Office, user: User) -> tuple[int, bool]:
    """Return after how many minutes without a request a session ends, and whether a request would prolong it."""
    unused = IDLE_HOURS * 60 - SEEN_EVERY_MINUTES  # its last use may be written so much too early
    whole = int((datetime.fromisoformat(user.session_ends) - utc_now(office)).total_seconds()) // 60
    return min(unused, max(0, whole)), unused < whole


def _touch(office: Office, token: str) -> None:
    """Write that a session is in use; if another transaction holds the lock, the next request does."""
    try:
        with office.store.unlogged_writing() as connection:
            rows.touch_session(connection, secret_digest(token), iso_time(utc_now(office)))
    except ArpadError:
        log.debug("a session could not be noted as used")


def user_of_token(office: Office, secret: str) -> tuple[User, frozenset[str]] | None:
    """Return the user of a token and its scopes."""
    with office.store.reading() as connection:
        token = rows.token_user(connection, secret_digest(secret), iso_time(utc_now(office)))
        if token is None:
            return None
        row, scopes = token
        return build_user(connection, row), frozenset(scopes.split())


def secret_digest(secret: str) -> str:
    """Return the digest that is stored of a random secret."""
    return sha256(secret.encode()).hexdigest()
