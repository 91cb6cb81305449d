"""Parts of all answers of the API: descriptions, refusals, examples, ETags and CSV."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, PathParameter, QueryParameter

from arpad.explain.words import load_words
from arpad.web.cache import not_modified
from arpad.web.errors import MEDIA_TYPE, problem_type, type_address
from arpad.web.reader import words_for

T = TypeVar("T")


def to_schema(kind: type[T], document: Any) -> T:
    """Return a document as a typed answer; fields that the type lacks are left out."""
    return msgspec.convert(document, kind, from_attributes=True)


# ------------------------------------------------------------------------------------------------- descriptions


@dataclass
class Problem:
    """A refusal as a problem document (RFC 9457); the code says exactly what is wrong."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str


def _problem(status: int, code: str, sentence: str) -> list[Example]:
    title = load_words("en").text(f"problem.{problem_type(status)}")
    document = Problem(type_address(status), title, status, sentence, "/api/v1/…", code)
    return [Example(summary=code, value=vars(document))]


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the refusals of a route for the OpenAPI document."""
    reasons = {
        400: ("out-of-range", "rating is 5000; it must lie between 0 and 4000"),
        401: ("token-needed", "A valid token with the scope submit is needed, in the header Authorization."),
        403: ("scope-needed", "The token lacks the scope submit."),
        404: ("no-player", "No player has this number, or the player asked not to be shown."),
        408: ("too-slow", "A request must be sent within 60 seconds."),
        409: ("sent-by-another", "Somebody else has sent this very file already."),
        410: ("list-taken-back", "The list standard-2027-02-01-r1 was taken back on 3 February 2025."),
        413: ("too-large", "At most 8 MiB can be sent to this address."),
        422: (
            "work-too-costly",
            "the file takes more time or memory than one request may have (20 s, 768 MiB)",
        ),
        429: ("http-429", "Too many requests in a short time: try again in a minute."),
        500: ("failure", "Something went wrong on our side. The error has been recorded. Try again later."),
        503: ("server-busy", "several large files are being worked on: try again in a minute"),
    }
    return {
        status: ResponseSpec(
            Problem,
            generate_examples=False,
            description="Refused",
            media_type=MEDIA_TYPE,
            examples=_problem(status, *reasons[status]),
        )
        for status in dict.fromkeys((400, *statuses, 408, 413, 429, 500))
    }


@cache
def examples() -> dict[str, Any]:
    """Return an answer of every address from the demo office; ``python -m tests.web.api_examples`` writes them."""
    file = files("arpad.web.api") / "examples.json"
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return document


def answers(
    kind: type[Any],
    address: str,
    *statuses: int,
    status: int = 200,
    etag: bool = False,
    file: tuple[str, str] = ("", ""),
) -> dict[int, ResponseSpec]:
    """Return the answers of a route: the result with its example, and the refusals; ``file`` is what and its type."""
    about, media_type = file
    about = about or (kind.__doc__ or "").partition(";")[0].partition("\n")[0]
    shown = [Example(summary=address, value=examples()[address])] if address in examples() else []
    result = ResponseSpec(
        kind,
        generate_examples=False,
        description=about,
        media_type=media_type or "application/json",
        examples=shown,
    )
    return {status: result, **({304: NOT_CHANGED} if etag else {}), **refusals(*statuses)}


NOT_CHANGED = ResponseSpec(None, generate_examples=False, description="Not changed since the ETag given")


# --------------------------------------------------------------------------------------------------- the answers


def etagged(
    request: Request[Any, Any, Any],
    out: Any,
    others: Mapping[str, str] = {},
    media_type: str = "",
) -> Response[Any]:
    """Return published data with an ETag of its content and other headers; only the headers if the reader has it."""
    text = isinstance(out, str)
    data = out.encode() if text else out
    content = data if isinstance(data, bytes) else msgspec.json.encode(data, enc_hook=str)
    etag = f'"{sha256(content + words_for(request).language.encode()).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, no-cache", "Vary": "Accept-Language, Cookie", **others}
    etags = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in etags:
        return not_modified(headers)
    media_type = media_type or ("text/csv" if text else "application/json")
    return Response(content, headers=headers, media_type=media_type)


After = Annotated[
    str,
    QueryParameter(
        description="Where to go on: next of the last answer; without it, from the beginning.",
        max_length=40,
        examples=[Example(value="1")],
    ),
]


Format = Annotated[
    str,
    QueryParameter(description="The form of the answer.", max_length=10, examples=[Example(value="json")]),
]


Number = Annotated[
    int, PathParameter(description="The register's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)])
]
Note = Annotated[
    str,
    HeaderParameter(
        name="Arpad-Reason",
        description="The reason, for the ledger; letters beyond ASCII percent-encoded.",
        max_length=500,
        examples=[Example(value="letter of the arbiter")],
    ),
]
