"""The key with which an office signs its checkpoints; it is outside the database.

It is in the variable ARPAD_SIGNING_KEY, in the file that ARPAD_SIGNING_KEY_FILE names, or in a file beside a SQLite
database. The ledger has every public key with the day from which it counts; the key before signs the change.
"""

import os
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.proofs.signed_notes import (
    PublicKey,
    SigningKey,
    new_signing_key,
    parse_public_key,
    parse_signing_key,
    sign_note,
    succession,
)
from arpad.store.ledger import acts_of
from arpad.system.atomic_files import atomic_write
from arpad.system.server_settings import secret

VARIABLE = "ARPAD_SIGNING_KEY"
VERB = "signing-key"
_LONGEST_NAME = 60


def signing_key(office: Office) -> SigningKey | None:
    """Return the key of an office, or None if it has none.

    A killed change leaves the next key beside the old one: the ledger says which of them counts.
    """
    if text := secret(VARIABLE):
        return parse_signing_key(text.strip(), VARIABLE)
    file = key_file(office)
    if file is None:
        return None
    if following := _read(_next(file)):
        with office.store.reading() as connection:
            if public_keys(connection)[-1:] == [following.public]:
                return following
    return _read(file)


def refuse_lost_key(office: Office, connection: Connection) -> None:
    """Refuse if the ledger knows a key, which is missing now."""
    if public_keys(connection):
        raise BadInput("signing-key-lost", place=str(key_file(office) or VARIABLE))


def make_first_key(office: Office, name: str, key: SigningKey | None = None) -> PublicKey | None:
    """Make the key of a new office; None if it has no file for one, as a PostgreSQL database without a named file."""
    file = key_file(office)
    if file is None or os.environ.get(VARIABLE) or file.exists():
        return None
    if key is None:
        return make_signing_key(office, name)
    _replace(office, file, key, {}, "", reason_needed=False)
    return key.public


def key_name(*texts: str) -> str:
    """Return the name of a key from the first text that has letters, as ``federazione-di-bellariva``."""
    for text in texts:
        ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        if name := "-".join(re.findall(r"[a-z0-9.]+", ascii_text))[:_LONGEST_NAME]:
            return name
    return "office"


def require_signing_key(office: Office) -> SigningKey:
    """Return the key of an office; refuse if there is none."""
    key = signing_key(office)
    if key is None:
        raise BadInput("signing-key-missing")
    return key


def make_signing_key(
    office: Office, name: str, *, place: Path | None = None, lost: bool = False, reason: str = ""
) -> PublicKey:
    """Make the first key of an office, or one that follows a lost key; write it to its file, and note it."""
    file = place or key_file(office)
    if file is None or os.environ.get(VARIABLE):
        raise BadInput("signing-key-place", variable=f"{VARIABLE}_FILE")
    if file.exists():
        raise BadInput("signing-key-there", place=str(file))
    key = new_signing_key(name)
    with office.store.reading() as connection:
        known = public_keys(connection)
    if known and not lost:
        raise BadInput("signing-key-lost", place=str(file))
    about = {"lost": known[-1].text()} if known else {}
    _replace(office, file, key, about, reason, reason_needed=lost)
    return key.public


def rotate_signing_key(office: Office, reason: str) -> PublicKey:
    """Replace the key by a new one; the old key signs the change (docs/reference/office.md)."""
    old, file = require_signing_key(office), key_file(office)
    if file is None or os.environ.get(VARIABLE):
        raise BadInput("signing-key-place", variable=f"{VARIABLE}_FILE")
    new = new_signing_key(old.name)
    signed = sign_note(succession(old.public, new.public), old.name, old.private).written()
    about = {"before": old.public.text(), "statement": signed}
    _replace(office, file, new, about, reason, reason_needed=True)
    return new.public


def _replace(
    office: Office, file: Path, key: SigningKey, about: Mapping[str, str], reason: str, *, reason_needed: bool
) -> None:
    """Write a key beside its file, note it in the ledger, then move it there; a refused act leaves nothing."""
    beside = _next(file)
    with atomic_write(beside, private=True) as stream:
        stream.write(key.text().encode())
    try:
        with record_act(office, VERB, reason, reason_needed=reason_needed) as act:
            act.record(public=key.public.text(), **about)
    except BaseException:
        beside.unlink()
        raise
    beside.replace(file)


def key_statements(connection: Connection) -> list[str]:
    """Return the notes with which each key announced the one that followed it, the newest last."""
    return [str(act.facts["statement"]) for act in acts_of(connection, VERB) if "statement" in act.facts]


def public_keys(connection: Connection) -> list[PublicKey]:
    """Return every public key that the office has had, the newest last."""
    return [parse_public_key(str(act.facts["public"])) for act in acts_of(connection, VERB)]


def key_file(office: Office) -> Path | None:
    """Return the file of the key; none for a PostgreSQL database unless one is named."""
    if named := os.environ.get(f"{VARIABLE}_FILE"):
        return Path(named)
    url = office.store.engine.url
    return Path(f"{url.database}.signing-key") if url.get_backend_name() == "sqlite" else None


def _next(file: Path) -> Path:
    return file.with_name(f"{file.name}.next")


def _read(file: Path) -> SigningKey | None:
    try:
        text = file.read_text(encoding="ascii").strip() if file.exists() else ""
    except (OSError, UnicodeError) as error:
        raise BadInput("signing-key-unreadable", place=str(file)) from error
    return parse_signing_key(text, str(file)) if text else None
