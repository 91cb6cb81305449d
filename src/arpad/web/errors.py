"""What goes wrong, in one sentence: a page for people, JSON for programs."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.response import Redirect

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, NoEdition, NoList
from arpad.web.forms import as_sentence
from arpad.web.language import say_of
from arpad.web.saved_forms import saved_form
from arpad.web.templates import page

log = logging.getLogger("arpad.web")
security = logging.getLogger("arpad.security")

DATABASE_AWAY = frozenset(
    {
        "database-failed", "database-newer", "database-not-opened", "database-older", "database-read-only",
        "disk-full", "no-office", "not-a-database", "office-busy",
    }
)  # fmt: skip
"""The store's complaints about itself: nobody outside need know where it is, only that it is worth trying again."""

UNAVAILABLE = 503
COSTS = {"too-many-games": 413, "answer-too-large": 413, "work-too-costly": 422, "server-busy": UNAVAILABLE}
"""What costs more than one request may have, with the status of the answer."""

NOT_THERE = ("no-report", "no-player")
KNOWN = (400, 401, 403, 404, 405, 408, 413, 429)


SUSPECT = (401, 403, 429)
"""Refusals that are noted: nobody signed in, not his, forged, too often."""


def who(request: Request[Any, Any, Any]) -> dict[str, str]:
    """Who asked, for the log: never a secret."""
    user = request.scope.get("arpad_user")
    place = request.client.host if request.client else ""
    return {"place": place, "login": getattr(user, "login", "")}


class Refused(HTTPException):
    """A refusal whose sentence is in our own words: its code is a key of the section ``site-error``."""

    def __init__(self, status: int, code: str, **facts: Any) -> None:
        super().__init__(status_code=status, detail=code)
        self.code = code
        self.facts = facts


class RedirectFirst(HTTPException):
    """Something else comes first: whoever asked is led there."""

    def __init__(self, place: str) -> None:
        super().__init__(status_code=303, detail=place)
        self.place = place


def on_arpad_error(request: Request[Any, Any, Any], error: ArpadError) -> Response[Any]:
    """Something a calculator or the office could not accept."""
    if error.code in DATABASE_AWAY:
        log.error("%s %s: %s", request.method, request.url.path, error)
        request.scope["arpad_user"] = None  # type: ignore[typeddict-unknown-key]  # nobody can be asked who that is
        sentence = say_of(request).text("site-error.database-away")
        return answer(request, UNAVAILABLE, "database-away", sentence, {"Retry-After": "60"})
    if error.code in COSTS:
        security.warning("refused", extra={"path": request.url.path[:200], "why": error.code, **who(request)})
        later = {"Retry-After": "60"} if error.code == "server-busy" else None
        return answer(request, COSTS[error.code], error.code, say_of(request).error(error), later)
    missing = isinstance(error, NoEdition | NoList) and error.code != "no-edition-yet"
    status = 404 if missing or error.code in NOT_THERE else 400
    return answer(request, status, error.code, say_of(request).error(error))


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """A refusal of ours, or one of the framework's."""
    if isinstance(error, RedirectFirst):
        return Redirect(error.place, status_code=303, headers={"Cache-Control": "no-store"})
    words = say_of(request)
    status = error.status_code
    headers = dict(error.headers or {})
    if isinstance(error, MethodNotAllowedException) and "allow" not in {name.lower() for name in headers}:
        headers["Allow"] = allowed_methods(request)
    if isinstance(error, Refused):
        if status in SUSPECT:
            security.warning(
                "refused", extra={"path": request.url.path[:200], "why": error.code, **who(request)}
            )
        return answer(
            request, status, error.code, words.text(f"site-error.{error.code}", **error.facts), headers
        )
    if status >= 500:  # noqa: PLR2004  the framework's own failures
        return on_failure(request, error)
    code = f"http-{status if status in KNOWN else 400}"
    return answer(request, status, code, _sentence(error, code, words), headers)


def allowed_methods(request: Request[Any, Any, Any]) -> str:
    """The methods that an address takes."""
    for route in request.app.routes:
        if getattr(route, "path", None) == request.scope.get("path_template"):
            return ", ".join(sorted(getattr(route, "methods", ())))
    return "GET, HEAD"


def _sentence(error: HTTPException, code: str, words: Words) -> str:
    """Which parameter is wrong, where the framework knows."""
    extra = error.extra if isinstance(error.extra, list) else []
    named = [str(item.get("key")) for item in extra if isinstance(item, dict) and item.get("key")]
    if named and error.status_code == 400:  # noqa: PLR2004  a bad request
        return words.text("site-error.bad-parameter", names=", ".join(sorted(set(named))))
    return words.text(f"site-error.{code}")


def on_failure(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Our own fault: the log gets the trace, the reader a sentence."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(request, 500, "failure", say_of(request).text("site-error.failure"))


def answer(
    request: Request[Any, Any, Any],
    status: int,
    code: str,
    sentence: str,
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    """The refusal itself."""
    given = {"Cache-Control": "no-store", **(headers or {})}
    if request.url.path.startswith("/api/"):
        return Response(
            {"error": {"code": code, "message": sentence}},
            status_code=status,
            headers=given,
            media_type="application/json",
        )
    if code == "sign-in-first" and (typed := saved_form(request)):
        told = say_of(request).text("site.held-sign-in")
        return page(
            request, "sign_in.html", status=status, headers=given, sentence=told, login="", wanted="/desk",
            held=typed, resume=request.url.path,
        )  # fmt: skip
    try:
        return page(
            request,
            "error.html",
            status=status,
            headers=given,
            sentence=as_sentence(sentence),
            code=status,
            key=code,
        )
    except ArpadError as away:  # every page asks who is signed in: the store cannot say, and that comes first
        if status == UNAVAILABLE or away.code not in DATABASE_AWAY:
            raise
        return on_arpad_error(request, away)
