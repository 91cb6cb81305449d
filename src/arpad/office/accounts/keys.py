"""The key that encrypts the secrets of second factors and webhooks; it is outside the database.

It is in the variable ARPAD_KEY, or in the file that ARPAD_KEY_FILE names, or in a file beside a SQLite database.
There may be several keys: the first one encrypts, all of them decrypt, so that a key can be replaced.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.office.parts import has_secrets, rotated_secrets
from arpad.store import accounts as rows
from arpad.system.atomic_files import PRIVATE, atomic_write

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

KEYS, KEY_FILE = "ARPAD_KEY", "ARPAD_KEY_FILE"
_ENCRYPTED = "fernet:"


def seal_secret(office: Office, owner: int | str, secret: str) -> str:
    """Return the secret of a user or a webhook encrypted, as it is stored; the first one makes the key."""
    unset = "key-unset-webhook" if isinstance(owner, str) else "key-unset-factor"
    fernet = _fernet(_keys(office) or [_new_key_file(office, unset)])
    return _ENCRYPTED + fernet.encrypt(f"{owner}:{secret}".encode()).decode()


def open_secret(office: Office, owner: int | str, sealed: str) -> str | None:
    """Return the secret of a user or a webhook; None if its key is missing, or the secret is another owner's."""
    from cryptography.fernet import InvalidToken

    try:
        keys = _keys(office)
        opened = _fernet(keys).decrypt(sealed.removeprefix(_ENCRYPTED)).decode() if keys else ""
    except (InvalidToken, BadInput):
        return None
    sealed_for, _, secret = opened.partition(":")
    return secret if sealed_for == str(owner) else None


def rotate_key(office: Office) -> int:
    """Encrypt all secrets with a new key; return how many there were.

    A key file gets the new key before the secrets change and loses the old ones afterwards, so that a killed run is
    completed by the next. Keys of ARPAD_KEY are changed by the administrator: the first one is the new one.
    """
    old, file = _keys(office), _key_file(office)
    if old:
        _fernet(old)  # an unreadable key is reported before anything is written
    if not old and file is None:
        raise BadInput("key-unset")
    new = _new_key() if old and file is not None and not os.environ.get(KEYS) else ""
    with record_act(office, "rotate-key") as act:
        if new and file is not None:
            _write(file, [new, *old])
        users = rows.users_with_factor(act.connection)
        for user in users:
            secret = open_secret(office, user.id, user.factor)
            if secret is None:
                raise BadInput("key-other", login=user.login)
            rows.change_user(act.connection, user.id, factor=seal_secret(office, user.id, secret))
        others = rotated_secrets(act.connection, lambda owner, sealed: _sealed_again(office, owner, sealed))
        count = len(users) + sum(map(len, others.values()))
        act.record(secrets=count, logins=[user.login for user in users], **others)
    if new and file is not None:
        _write(file, [new])
    return count


def _sealed_again(office: Office, owner: str | int, sealed: str) -> str:
    """Return a secret with the new key; refuse one that no key opens."""
    secret = open_secret(office, owner, sealed)
    if secret is None:
        raise BadInput("key-other", login=str(owner))
    return seal_secret(office, owner, secret)


def _key_file(office: Office) -> Path | None:
    """Return the file of the keys; none for a PostgreSQL database unless one is named."""
    if named := os.environ.get(KEY_FILE):
        return Path(named)
    url = office.store.engine.url
    return Path(f"{url.database}.key") if url.get_backend_name() == "sqlite" else None


def _keys(office: Office) -> list[str]:
    """Return the keys, the one that encrypts first; empty if there is none."""
    if listed := os.environ.get(KEYS):
        return listed.replace(",", " ").split()
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


def _new_key_file(office: Office, unset: str) -> str:
    """Make the first key; a key that is missing while secrets need it is not replaced. Refuse if no file is named."""
    file = _key_file(office)
    if file is None:
        raise BadInput(unset)
    with office.store.reading() as connection:
        if rows.users_with_factor(connection) or has_secrets(connection):
            raise BadInput("key-missing", place=str(file))
    new = _new_key()
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "w") as stream:
            stream.write(f"{new}\n")
            stream.flush()
            os.fsync(stream.fileno())
    except FileExistsError:  # another process has just created it
        return _keys(office)[0]
    except OSError as error:
        raise BadInput("cannot-write", path=str(file), reason=error.strerror or str(error)) from error
    return new


def _write(file: Path, keys: Sequence[str]) -> None:
    with atomic_write(file, private=True) as stream:
        stream.write("".join(f"{key}\n" for key in keys).encode())
