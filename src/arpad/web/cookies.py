"""Our cookies: how they are read and written.

A parser of whole headers can fail on cookies that other programs of the same host set. Here each piece is read alone,
only our names count, and of two cookies with the same name the first counts: browsers send the one for the narrower
path first.
"""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import quote, unquote

from litestar.datastructures import Cookie

from arpad.web.requests import Refused, WebConnection, WebRequest, prefix_of, read_form

SESSION_COOKIE = "arpad_session"
FORM_COOKIE = "arpad_form"
DONE_COOKIE = "arpad_done"
OURS = frozenset(
    {
        "arpad_lang", "arpad_session", "arpad_form", "arpad_done",
        "__Host-arpad_session", "__Host-arpad_form", "__Host-arpad_done",
        "__Secure-arpad_session", "__Secure-arpad_form", "__Secure-arpad_done",
    }
)  # fmt: skip
LONGEST = 1000
"""No cookie of ours has a longer value."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def own_cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return our cookies in the headers of a request."""
    cookies: dict[str, str] = {}
    for header, value in headers:
        if header != b"cookie":
            continue
        for piece in value.decode("latin-1").split(";"):
            name, equals, text = piece.strip().partition("=")
            if equals and name in OURS and len(text) <= LONGEST and text.isascii() and text.isprintable():
                cookies.setdefault(name, text.strip('"'))
    return cookies


def is_secure(connection: WebConnection) -> bool:
    """Whether cookies travel over HTTPS only: always, unless the browser runs on this machine."""
    return connection.url.scheme == "https" or connection.url.hostname not in LOOPBACK


def cookie_name(connection: WebConnection, name: str) -> str:
    """Return the name of a cookie; over HTTPS its prefix forbids other hosts to set it.

    Below a path the cookie is for that path alone, which browsers allow under the weaker prefix only.
    """
    if not is_secure(connection):
        return name
    return f"__Secure-{name}" if prefix_of(connection) else f"__Host-{name}"


def session_token(connection: WebConnection) -> str:
    """Return the session token that the browser sent, or an empty text."""
    return own_cookies(connection.scope["headers"]).get(cookie_name(connection, SESSION_COOKIE), "")


def form_cookie(connection: WebConnection, key: str) -> Cookie:
    """Return the cookie with the form key of a visitor who is not signed in."""
    return Cookie(
        key=cookie_name(connection, FORM_COOKIE), value=key, httponly=True, secure=is_secure(connection),
        samesite="strict", path="/",
    )  # fmt: skip


def session_cookie(connection: WebConnection, token: str, seconds: int) -> Cookie:
    """Return the cookie of a session; an empty token and 0 seconds end it."""
    return Cookie(
        key=cookie_name(connection, SESSION_COOKIE), value=token, max_age=seconds, httponly=True,
        secure=is_secure(connection), samesite="lax", path="/",
    )  # fmt: skip


MOST_SAID = 300


def done_cookie(connection: WebConnection, sentence: str) -> Cookie:
    """Return the cookie with what the next page says that was done; an empty sentence removes it.

    It is signed with the key of the session's forms, so that nobody else can make a page say something.
    """
    text = quote(sentence[:MOST_SAID])
    value = f"{_signature(connection, text)}:{text}" if text else ""
    return Cookie(
        key=cookie_name(connection, DONE_COOKIE), value=value, max_age=60 if value else 0, httponly=True,
        secure=is_secure(connection), samesite="lax", path="/",
    )  # fmt: skip


def done_sentence(connection: WebConnection) -> str:
    """Return the sentence of the cookie, or an empty text if there is none or its signature is wrong."""
    value = own_cookies(connection.scope["headers"]).get(cookie_name(connection, DONE_COOKIE), "")
    signature, _, text = value.partition(":")
    return unquote(text) if text and hmac.compare_digest(signature, _signature(connection, text)) else ""


def _signature(connection: WebConnection, text: str) -> str:
    return hmac.new((form_key(connection) or "").encode(), text.encode(), sha256).hexdigest()[:32]


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
