"""Published data is told once: an ETag for whoever has it already, and pages kept for the next visitor."""

from __future__ import annotations

import hmac
import os
import secrets
from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import Any

from litestar import Request, Response

from arpad import __version__
from arpad.web.auth import user_of
from arpad.web.language import words_for
from arpad.web.site_settings import settings_of

ETAG_KEY = "ARPAD_ETAG_KEY"
"""The environment variable with the key that all workers of one server share; ``arpad serve`` makes a new one."""

_key = os.environ.get(ETAG_KEY) or secrets.token_urlsafe(32)


def etag_headers(request: Request[Any, Any, Any], *parts: object) -> tuple[dict[str, str], bool]:
    """Return the headers of something published, and whether the reader has it already.

    The ETag is a digest with a key, so that nobody can try out what went into it; and no part may be private.
    """
    told = "|".join(map(str, (__version__, words_for(request).language, settings_of(request), *parts)))
    etag = f'"{hmac.new(_key.encode(), told.encode(), sha256).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, no-cache", "Vary": "Accept-Language, Cookie"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return headers, etag in known and user_of(request) is None and "lang" not in request.query_params


LONGEST_ADDRESS = 300
"""Longer ones are nobody's bookmark: what is kept under them would only fill the memory."""

_MOST_KEPT = 512
_kept: OrderedDict[tuple[str, str], str] = OrderedDict()
_kept_lock = Lock()


def remembered(request: Request[Any, Any, Any], headers: dict[str, str]) -> Response[str] | None:
    """A page of published data as it was rendered before; only for visitors, whose pages are all alike."""
    if user_of(request) is not None or "lang" in request.query_params:
        return None
    with _kept_lock:
        html = _kept.get((str(request.url), headers["ETag"]))
    return Response(html, headers=headers, media_type="text/html") if html is not None else None


def remember(request: Request[Any, Any, Any], made: Response[str]) -> Response[str]:
    """Keep a page for the next visitor, where it may be kept."""
    address = str(request.url)
    public = user_of(request) is None and "ETag" in made.headers and not made.cookies
    if public and len(address) <= LONGEST_ADDRESS:
        with _kept_lock:
            _kept[address, made.headers["ETag"]] = made.content
            while len(_kept) > _MOST_KEPT:
                _kept.popitem(last=False)
    return made


def not_modified(headers: dict[str, str]) -> Response[Any]:
    """The reader has it already."""
    return Response(None, status_code=304, headers=headers)
