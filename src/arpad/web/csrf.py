"""Protection against forged forms: each form carries a proof that it comes from one of our pages.

The proof is made from the session, or from a cookie that a visitor gets with the first form. Litestar's ``CSRFConfig``
would set a cookie for every reader; here readers who fill in no form get none.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from arpad.web.cookies import FORM_COOKIE, cookie_name, own_cookies, session_token
from arpad.web.requests import Refused, WebConnection, WebRequest, read_form

ONE_CLICK = "one_click"
"""Key of a route that a mail program opens by itself (RFC 8058): its address is the proof."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def new_form_key() -> str:
    """Return a random key for the forms of a visitor."""
    return secrets.token_urlsafe(32)


def form_key(connection: WebConnection) -> str | None:
    """Return the key of the proof: the session that begins now, the session, or the visitor's form cookie."""
    cookies = own_cookies(connection.scope["headers"])
    new_session: str | None = connection.scope.get("arpad_new_session")  # type: ignore[assignment]  # a key of ours in the server's mapping
    return (
        new_session or session_token(connection) or cookies.get(cookie_name(connection, FORM_COOKIE)) or None
    )


def form_proof(key: str) -> str:
    """Return the proof that a form must carry; other sites cannot read the cookie that it is made from."""
    return hmac.new(key.encode(), b"arpad form", sha256).hexdigest()


def is_cross_site(connection: WebConnection) -> bool:
    """Whether a form comes from another site."""
    origin, site = connection.headers.get("origin"), connection.headers.get("sec-fetch-site")
    if (
        origin == "null" and site == "same-origin"
    ):  # a browser set to tell no site where its reader comes from
        return False
    if origin is not None and origin.rpartition("://")[2] != connection.headers.get("host"):
        return True
    return site not in (None, "same-origin", "none")


async def refuse_forgery(request: WebRequest) -> None:
    """Refuse a form that comes from another site or does not carry its proof."""
    if request.method in SAFE_METHODS or request.url.path.startswith("/api/"):
        return
    if request.route_handler.opt.get(ONE_CLICK):  # sent by a mail program, which has the secret of the link
        return
    if is_cross_site(request):
        raise Refused(403, "forged")
    key = form_key(request)
    proof = (await read_form(request)).get("csrf")
    if (
        key is None
        or not isinstance(proof, str)
        or not hmac.compare_digest(proof.encode(), form_proof(key).encode())
    ):
        raise Refused(403, "form-expired")
