"""The key that encrypts the secrets of second factors; it is kept outside the database.

It stands in the variable ARPAD_KEY, or in the file that ARPAD_KEY_FILE names, or in a file beside a SQLite database.
There may be several keys: the first one encrypts, all of them decrypt, so that a key can be replaced.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select, update

from arpad.accounts.tables import users
from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.system.atomic_files import PRIVATE, atomic_write

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

KEYS, KEY_FILE = "ARPAD_KEY", "ARPAD_KEY_FILE"
_ENCRYPTED = "fernet:"


def encrypted(kept: str) -> bool:
    """Return whether a secret is kept encrypted."""
    return kept.startswith(_ENCRYPTED)


def seal_secret(office: Office, user: int, secret: str) -> str:
    """Return a user's secret as it is kept; the first one makes the key."""
    fernet = _fernet(_keys(office) or [_new_key_file(office)])
    return _ENCRYPTED + fernet.encrypt(f"{user}:{secret}".encode()).decode()


def open_secret(office: Office, user: int, kept: str) -> str | None:
    """Return a user's secret; None where its key is not there, or it is another user's."""
    from cryptography.fernet import InvalidToken

    if not encrypted(kept):
        return kept
    try:
        keys = _keys(office)
        told = _fernet(keys).decrypt(kept.removeprefix(_ENCRYPTED)).decode() if keys else ""
    except (InvalidToken, BadInput):
        return None
    owner, _, secret = told.partition(":")
    return secret if owner == str(user) else None


def has_key(office: Office) -> bool:
    """Return whether secrets can be encrypted: there is a key, or a place for one."""
    return bool(_keys(office)) or _key_file(office) is not None


def seal_plain_secrets(office: Office) -> int:
    """Encrypt the secrets that an older Arpad kept as they are; return how many there were."""
    with office.store.reading() as connection:
        plain = [(user, kept) for user, _, kept in _kept(connection) if not encrypted(kept)]
    if not plain:
        return 0
    with record_act(office, "encrypt-secrets") as act:
        for user, kept in plain:
            same = (users.c.id == user) & (users.c.factor == kept)
            sealed = seal_secret(office, user, kept)
            act.connection.execute(update(users).where(same).values(factor=sealed))
        act.record(secrets=len(plain))
    return len(plain)


def rotate_key(office: Office) -> int:
    """Encrypt all secrets with a new key; return how many there were.

    A key file gets the new key before the secrets change and loses the old ones afterwards, so that a killed run is
    completed by the next. Keys of ARPAD_KEY are changed by whoever set them: the first one is the new one.
    """
    old, file = _keys(office), _key_file(office)
    if old:
        _fernet(old)  # what is no key is said before anything is written
    if not old and file is None:
        raise BadInput("key-unset")
    new = _new_key() if old and file is not None and not os.environ.get(KEYS) else ""
    with record_act(office, "rotate-key") as act:
        if new and file is not None:
            _write(file, [new, *old])
        rows = _kept(act.connection)
        for user, login, kept in rows:
            secret = open_secret(office, user, kept)
            if secret is None:
                raise BadInput("key-other", login=login)
            sealed = seal_secret(office, user, secret)
            act.connection.execute(update(users).where(users.c.id == user).values(factor=sealed))
        act.record(secrets=len(rows))
    if new and file is not None:
        _write(file, [new])
    return len(rows)


def _kept(connection: Connection) -> list[tuple[int, str, str]]:
    query = select(users.c.id, users.c.login, users.c.factor).where(users.c.factor != "")
    return [(user, login, kept) for user, login, kept in connection.execute(query.order_by(users.c.id))]


# ------------------------------------------------------------------------------------------------- the keys


def _key_file(office: Office) -> Path | None:
    """Return the file of the keys; none for a PostgreSQL database unless one is named."""
    if named := os.environ.get(KEY_FILE):
        return Path(named)
    url = office.store.engine.url
    return Path(f"{url.database}.key") if url.get_backend_name() == "sqlite" else None


def _keys(office: Office) -> list[str]:
    """Return the keys, the one that encrypts first; nothing where there is none."""
    if given := os.environ.get(KEYS):
        return given.replace(",", " ").split()
    file = _key_file(office)
    try:
        return file.read_text(encoding="ascii").split() if file is not None and file.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("key-unreadable", place=str(file)) from error


def _fernet(keys: Sequence[str]) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError as error:
        raise BadInput("key-unreadable", place=f"{KEYS}, {KEY_FILE}") from error


def _new_key() -> str:
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()


def _new_key_file(office: Office) -> str:
    """Make the first key; a key that is missing while secrets need it is not replaced."""
    file = _key_file(office)
    if file is None:
        raise BadInput("key-unset")
    with office.store.reading() as connection:
        if any(encrypted(kept) for _, _, kept in _kept(connection)):
            raise BadInput("key-missing", place=str(file))
    new = _new_key()
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "w") as stream:
            stream.write(f"{new}\n")
            stream.flush()
            os.fsync(stream.fileno())
    except FileExistsError:  # somebody else has just made it
        return _keys(office)[0]
    except OSError as error:
        raise BadInput("cannot-write", path=str(file), reason=error.strerror or str(error)) from error
    return new


def _write(file: Path, keys: Sequence[str]) -> None:
    with atomic_write(file, private=True) as stream:
        stream.write("".join(f"{key}\n" for key in keys).encode())
