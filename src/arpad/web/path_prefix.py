"""A site below a path of its host, as ``https://example.org/ratings``.

Inside, every address begins at ``/``. This layer removes the prefix from each request and adds it to all that a browser
follows: attributes of pages with an address, ``Location``, ``Link`` and the path of cookies. Whoever writes a whole
address (feeds, calendars, examples) takes it from ``site_settings.site_address``.
"""

import os
import re

from arpad.model.errors import BadInput
from arpad.web.middleware import Application, Message, Receive, Scope, Send
from arpad.web.requests import PREFIX_KEY

PREFIX = "ARPAD_PREFIX"
LONGEST = 100
_FORM = re.compile(r"(/[a-z0-9][a-z0-9._~-]*)+", re.IGNORECASE | re.ASCII)
_ATTRIBUTE = re.compile(rb"""(\s(?:href|src|action|formaction|data-address)=["'])/(?!/)""")
"""In a page, quotes in what people typed are escaped, so that only our own attributes match."""

_COOKIE_PATH = re.compile(rb"(;\s*path=)/(?=;|$)", re.IGNORECASE)


def parse_prefix(text: str) -> str:
    """Return a prefix as ``/ratings``, empty for none; refuse anything that is not a plain path."""
    plain = text.strip().rstrip("/")
    if plain and (len(plain) > LONGEST or not _FORM.fullmatch(plain)):
        raise BadInput("bad-form", option="--prefix", value=text[:60], accepted="/ratings")
    return plain


def prefix_from_environment() -> str:
    """Return the prefix that ``arpad serve`` passes to its processes."""
    return parse_prefix(os.environ.get(PREFIX, ""))


class Prefixed:
    """ASGI layer that puts a site below a prefix."""

    def __init__(self, inside: Application, prefix: str) -> None:
        self.inside = inside
        self.prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; outside the prefix there is only the way to it."""
        if scope["type"] != "http" or not self.prefix:
            await self.inside(scope, receive, send)
            return
        path, prefix = scope["path"], self.prefix
        if path in ("/", prefix):
            await _answer(send, 307, (b"location", f"{prefix}/".encode()))
            return
        if not path.startswith(f"{prefix}/"):
            await _answer(send, 404, (b"content-type", b"text/plain"), f"{prefix}/\n".encode())
            return
        raw = scope.get("raw_path") or path.encode()
        inside = {
            **scope,
            "path": path.removeprefix(prefix),
            "raw_path": raw.removeprefix(prefix.encode()),
            PREFIX_KEY: prefix,
        }
        await self.inside(inside, receive, _Outgoing(send, prefix, head=scope["method"] == "HEAD").send)


async def _answer(send: Send, status: int, header: tuple[bytes, bytes], body: bytes = b"") -> None:
    headers = [header, (b"cache-control", b"no-store"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Outgoing:
    """Adds the prefix to one response; a page is collected first, since its length changes."""

    def __init__(self, send: Send, prefix: str, *, head: bool) -> None:
        self._send = send
        self._prefix = prefix.encode()
        self._head = head
        self._start: Message | None = None
        self._parts: list[bytes] = []

    async def send(self, message: Message) -> None:
        """Pass one message on, or collect it."""
        if message["type"] == "http.response.start":
            headers = [self._header(name.lower(), value) for name, value in message.get("headers", [])]
            message = {**message, "headers": headers}
            types = [value for name, value in headers if name == b"content-type"]
            if types and types[0].startswith(b"text/html"):
                self._start = message
                return
        elif message["type"] == "http.response.body" and self._start is not None:
            self._parts.append(message.get("body", b""))
            if message.get("more_body"):
                return
            body = add_prefix(b"".join(self._parts), self._prefix)
            await self._send({**self._start, "headers": self._headers_for(body)})
            self._start = None
            message = {"type": "http.response.body", "body": body}
        await self._send(message)

    def _headers_for(self, body: bytes) -> list[tuple[bytes, bytes]]:
        """Return the headers with the length of the page; without one for HEAD, where nobody knows it."""
        headers: list[tuple[bytes, bytes]] = list(self._start["headers"]) if self._start else []
        others = [pair for pair in headers if pair[0] != b"content-length"]
        known = len(others) < len(headers) and not self._head
        return [*others, (b"content-length", str(len(body)).encode())] if known else others

    def _header(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        if name == b"location" and value.startswith(b"/") and not value.startswith(b"//"):
            return name, self._prefix + value
        if name == b"link":
            return name, value.replace(b"</", b"<" + self._prefix + b"/")
        if name == b"set-cookie":
            return name, _COOKIE_PATH.sub(rb"\g<1>" + self._prefix, value)
        return name, value


def add_prefix(html: bytes, prefix: bytes) -> bytes:
    """Return a page whose addresses begin with a prefix."""
    return _ATTRIBUTE.sub(rb"\g<1>" + prefix + b"/", html)
