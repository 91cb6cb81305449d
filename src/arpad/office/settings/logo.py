"""The logo of the federation: an image that every page of the site shows.

An SVG is refused: it may contain a script. The image is stored as a setting, in base 64, so that it is in every backup.
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.office import ActContext
from arpad.store.settings import add_setting_changes, read_setting

LARGEST = 200 * 1024
"""Bytes; the pages show it some 40 pixels high."""

_SETTING = "logo"


@dataclass(frozen=True, slots=True)
class Logo:
    """An image with its type."""

    type: str
    data: bytes
    digest: str


def image_type(data: bytes) -> str:
    """Return the type of an image by its first bytes: PNG, JPEG or WebP; empty for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def store_logo(act: ActContext, data: bytes) -> None:
    """Store the logo; refuse one that is too large or no PNG, JPEG or WebP."""
    if len(data) > LARGEST:
        raise BadInput("logo-size", option="file", most=LARGEST // 1024)
    kind = image_type(data)
    if not kind:
        raise BadInput("logo-type", option="file")
    value = f"{kind},{b64encode(data).decode()}"
    act.unchanged = value == read_setting(act.connection, _SETTING)
    if not act.unchanged:
        add_setting_changes(act.connection, {_SETTING: value}, act.seq)
        act.record(type=kind, digest=sha256(data).hexdigest())


def take_logo(act: ActContext) -> None:
    """Remove the logo."""
    act.unchanged = not read_setting(act.connection, _SETTING)
    if not act.unchanged:
        add_setting_changes(act.connection, {_SETTING: ""}, act.seq)
        act.record(logo="removed")


def read_logo(connection: Connection) -> Logo | None:
    """Return the logo of an office; None if it has none."""
    kind, _, text = read_setting(connection, _SETTING).partition(",")
    if not text:
        return None
    data = b64decode(text)
    return Logo(kind, data, sha256(data).hexdigest()[:12])
