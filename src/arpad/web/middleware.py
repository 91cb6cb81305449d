"""The ASGI layer around the application: security headers, limits on size and time of a body, HEAD.

The framework limits the size of a body, but not its time, and reports neither in the reader's language.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from arpad.web.cookies import SESSION_COOKIE, own_cookies

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_FORM = 64 * 1024
LARGEST_UPLOAD = 8 * 1024 * 1024
"""A report of a thousand players and eleven rounds takes less than half a megabyte."""

LARGEST_LIST = 64 * 1024 * 1024
"""FIDE's list of all players takes 13 MiB as TXT and 42 MiB as XML, both as ZIP; only who is signed in sends one."""

LISTS = "/desk/reconciliation/lists"
UPLOADS = (
    "/check", "/check/file", "/check/paper", "/desk/send", "/desk/upload", "/desk/running", "/desk/import",
    "/desk/import/preview", "/desk/clubs/import", "/desk/clubs/members", "/admin/logo",
    "/api/v1/check", "/api/v1/check/corrected", "/api/v1/rate", "/api/v1/norms",
    "/api/v1/reports",
)  # fmt: skip
UPLOADS_BELOW = ("/api/v1/running/", "/api/v1/imports/")
"""Every address below these takes a file."""

SLOWEST_SECONDS = 60.0
CUT_OFF = "arpad_cut_off"
"""Key of the scope with the reason why the body was refused: status, code, facts."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
)


_HOST = re.compile(rb"(?:[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\]|)(?::([0-9]{0,5}))?")
"""A host as a browser writes it, with or without a port; empty if the address has none."""

HIGHEST_PORT = 65535


class TooMuch(Exception):
    """The body is larger than the address accepts."""


class Middleware:
    """The layer around the application."""

    def __init__(self, inside: Application, *, seconds: float = SLOWEST_SECONDS) -> None:
        self.inside = inside
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.inside(scope, receive, send)
            return
        head_only = scope["method"] == "HEAD"
        answer = _Answer(send, head_only=head_only, secure=scope.get("scheme") == "https")
        inside = {**scope, "method": "GET"} if head_only else scope
        if wrong := _wrong_head(scope):
            headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
            inside = {**inside, "headers": [*headers, (b"host", b"localhost")]}
            await self._refuse(inside, answer, 400, wrong)
            return
        announced = {name for name, _ in scope["headers"]} & {b"content-length", b"transfer-encoding"}
        if scope["method"] in ("GET", "HEAD") and not announced:
            await self.inside(inside, receive, answer.send)
            return
        limit = _largest(scope)
        try:
            body = await asyncio.wait_for(_body(scope, receive, limit), self.seconds)
        except TooMuch:
            await self._refuse(inside, answer, 413, "too-large", most=_written(limit))
            return
        except TimeoutError:
            await self._refuse(inside, answer, 408, "too-slow", seconds=int(self.seconds))
            return
        if body is None:
            return
        sent = False

        async def all_of_it() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.inside(inside, all_of_it, answer.send)

    async def _refuse(
        self, scope: Scope, answer: _Answer, status: int, code: str, **facts: int | str
    ) -> None:
        """Let the application respond in the reader's language, without the body; then close the connection."""

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        answer.last = True
        await self.inside({**scope, CUT_OFF: (status, code, facts)}, nothing, answer.send)


def _wrong_head(scope: Scope) -> str:
    """Return what is wrong with the headers, as a code: more than one length, or a host that is none; else nothing."""
    names = {name for name, _ in scope["headers"]}
    if {b"content-length", b"transfer-encoding"} <= names:  # two servers would cut it in two places
        return "two-lengths"
    for name, value in scope["headers"]:
        host = _HOST.fullmatch(value) if name == b"host" else None
        if name == b"host" and (host is None or int(host[1] or 0) > HIGHEST_PORT):
            return "bad-host"
    return ""


def _largest(scope: Scope) -> int:
    """Return how many bytes the body of a request may have."""
    path = scope["path"]
    if path == LISTS and any(name.endswith(SESSION_COOKIE) for name in own_cookies(scope["headers"])):
        return LARGEST_LIST
    return LARGEST_UPLOAD if path in UPLOADS or path.startswith(UPLOADS_BELOW) else LARGEST_FORM


def _written(size: int) -> str:
    return f"{size >> 20} MiB" if size >> 20 else f"{size >> 10} KiB"


async def _body(scope: Scope, receive: Receive, limit: int) -> bytes | None:
    """Return the body; None if the client has disconnected."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if not declared.isdigit() or len(declared) > 12 or int(declared) > limit:  # noqa: PLR2004  a terabyte is enough
        raise TooMuch
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise TooMuch
        if not message.get("more_body"):
            return b"".join(parts)


class _Answer:
    """Adds the headers to every response and removes the body for HEAD."""

    def __init__(self, send: Send, *, head_only: bool, secure: bool) -> None:
        self._send = send
        self._head_only = head_only
        self._secure = secure
        self.last = False
        """Whether the connection ends with this response."""

    async def send(self, message: Message) -> None:
        """Pass one message on."""
        if message["type"] == "http.response.start":
            headers = [(name.lower(), value) for name, value in message.get("headers", [])]
            names = {name for name, _ in headers}
            more = [(name, value) for name, value in HEADERS if name not in names]
            if (
                b"content-security-policy" in names
            ):  # it says who may frame the page, which the older header cannot
                more = [(name, value) for name, value in more if name != b"x-frame-options"]
            if self._secure:
                more.append((b"strict-transport-security", b"max-age=31536000; includeSubDomains"))
            if self.last:
                more.append((b"connection", b"close"))
            message = {**message, "headers": [*headers, *more]}
        elif message["type"] == "http.response.body" and self._head_only:
            message = {**message, "body": b""}
        await self._send(message)
