"""Values of a request: its office, the address of the client, the number of the page."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import FormMultiDict
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from arpad.store.bulk import head, page_of


class Refused(HTTPException):
    """A refusal with a sentence of ours: its code is a key of the section ``site-error``."""

    def __init__(self, status: int, code: str, **facts: Any) -> None:
        super().__init__(status_code=status, detail=code)
        self.code = code
        self.facts = facts


class RedirectFirst(HTTPException):
    """Redirect to a page that must be completed first."""

    def __init__(self, url: str) -> None:
        super().__init__(status_code=303, detail=url)
        self.url = url


if TYPE_CHECKING:
    from arpad.office.office import Office

T = TypeVar("T")
PREFIX_KEY = "arpad_prefix"
"""Key of the scope with the path below which the site is; absent for a site with a host of its own."""

WebConnection = ASGIConnection[Any, Any, Any, Any]
WebRequest = Request[Any, Any, Any]


def prefix_of(connection: WebConnection) -> str:
    """Return the path below which the site is, as ``/ratings``; mostly empty."""
    prefix: str = connection.scope.get(PREFIX_KEY, "")  # type: ignore[assignment]  # a key of ours in the server's mapping
    return prefix


async def read_form(request: WebRequest) -> FormMultiDict:
    """Return the fields of a form; refuse one whose letters cannot be read."""
    try:
        return await request.form()
    except (UnicodeError, LookupError):  # not UTF-8, or a field in a character set that nobody knows
        raise Refused(400, "form-unreadable") from None


def office_of(connection: WebConnection) -> Office | None:
    """Return the office that is served, or None if the site runs without one."""
    return connection.app.state.get("office")


def require_office(request: WebRequest) -> Office:
    """Return the office that is served; refuse the request if there is none."""
    office = office_of(request)
    if office is None:
        raise Refused(404, "no-office-here")
    return office


def routes_in(module: ModuleType) -> list[HTTPRouteHandler]:
    """Return the routes of a module: those that it lists because it makes some, else the handlers in it."""
    own = (it for it in vars(module).values() if isinstance(it, HTTPRouteHandler))
    return [*getattr(module, "ROUTES", (it for it in own if it.fn.__module__ == module.__name__))]


def allowed_methods(scope: Scope) -> str:
    """Return the methods that an address accepts."""
    for route in scope["app"].routes:
        if getattr(route, "path_format", None) == scope.get("path_template"):
            return ", ".join(sorted(getattr(route, "methods", ())))
    return "GET, HEAD"


def last_seal(office: Office) -> str:
    """Return the seal of the last act: what is read after it is the same or newer, until the next act."""
    with office.store.reading() as connection:
        return head(connection)


def client_address(connection: WebConnection) -> str:
    """Return the address of the client, as the server (or the trusted proxy before it) reports it.

    An IPv6 client has a whole /64 network, so that all addresses of the network count as one.
    """
    host = connection.client.host if connection.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return host
    return str(address.ipv4_mapped or ip_network((int(address), 64), strict=False))


def page_number(text: str) -> int:
    """Return the number of a page from its text; anything else is page 1."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1  # noqa: PLR2004  no list has more pages


def paginate(items: Sequence[T], number: int, size: int) -> tuple[Sequence[T], int, int]:
    """Return one page of the items, its number, and the number of pages."""
    shown, pages = page_of(number, len(items), size)
    return items[(shown - 1) * size : shown * size], shown, pages


def saved_as(name: str) -> str:
    """Return the header ``Content-Disposition`` of a response that a browser saves under a name, in any letters."""
    return f"attachment; filename*=UTF-8''{quote(name, safe='')}"
