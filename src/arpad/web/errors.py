"""Error responses: one sentence, as a page for people and as a problem document for programs."""

import logging
from typing import Any
from urllib.parse import quote

from litestar import Response
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.response import Redirect

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, Missing, NoEdition, NoList, NotAllowed
from arpad.web.cache import NotModified, not_modified
from arpad.web.forms import as_sentence, saved_form
from arpad.web.reader import words_for
from arpad.web.requests import RedirectFirst, Refused, WebRequest, allowed_methods, prefix_of
from arpad.web.templates import page

MEDIA_TYPE = "application/problem+json"
PAGE = "/developers"
"""The page that explains every type."""

TYPES = {
    400: "bad-request",
    401: "token-needed",
    403: "not-allowed",
    404: "not-found",
    405: "wrong-method",
    408: "too-slow",
    409: "conflict",
    410: "gone",
    413: "too-large",
    422: "too-costly",
    429: "too-many-requests",
    500: "failure",
    503: "unavailable",
}
"""The type of each status; the member ``code`` of the document says more exactly what is wrong."""

_FAILURES = 500


def problem_type(status: int) -> str:
    """Return the name of the type of a status; one that Arpad does not use itself is a bad request or a failure."""
    return TYPES.get(status, TYPES[400] if status < _FAILURES else TYPES[500])


def type_address(status: int) -> str:
    """Return the address that identifies the type of a status and explains it."""
    return f"{PAGE}#problem-{problem_type(status)}"


def problem_response(
    request: WebRequest, status: int, code: str, sentence: str, headers: dict[str, str]
) -> Response[Any]:
    """Return a refusal as a problem document in the reader's language."""
    document = {
        "type": f"{prefix_of(request)}{type_address(status)}",
        "title": words_for(request).text(f"problem.{problem_type(status)}"),
        "status": status,
        "detail": sentence,
        "instance": quote(prefix_of(request) + request.url.path),
        "code": code,
    }
    return Response(document, status_code=status, headers=headers, media_type=MEDIA_TYPE)


log = logging.getLogger("arpad.web")
security = logging.getLogger("arpad.security")

DATABASE_ERRORS = frozenset(
    {
        "database-failed", "database-newer", "database-not-opened", "database-older", "database-read-only",
        "disk-full", "no-office", "not-a-database", "office-busy",
    }
)  # fmt: skip
"""Failures of the database. The response hides which one it was and asks to try again later."""

UNAVAILABLE = 503
COST_STATUS = {
    "too-many-games": 413,
    "answer-too-large": 413,
    "work-too-costly": 422,
    "server-busy": UNAVAILABLE,
}
"""Codes of requests that cost too much, with the status of the response."""

NOT_FOUND, GONE = 404, 410
TAKEN_AWAY = ("list-taken-back",)
"""What is missing because the office took it away."""

MISSING = ("no-report", "no-player", "no-club", "running-unknown", "running-not-shown")
REFUSED = {"running-not-yours": 403, "running-final": 409, "running-older": 409, "running-sent-before": 409}
"""Errors that are no fault of the input, with the status of the response."""

KNOWN = (400, 401, 403, 404, 405, 408, 413, 429)


WITH_SECRET = ("/password/", "/follow/")
LONGEST_PATH = 200
LOGGED = (401, 403, 429)
"""Statuses of refusals that go into the security log: not signed in, not allowed or forged, too often."""


def shown_path(path: str) -> str:
    """Return a path for the log; what follows the first name of a link from a mail is its secret."""
    start = next((secret for secret in WITH_SECRET if path.startswith(secret)), "")
    return f"{start}…" if start else path[:LONGEST_PATH]


def client_facts(request: WebRequest) -> dict[str, str]:
    """Return the client's address and login for the log; never a secret."""
    user = request.scope.get("arpad_user")
    address = request.client.host if request.client else ""
    return {"place": address, "login": getattr(user, "login", "")}


def on_not_modified(_request: WebRequest, error: NotModified) -> Response[Any]:
    """Respond to a reader who has the page already."""
    return not_modified(error.headers)


def on_arpad_error(request: WebRequest, error: ArpadError) -> Response[Any]:
    """Respond to an error of a calculator or of the office."""
    if error.code in DATABASE_ERRORS:
        log.error("%s %s: %r", request.method, shown_path(request.url.path), error)
        request.scope["arpad_user"] = None  # type: ignore[typeddict-unknown-key]  # the database cannot say who is signed in
        sentence = words_for(request).text("site-error.database-away")
        return error_response(request, UNAVAILABLE, "database-away", sentence, {"Retry-After": "60"})
    if error.code in COST_STATUS:
        security.warning(
            "refused",
            extra={"path": shown_path(request.url.path), "why": error.code, **client_facts(request)},
        )
        later = {"Retry-After": "60"} if error.code == "server-busy" else None
        return error_response(
            request, COST_STATUS[error.code], error.code, words_for(request).error(error), later
        )
    if isinstance(error, Missing):
        status = GONE if error.code in TAKEN_AWAY else NOT_FOUND
        return error_response(request, status, error.code, words_for(request).error(error))
    if isinstance(error, NotAllowed):
        status = 401 if error.code in ("sign-in-first", "token-needed") else 403
        return on_http_error(request, Refused(status, error.code, **error.facts))
    missing = isinstance(error, NoEdition | NoList) and error.code != "no-edition-yet"
    status = 404 if missing or error.code in MISSING else REFUSED.get(error.code, 400)
    return error_response(request, status, error.code, words_for(request).error(error))


def on_http_error(request: WebRequest, error: HTTPException) -> Response[Any]:
    """Respond to a refusal of ours or of the framework."""
    if isinstance(error, RedirectFirst):
        return Redirect(error.url, status_code=303, headers={"Cache-Control": "no-store"})
    words = words_for(request)
    status = error.status_code
    headers = dict(error.headers or {})
    if isinstance(error, MethodNotAllowedException) and "allow" not in {name.lower() for name in headers}:
        headers["Allow"] = allowed_methods(request.scope)
    if isinstance(error, Refused):
        if status in LOGGED:
            security.warning(
                "refused",
                extra={"path": shown_path(request.url.path), "why": error.code, **client_facts(request)},
            )
        return error_response(
            request, status, error.code, words.text(f"site-error.{error.code}", **error.facts), headers
        )
    if status >= 500:  # noqa: PLR2004  the framework's own failures
        return on_failure(request, error)
    code = f"http-{status if status in KNOWN else 400}"
    return error_response(request, status, code, _sentence(error, code, words), headers)


def _sentence(error: HTTPException, code: str, words: Words) -> str:
    """Return a sentence that names the wrong parameters if the framework names them."""
    extra = error.extra if isinstance(error.extra, list) else []
    named = [str(item.get("key")) for item in extra if isinstance(item, dict) and item.get("key")]
    if named and error.status_code == 400:  # noqa: PLR2004  a bad request
        return words.text("site-error.bad-parameter", names=", ".join(sorted(set(named))))
    return words.text(f"site-error.{code}")


def on_failure(request: WebRequest, error: Exception) -> Response[Any]:
    """Respond to a fault of ours: the log gets the traceback, the reader a sentence."""
    log.error("%s %s failed", request.method, shown_path(request.url.path), exc_info=error)
    return error_response(request, 500, "failure", words_for(request).text("site-error.failure"))


def error_response(
    request: WebRequest,
    status: int,
    code: str,
    sentence: str,
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    """Return an error as a problem document under ``/api/``, otherwise as a page."""
    all_headers = {"Cache-Control": "no-store", **(headers or {})}
    if request.url.path.startswith("/api/"):
        return problem_response(request, status, code, sentence, all_headers)
    if code == "sign-in-first" and (fields := saved_form(request)):
        return page(
            request, "sign_in.html", status=status, headers=all_headers, login="", next_url="/desk",
            sentence=words_for(request).text("site.held-sign-in"), saved=fields, resume=request.url.path,
            chosen=False,
        )  # fmt: skip
    try:
        return page(
            request,
            "error.html",
            status=status,
            headers=all_headers,
            sentence=as_sentence(sentence),
            code=status,
            key=code,
        )
    except ArpadError as failure:  # every page asks who is signed in, which a failing database cannot answer
        if status == UNAVAILABLE or failure.code not in DATABASE_ERRORS:
            raise
        return on_arpad_error(request, failure)
