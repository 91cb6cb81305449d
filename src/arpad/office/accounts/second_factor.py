"""A second factor for signing in: codes that change every half minute (RFC 6238), and recovery codes on paper."""

import base64
import hmac
import logging
import secrets
import struct
from dataclasses import replace
from urllib.parse import quote

from arpad.model.errors import BadInput
from arpad.office.accounts.keys import open_secret, seal_secret
from arpad.office.accounts.passwords import is_password, limit_attempts
from arpad.office.office import Office, record_act, utc_now
from arpad.office.users import secret_digest
from arpad.store import accounts as rows
from arpad.store.accounts import UserRow

log = logging.getLogger("arpad.security")

EVERY_SECONDS = 30
DIGITS = 6
RECOVERY_CODES = 8
SECRET_BYTES = 20
SECRET_LETTERS = SECRET_BYTES * 8 // 5
"""Each letter of base 32 has five bits."""

_AROUND = (0, -1, 1)
"""The clock of a phone may be half a minute early or late."""


_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def new_secret() -> str:
    """Return a new secret of 160 bits, as authenticators read it."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def is_secret(text: str) -> bool:
    """Return whether a text can be a secret of ours."""
    return len(text) == SECRET_LETTERS and _LETTERS.issuperset(text)


def code_at(secret: str, counter: int) -> str:
    """Return the code of the nth half minute since 1970."""
    key = base64.b32decode(secret)
    mac = hmac.new(key, struct.pack(">Q", counter), "sha1").digest()
    offset = mac[-1] & 0x0F
    number = struct.unpack(">I", mac[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def counter_of(secret: str, code: str, seconds: int, used: int) -> int | None:
    """Return the half minute of a code; None if the code is wrong or was used before."""
    entered = code.replace(" ", "").encode()
    for shift in _AROUND:
        counter = seconds // EVERY_SECONDS + shift
        if counter > used and hmac.compare_digest(code_at(secret, counter).encode(), entered):
            return counter
    return None


def authenticator_url(secret: str, login: str, issuer: str) -> str:
    """Return the address from which an authenticator reads the secret."""
    label = quote(f"{issuer}:{login}")
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer)}&period={EVERY_SECONDS}&digits={DIGITS}"


def turn_on(office: Office, login: str, password: str, secret: str, code: str) -> tuple[str, ...]:
    """Turn the second factor on; return the recovery codes, which are shown once."""
    user = confirmed_user(office, login, password)
    if user.factor:
        raise BadInput("factor-on-already")
    counter = counter_of(secret, code, int(utc_now(office).timestamp()), 0) if is_secret(secret) else None
    if counter is None:
        raise BadInput("wrong-code", option="code")
    sealed = seal_secret(office, user.id, secret)
    with record_act(office, "second-factor") as act:
        rows.change_user(act.connection, user.id, factor=sealed, factor_used=counter)
        codes = tuple(f"{secrets.token_hex(5)}-{secrets.token_hex(5)}" for _ in range(RECOVERY_CODES))
        rows.set_recovery_codes(act.connection, user.id, map(secret_digest, codes))
        act.record(login=login, second_factor="begun")
    return codes


def turn_off(office: Office, login: str, password: str, code: str) -> None:
    """Turn the second factor off; that takes a code, since a stolen password must not be enough."""
    user = confirmed_user(office, login, password, code)
    with record_act(office, "second-factor") as act:
        rows.forget_factor(act.connection, user.id)
        act.record(login=login, second_factor="ended")


def has_factor(office: Office, login: str) -> bool:
    """Return whether a user signs in with a second factor."""
    with office.store.reading() as connection:
        user = rows.user_by_login(connection, login)
    return user is not None and bool(user.factor)


def use_second_factor(office: Office, user: UserRow, code: str) -> bool:
    """Return whether a code is right; it cannot be used again."""
    if not user.factor:
        return True
    secret = open_secret(office, user.id, user.factor)
    if secret is None:
        log.error("second factor cannot be decrypted: another key", extra={"login": user.login})
    now = int(utc_now(office).timestamp())
    counter = counter_of(secret, code, now, user.factor_used) if secret is not None else None
    if counter is None:
        return _use_recovery_code(office, user, secret_digest(code.strip().lower()))
    with office.store.unlogged_writing() as connection:
        return rows.use_code(connection, user.id, counter)


def _use_recovery_code(office: Office, user: UserRow, digest: str) -> bool:
    """Remove a recovery code, which is an act of its user; return whether there was one."""
    with office.store.reading() as connection:
        if not rows.has_recovery_code(connection, user.id, digest):
            return False
    with record_act(replace(office, author=user.login), "use-recovery-code") as act:
        used = rows.use_recovery_code(act.connection, user.id, digest)
        if used:
            act.record(login=user.login)
    return used


def confirmed_user(
    office: Office, login: str, password: str, code: str | None = None, *, option: str = "password"
) -> UserRow:
    """Return a signed-in user who has entered the password again, and the code if one is given.

    Failed attempts count here too. ``option`` is the name of the password in the form.
    """
    with limit_attempts(office, f"own {login}"):
        with office.store.reading() as connection:
            user = rows.user_by_login(connection, login)
        if user is None or not is_password(user.password, password):
            raise BadInput("wrong-own-password", option=option)
        if code is not None and not use_second_factor(office, user, code):
            raise BadInput("wrong-code", option="code")
    return user
