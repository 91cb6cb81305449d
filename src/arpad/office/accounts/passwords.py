"""Passwords and other secrets: the hashes that are stored, and the check for passwords that are too easy."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput
from arpad.model.retention import amount_of

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
