"""A second factor for signing in: codes that change every half minute (RFC 6238), or one that is kept on paper."""

from __future__ import annotations

import base64
import hmac
import logging
import secrets
import struct
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Row, delete, insert, select, update

from arpad.accounts.keys import encrypted, has_key, open_secret, seal_secret
from arpad.accounts.lockout import limit_attempts
from arpad.accounts.passwords import digest, is_password
from arpad.accounts.tables import recovery_codes, users
from arpad.accounts.transactions import unlogged_transaction, utc_now
from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act

log = logging.getLogger("arpad.security")

EVERY_SECONDS = 30
DIGITS = 6
RECOVERY_CODES = 8
SECRET_BYTES = 20
SECRET_LETTERS = SECRET_BYTES * 8 // 5
"""Each letter of base 32 holds five bits."""

_AROUND = (0, -1, 1)
"""Telephones may be half a minute early or late."""


_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def new_secret() -> str:
    """A secret of 160 bits, as authenticators read it."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def is_secret(text: str) -> bool:
    """Whether a text can be a secret of ours."""
    return len(text) == SECRET_LETTERS and _LETTERS.issuperset(text)


def code_at(secret: str, counter: int) -> str:
    """The code of the so-manieth half minute since 1970."""
    key = base64.b32decode(secret)
    mac = hmac.new(key, struct.pack(">Q", counter), "sha1").digest()
    offset = mac[-1] & 0x0F
    number = struct.unpack(">I", mac[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def counter_of(secret: str, code: str, seconds: int, used: int) -> int | None:
    """The half minute that a code belongs to; none where it is wrong, or was used before."""
    given = code.replace(" ", "").encode()
    for shift in _AROUND:
        counter = seconds // EVERY_SECONDS + shift
        if counter > used and hmac.compare_digest(code_at(secret, counter).encode(), given):
            return counter
    return None


def address(secret: str, login: str, issuer: str) -> str:
    """What an authenticator is shown to learn the secret."""
    label = quote(f"{issuer}:{login}")
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer)}&period={EVERY_SECONDS}&digits={DIGITS}"


def begin(office: Office, login: str, password: str, secret: str, code: str) -> tuple[str, ...]:
    """Ask for codes from now on; gives the codes for a lost telephone, which are told once."""
    row = owner(office, login, password)
    if row.factor:
        raise BadInput("factor-on-already")
    counter = counter_of(secret, code, int(utc_now(office).timestamp()), 0) if is_secret(secret) else None
    if counter is None:
        raise BadInput("wrong-code")
    sealed = seal_secret(office, row.id, secret)
    with record_act(office, "second-factor") as act:
        act.connection.execute(
            update(users).where(users.c.id == row.id).values(factor=sealed, factor_used=counter)
        )
        codes = tuple(f"{secrets.token_hex(5)}-{secrets.token_hex(5)}" for _ in range(RECOVERY_CODES))
        act.connection.execute(delete(recovery_codes).where(recovery_codes.c.user == row.id))
        act.connection.execute(
            insert(recovery_codes), [{"user": row.id, "digest": digest(code)} for code in codes]
        )
        act.record(login=login, second_factor="begun")
    return codes


def end(office: Office, login: str, password: str, code: str) -> None:
    """Ask for no code any more, if whoever asks for that has one: whoever learned the password has not."""
    row = owner(office, login, password, code)
    with record_act(office, "second-factor") as act:
        forget(act.connection, row.id)
        act.record(login=login, second_factor="ended")


def forget(connection: Connection, user: int) -> None:
    """Take the second factor away."""
    connection.execute(update(users).where(users.c.id == user).values(factor="", factor_used=0))
    connection.execute(delete(recovery_codes).where(recovery_codes.c.user == user))


def has_factor(office: Office, login: str) -> bool:
    """Whether somebody signs in with a second factor."""
    with office.store.reading() as connection:
        return bool(connection.execute(select(users.c.factor).where(users.c.login == login)).scalar())


def accepts(office: Office, row: Row[Any], code: str) -> bool:
    """Whether a code is right; it is used up by that."""
    if not row.factor:
        return True
    secret = open_secret(office, row.id, row.factor)
    if secret is None:
        log.error("second factor cannot be decrypted: another key", extra={"login": row.login})
    now = int(utc_now(office).timestamp())
    counter = counter_of(secret, code, now, row.factor_used) if secret is not None else None
    kept = row.factor
    if secret is not None and counter is not None and not encrypted(kept) and has_key(office):
        kept = seal_secret(office, row.id, secret)  # kept as it was by an older Arpad
    with unlogged_transaction(office) as connection:
        if counter is not None:
            newer = update(users).where(users.c.id == row.id, users.c.factor_used < counter)
            return bool(connection.execute(newer.values(factor=kept, factor_used=counter)).rowcount)
        mine = (recovery_codes.c.user == row.id) & (recovery_codes.c.digest == digest(code.strip().lower()))
        return bool(connection.execute(delete(recovery_codes).where(mine)).rowcount)


def owner(office: Office, login: str, password: str, code: str | None = None) -> Row[Any]:
    """Whoever is signed in shows once more who he is, with a code where one is given; guesses are counted here too."""
    with limit_attempts(office, f"own {login}"):
        with office.store.reading() as connection:
            row = connection.execute(select(users).where(users.c.login == login)).first()
        if row is None or not is_password(row.password, password):
            raise BadInput("wrong-own-password")
        if code is not None and not accepts(office, row, code):
            raise BadInput("wrong-code")
    return row
