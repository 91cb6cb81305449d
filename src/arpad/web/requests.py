"""What every page of an office asks first: is there an office, may this player be shown, which page is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from litestar import Request
from sqlalchemy import Connection

from arpad import accounts
from arpad.model.people import Person
from arpad.office.office import Office
from arpad.store import register
from arpad.web.auth import office_of
from arpad.web.errors import Refused

T = TypeVar("T")


def require_office(request: Request[Any, Any, Any]) -> Office:
    """The office, or a sentence that none is open here."""
    office = office_of(request)
    if office is None:
        raise Refused(404, "no-office-here")
    return office


def public_player(connection: Connection, number: int) -> Person:
    """A player who may be shown; somebody merged into another is found under that one."""
    found = register.load_people(connection, [number]).get(number)
    if found is None or number in accounts.hidden(connection):
        raise Refused(404, "no-player")
    return found


def page_number(text: str) -> int:
    """A page's number; whatever is none counts as the first."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1  # noqa: PLR2004  no list has more pages


def paginate(items: Sequence[T], number: int, size: int) -> tuple[Sequence[T], int, int]:
    """One page of some items, its number, and how many pages there are."""
    pages = max(1, -(-len(items) // size))
    shown = min(max(1, number), pages)
    return items[(shown - 1) * size : shown * size], shown, pages
