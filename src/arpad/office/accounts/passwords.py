"""Passwords and other secrets: stored hashes, the check for easy passwords, the lock-out after repeated failures."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput
from arpad.model.retention import amount_of
from arpad.office.office import Office, iso_time, utc_now
from arpad.store import accounts as rows

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200
GIVEN_PASSWORD_DAYS = 14
"""How long a password that another person chose is valid: enough for a letter and a holiday."""

INVITED_DAYS = amount_of("password_links")
"""How long the link of an invitation is valid."""

LONGEST_GUESSED = 72
"""How many characters are rated: rating longer passwords takes too long."""

OUR_WORDS = ("arpad", "elo", "rating", "chess", "scacchi", "dama", "fide", "rubele", "federazione", "officer")
"""Words that an attacker of a rating office would try first (docs/explanation/security.md)."""


@cache
def hasher() -> PasswordHasher:
    """Return Argon2 with the parameters that its library recommends."""
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def placeholder_password() -> str:
    """Return a hash for unknown logins, so that checking them takes as long as for known ones."""
    return hasher().hash(secrets.token_urlsafe(16))


def is_password(hashed: str, password: str) -> bool:
    """Return whether a password is the one that was hashed."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return hasher().verify(hashed, password[:LONGEST_PASSWORD])
    except (Argon2Error, InvalidHashError):
        return False


def check_password(password: str, about: Sequence[str] = ()) -> None:
    """Refuse a password that is too short, or among the first that an attacker would try.

    ``about`` are words about the user, such as login and name.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadInput("bad-password", option="password", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
    from zxcvbn import zxcvbn  # lists of common passwords, names and words, and how long guessing takes

    if zxcvbn(password[:LONGEST_GUESSED], user_inputs=[*OUR_WORDS, *about])["score"] < 2:  # noqa: PLR2004  of 0 to 4
        raise BadInput("easy-password", option="password")


log = logging.getLogger("arpad.security")

MOST_FAILURES = 5
MOST_FAILURES_PER_ADDRESS = 30
LOCKED_MINUTES = amount_of("failures")


@contextmanager
def limit_attempts(office: Office, key: str, address: str = "") -> Iterator[None]:
    """Allow one attempt at a password or code; it has failed if the body raises.

    The attempt is recorded before the password is verified, so that parallel attempts cannot exceed the limit. A
    successful attempt clears the failures of its key, and of its address only itself.
    """
    limits, at = count_attempt(office, key, address)
    yield
    with office.store.unlogged_writing() as connection:
        rows.clear_failures(connection, key, limits.keys(), at)


def count_attempt(office: Office, key: str, address: str = "") -> tuple[Mapping[str, int], str]:
    """Record an attempt; raise if there were too many. Return the limits that it counts for, and its time."""
    limits = {key: MOST_FAILURES}
    if address:
        limits[f"place {address}"] = MOST_FAILURES_PER_ADDRESS
    _refuse_locked(office, limits)
    at = utc_now(office).isoformat(timespec="microseconds")
    with office.store.unlogged_writing() as connection:
        rows.add_failures(connection, limits, at, _counted_since(office))
    _refuse_locked(office, limits, own_attempts=1)
    return limits, at


def _counted_since(office: Office) -> str:
    return iso_time(utc_now(office) - timedelta(minutes=LOCKED_MINUTES))


def _refuse_locked(office: Office, limits: Mapping[str, int], own_attempts: int = 0) -> None:
    since = _counted_since(office)
    with office.store.reading() as connection:
        for key, limit in limits.items():
            if rows.count_failures(connection, key, since) - own_attempts >= limit:
                log.warning("sign-in locked", extra={"key": key})
                raise BadInput("locked-out", minutes=LOCKED_MINUTES)
