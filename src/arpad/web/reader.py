"""The reader of a page: who is signed in, what each route lets in, and the language of the answer.

Every route names in its options the permission that it needs; a route without one fails. Sessions are known by
a cookie that only browsers send, tokens by a header that only programs send: a token opens no page, a session no API.
The language is the one that the reader chose, else one that the browser accepts, else the office's own.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from litestar.handlers import BaseRouteHandler

from arpad.explain.words import MINUS, Words, load_words
from arpad.office.office import Office
from arpad.office.users import (
    EVERYBODY,
    Caller,
    Permission,
    Role,
    User,
    admit_role,
    user_of_session,
    user_of_token,
)
from arpad.office.users import admit as admit_caller
from arpad.web.cookies import own_cookies, session_token
from arpad.web.middleware import CUT_OFF
from arpad.web.requests import RedirectFirst, Refused, WebConnection, WebRequest, office_of, require_office
from arpad.web.site_settings import settings_of

PUBLIC: dict[str, Any] = {"access": EVERYBODY}
COSTLY: dict[str, Any] = {"costly": True}
"""Added to the options of a route that costs the server more than a page, so that it is counted."""

WITH_FACTOR: dict[str, Any] = {"access": Permission(signed_in=True)}
"""Everybody who has an account, with a second factor if the office demands one."""

DECLARED = WITH_FACTOR | {"declared": None}
"""A page of any declared act or query: ``perform`` asks for its permission."""

SIGNED_IN = WITH_FACTOR | {"without_factor": True}
BEFORE_OWN_PASSWORD = SIGNED_IN | {"any_password": True}
"""Open also to a user who has not yet replaced the password that an administrator chose."""

OWN_PASSWORD_PAGE = "/account/password"  # noqa: S105  an address
ARBITER: dict[str, Any] = {"access": Permission(Role.ARBITER)}
OFFICER: dict[str, Any] = {"access": Permission(Role.OFFICER)}
OFFICER_OF_ALL: dict[str, Any] = {"access": Permission(Role.OFFICER, unbound=True)}
"""Only officers who are bound to no federation: what the route shows is of all federations."""

ADMINISTRATOR: dict[str, Any] = {"access": Permission(Role.ADMINISTRATOR)}


def permitted(who: Permission) -> dict[str, Any]:
    """Return the options of a route of the API that needs a token with this permission, if it needs one."""
    return {"access": who, "by_token": True}


# ------------------------------------------------------------------------------------------- who is signed in


def user_of(connection: WebConnection) -> User | None:
    """Return the user who is signed in; the store is asked once per request."""
    if "arpad_user" not in connection.scope:
        token, office = session_token(connection), office_of(connection)
        signed_in = user_of_session(office, token) if token and office is not None else None
        connection.scope["arpad_user"] = signed_in  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping
    user: User | None = connection.scope["arpad_user"]  # type: ignore[typeddict-item]  # a key of ours in the server's mapping
    return user


def signed_in_user(connection: WebConnection) -> User:
    """Return the user of a page that only signed-in users see; the guard has admitted them."""
    user = user_of(connection)
    if user is None:
        raise Refused(401, "sign-in-first")
    return user


def office_as_user(request: WebRequest) -> Office:
    """Return the office with the signed-in user as the author of acts."""
    return replace(require_office(request), author=signed_in_user(request).login)


def permitted_office(request: WebRequest, who: Permission, **given: Any) -> Office:
    """Return the office with the user as the author of acts; refuse a user without the permission for some values."""
    office, caller = require_office(request), caller_of(request)
    admit_role(who, caller)
    with office.store.reading() as connection:
        admit_caller(who, caller, connection, given)
    return office_as_user(request)


def staff_user(connection: WebConnection) -> User | None:
    """Return the user who is signed in, with a second factor if the office demands one."""
    user = user_of(connection)
    return user if user is not None and (user.factor or not settings_of(connection).demands_factor) else None


def bearer_token(connection: WebConnection) -> str:
    """Return the token of a program, or an empty text."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


# -------------------------------------------------------------------------------------------------- the guard


def admit(connection: WebConnection, handler: BaseRouteHandler) -> None:
    """Refuse users that the route does not admit."""
    cut_off: tuple[int, str, dict[str, Any]] | None = connection.scope.get(CUT_OFF)  # type: ignore[assignment]  # a key of ours in the server's mapping
    if cut_off is not None:
        status, code, facts = cut_off
        raise Refused(status, code, **facts)
    if connection.scope.get("method") == "OPTIONS":  # what an address accepts is no secret
        return
    refuse_switched_off(connection, str(handler.opt.get("feature", "")))
    who: Permission = handler.opt["access"]
    if handler.opt.get("by_token"):
        _identify_token(connection, who)
        admit_role(who, caller_of(connection))
        return
    _require_own_password(connection, handler)
    if who == EVERYBODY:
        return
    if not handler.opt.get("without_factor") and staff_user(connection) is None and user_of(connection):
        raise Refused(403, "factor-needed")
    admit_role(who, Caller(user_of(connection)))


def refuse_switched_off(connection: WebConnection, feature: str) -> None:
    """Refuse a page or a route of a feature that the office has switched off, as if it were not there."""
    if feature in settings_of(connection).features_off:
        raise Refused(404, "feature-off", feature=feature)


def _require_own_password(connection: WebConnection, handler: BaseRouteHandler) -> None:
    """Redirect a user whose password an administrator chose to the page where they choose their own.

    This includes public pages, since some of them show more to the staff of the office.
    """
    if handler.opt.get("any_password") or connection.url.path.startswith("/api/"):  # no session opens the API
        return
    user = user_of(connection)
    if user is not None and user.password_ends:
        language = chosen_language(connection)
        raise RedirectFirst(f"{OWN_PASSWORD_PAGE}?lang={language}" if language else OWN_PASSWORD_PAGE)


def caller_of(connection: WebConnection) -> Caller:
    """Return who asks: the user of a session, or a token with its scopes, or a visitor."""
    scopes: frozenset[str] | None = connection.scope.get("arpad_scopes")  # type: ignore[assignment]  # a key of ours in the server's mapping
    is_api = connection.url.path.startswith("/api/")
    return Caller(
        user_of(connection), (scopes or frozenset()) if is_api else None, language=language_of(connection)
    )


def _identify_token(connection: WebConnection, who: Permission) -> None:
    """Find the user of a token; a visitor has none, and a token that is not valid is refused unless all may ask."""
    connection.scope["arpad_user"] = None  # type: ignore[typeddict-unknown-key]  # no session opens the API
    token, office = bearer_token(connection), office_of(connection)
    if not token and who == EVERYBODY:
        return
    if office is None:
        raise Refused(404, "no-office-here")
    user_and_scopes = user_of_token(office, token) if token else None
    if user_and_scopes is None:
        raise Refused(401, "token-needed", scope=who.scope)
    connection.scope["arpad_user"], connection.scope["arpad_scopes"] = user_and_scopes  # type: ignore[typeddict-unknown-key]  # keys of ours in the server's mapping


LANGUAGE_COOKIE = "arpad_lang"


def chosen_language(connection: WebConnection) -> str | None:
    """Return the language in the address, if the office offers it."""
    language = connection.query_params.get("lang")
    return language if language in settings_of(connection).languages else None


def language_of(connection: WebConnection) -> str:
    """Return the language in the address, else in the cookie, else the first accepted one, else the office's."""
    scope: dict[str, Any] = connection.scope  # type: ignore[assignment]  # a key of ours in the server's mapping
    if _FOUND not in scope:
        scope[_FOUND] = _language_of(connection)
    language: str = scope[_FOUND]
    return language


_FOUND = "arpad_language"
"""Key of the scope with the language of the request, which a page asks for several times."""


def _language_of(connection: WebConnection) -> str:
    settings = settings_of(connection)
    saved = own_cookies(connection.scope["headers"]).get(LANGUAGE_COOKIE)
    return (
        chosen_language(connection)
        or (saved if saved in settings.languages else None)
        or accepted_language(connection.headers.get("accept-language", ""), settings.languages)
        or settings.language
    )


def words_for(connection: WebConnection) -> Words:
    """Return the words of the reader's language."""
    return load_words(language_of(connection))


def page_words(connection: WebConnection) -> Words:
    """Return the words of the reader's language for a page, which writes a minus as typographers do."""
    return load_words(language_of(connection), MINUS)


def accepted_language(header: str, offered: Sequence[str]) -> str | None:
    """Return the offered language that an ``Accept-Language`` header prefers."""
    return _accepted_language(header[:1000], tuple(offered))


@lru_cache(maxsize=512)
def _accepted_language(header: str, offered: tuple[str, ...]) -> str | None:
    candidates: list[tuple[Fraction, int, str]] = []
    for index, item in enumerate(header.split(",")):
        name, _, quality = item.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        weight = _quality(quality)
        if language in offered and weight > 0:
            candidates.append((-weight, index, language))
    return min(candidates)[2] if candidates else None


def _quality(text: str) -> Fraction:
    _, _, value = text.strip().partition("q=")
    if not value:
        return Fraction(1)
    whole, _, decimals = value.partition(".")
    plain = whole.isascii() and whole.isdigit() and len(value) <= 5 and (decimals.isdigit() or not decimals)  # noqa: PLR2004  0.875
    return Fraction(value) if plain else Fraction(0)
