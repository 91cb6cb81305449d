"""Refusals of the API as problem documents (RFC 9457): a type for each status, a sentence for the occurrence."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from litestar import Response

from arpad.web.language import words_for
from arpad.web.requests import WebRequest, prefix_of

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
