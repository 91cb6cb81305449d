"""Who is asking, what each route lets in, and whether a form comes from one of our own pages.

Every route says in its options whom it admits; one that says nothing admits nobody. Sessions are known by a cookie that
only browsers send, tokens by a header that only programs send: a token opens no page, a session no API.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.handlers import BaseRouteHandler

from arpad import accounts
from arpad.accounts import Role, User
from arpad.web.cookies import own_cookies
from arpad.web.middleware import CUT_OFF

if TYPE_CHECKING:
    from arpad.office.office import Office

Connection = ASGIConnection[Any, Any, Any, Any]

SESSION_COOKIE = "arpad_session"
FORM_COOKIE = "arpad_form"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

PUBLIC: dict[str, Any] = {"access": "public"}
COSTLY: dict[str, Any] = {"costly": True}
"""Beside whom a route admits: that it takes more of the server than a page does, so that it is counted."""

SIGNED_IN: Mapping[str, Any] = {"access": "signed-in"}
BEFORE_OWN_PASSWORD: Mapping[str, Any] = {"access": "signed-in", "any_password": True}
"""What is open to whoever has not replaced yet the password that somebody else chose."""

OWN_PASSWORD_PAGE = "/account/password"  # noqa: S105  an address
ARBITER: Mapping[str, Any] = {"access": (Role.ARBITER, Role.OFFICER)}
OFFICER: Mapping[str, Any] = {"access": (Role.OFFICER,)}
ADMINISTRATOR: Mapping[str, Any] = {"access": (Role.ADMINISTRATOR,)}


def scope(name: str) -> Mapping[str, Any]:
    """A route of the API that asks for a token with this scope."""
    return {"access": "token", "scope": name}


# ------------------------------------------------------------------------------------------------ who is asking


def office_of(connection: Connection) -> Office | None:
    """The office that is served, if any."""
    return connection.app.state.get("office")


def user_of(connection: Connection) -> User | None:
    """Who is signed in; asked of the store once for each request."""
    if "arpad_user" not in connection.scope:
        token, office = session_token(connection), office_of(connection)
        found = accounts.user_of_session(office, token) if token and office is not None else None
        connection.scope["arpad_user"] = found  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping
    user: User | None = connection.scope["arpad_user"]  # type: ignore[typeddict-item]  # a key of ours in the server's mapping
    return user


def works_here(connection: Connection) -> User | None:
    """Who is signed in as this office wants it, with a second factor where it demands one."""
    from arpad.web.site_settings import settled

    user = user_of(connection)
    return user if user is not None and (user.factor or not settled(connection).demands_factor) else None


def bearer(connection: Connection) -> str:
    """The token of a program, or nothing."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def address_of(connection: Connection) -> str:
    """Where the request comes from, as the server tells (behind a proxy: as the trusted proxy tells).

    Whoever has one address of the newer kind has all of its network: that counts as one place.
    """
    host = connection.client.host if connection.client else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if not isinstance(found, IPv6Address) or found.is_loopback:
        return host
    return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))


# -------------------------------------------------------------------------------------------------- the guard


def admit(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let in whom the route admits, and nobody else."""
    from arpad.web.errors import Refused

    cut_off: tuple[int, str, dict[str, Any]] | None = connection.scope.get(CUT_OFF)  # type: ignore[assignment]  # a key of ours in the server's mapping
    if cut_off is not None:
        status, code, facts = cut_off
        raise Refused(status, code, **facts)
    allowed = handler.opt.get("access")
    if allowed == "token":
        _admit_token(connection, str(handler.opt["scope"]))
        return
    _own_password_first(connection, handler)
    if allowed == "public":
        return
    user = user_of(connection)
    if user is None:
        raise Refused(401, "sign-in-first")
    if allowed != "signed-in" and works_here(connection) is None:
        raise Refused(403, "factor-needed")
    if allowed == "signed-in" or (isinstance(allowed, tuple) and any(user.has(role) for role in allowed)):
        return
    raise Refused(403, "not-yours")


def _own_password_first(connection: Connection, handler: BaseRouteHandler) -> None:
    """Whoever signed in with a password that somebody else chose is led to choose his own; nothing else opens.

    Not even what is public: some of it shows more to those who work here.
    """
    from arpad.web.errors import RedirectFirst
    from arpad.web.language import chosen

    if handler.opt.get("any_password") or connection.url.path.startswith("/api/"):  # no session opens the API
        return
    user = user_of(connection)
    if user is not None and user.password_ends:
        language = chosen(connection)
        raise RedirectFirst(f"{OWN_PASSWORD_PAGE}?lang={language}" if language else OWN_PASSWORD_PAGE)


def _admit_token(connection: Connection, scope: str) -> None:
    from arpad.web.errors import Refused

    office = office_of(connection)
    if office is None:
        raise Refused(404, "no-office-here")
    found = accounts.user_of_token(office, bearer(connection)) if bearer(connection) else None
    if found is None:
        raise Refused(401, "token-needed", scope=scope)
    user, scopes = found
    if scope not in scopes:
        raise Refused(403, "scope-needed", scope=scope)
    if not any(user.has(role) for role in ARBITER["access"]):  # a token opens no more than its user's desk
        raise Refused(403, "token-without-role")
    connection.scope["arpad_user"] = user  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping


# ---------------------------------------------------------------------------------------------- forged forms


def new_key() -> str:
    """A key nobody can guess."""
    return secrets.token_urlsafe(32)


def form_key(connection: Connection) -> str | None:
    """What the proof of a form is made from: the session, the one that begins now, or a visitor's own cookie."""
    kept = own_cookies(connection.scope["headers"])
    begun: str | None = connection.scope.get("arpad_begun")  # type: ignore[assignment]  # a key of ours in the server's mapping
    return begun or session_token(connection) or kept.get(cookie_name(connection, FORM_COOKIE)) or None


def from_elsewhere(connection: Connection) -> bool:
    """Whether a form comes from another site."""
    origin = connection.headers.get("origin")
    if origin is not None and origin.rpartition("://")[2] != connection.headers.get("host"):
        return True
    return connection.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")


def form_proof(key: str) -> str:
    """What a form must carry; it cannot be made without the cookie, which no other site can read."""
    return hmac.new(key.encode(), b"arpad form", sha256).hexdigest()


async def refuse_forgery(request: Request[Any, Any, Any]) -> None:
    """A form must carry its proof, and must not come from another site."""
    from arpad.web.errors import Refused

    if request.method in SAFE_METHODS or request.url.path.startswith("/api/"):
        return
    if from_elsewhere(request):
        raise Refused(403, "forged")
    key = form_key(request)
    given = (await request.form()).get("csrf")
    if (
        key is None
        or not isinstance(given, str)
        or not hmac.compare_digest(given.encode(), form_proof(key).encode())
    ):
        raise Refused(403, "form-expired")


# --------------------------------------------------------------------------------------------------- cookies


def is_secure(connection: Connection) -> bool:
    """Cookies travel over HTTPS only, unless the browser sits on this very machine."""
    return connection.url.scheme == "https" or connection.url.hostname not in LOOPBACK


def cookie_name(connection: Connection, name: str) -> str:
    """Over HTTPS the name itself forbids that another host sets the cookie."""
    return f"__Host-{name}" if is_secure(connection) else name


def session_token(connection: Connection) -> str:
    """The token of the session that the browser has, or nothing."""
    return own_cookies(connection.scope["headers"]).get(cookie_name(connection, SESSION_COOKIE), "")


def form_cookie(connection: Connection, key: str) -> Cookie:
    """The visitor's cookie."""
    return Cookie(
        key=cookie_name(connection, FORM_COOKIE), value=key, httponly=True, secure=is_secure(connection),
        samesite="strict", path="/",
    )  # fmt: skip


def session_cookie(connection: Connection, token: str, seconds: int) -> Cookie:
    """The cookie of a session; empty and outlived to end it."""
    return Cookie(
        key=cookie_name(connection, SESSION_COOKIE),
        value=token,
        max_age=seconds,
        httponly=True,
        secure=is_secure(connection),
        samesite="lax",
        path="/",
    )
