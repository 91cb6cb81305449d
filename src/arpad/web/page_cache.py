"""Pages of published data, kept as they were answered until the office acts again.

Whatever changes what a visitor sees (a list, a correction, a report, a setting, somebody who asked not to be shown) is
an act, and every act adds a row to the ledger. So a kept page holds as long as the ledger ends with the same seal and
the day is the same, whichever worker or command acted in between: asking costs one row, and nothing is told too late.
Only what says of itself that it is public is kept, and only for visitors: whoever is signed in, or fills in a form,
gets pages of his own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import MutableMapping
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import Any
from zoneinfo import ZoneInfo

from litestar.concurrency import sync_to_thread

from arpad.explain.words import LANGUAGES
from arpad.model.errors import ArpadError
from arpad.office.office import Office, setting
from arpad.store import ledger
from arpad.web import language
from arpad.web.cookies import own_cookies
from arpad.web.http_cache import LONGEST_ADDRESS
from arpad.web.middleware import Application, Message, Receive, Scope, Send

MOST_BYTES = 16 * 1024 * 1024
"""Pages that a worker keeps."""

Key = tuple[str, bytes, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Page:
    mark: tuple[str, date]
    etag: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class PageCache:
    """The layer that answers from what it keeps, or lets the application answer."""

    def __init__(
        self,
        inside: Application,
        office: Office,
        settled: MutableMapping[str, Any],
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.inside = inside
        self.office = office
        self.settled = settled
        """Where the application keeps the office's settings; forgotten with every act."""
        self.most_bytes = most_bytes
        self.size = 0
        self._pages: OrderedDict[Key, _Page] = OrderedDict()
        self._lock = Lock()
        self._zone: tuple[str, ZoneInfo] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        key = _key(scope)
        if key is None:
            await self.inside(scope, receive, send)
            return
        try:
            mark = await sync_to_thread(self._mark)
        except ArpadError:  # said by the application, in the reader's language
            await self.inside(scope, receive, send)
            return
        with self._lock:
            page = self._pages.get(key)
            if page is not None and page.mark == mark:
                self._pages.move_to_end(key)
        if page is not None and page.mark == mark:
            await _answer(page, scope, send)
            return
        taking = _Recorder(send)
        await self.inside(scope, receive, taking.send)
        if (made := taking.page(mark)) is not None:
            self._keep(key, made)

    def _mark(self) -> tuple[str, date]:
        """The last act and the day: what is kept under another mark is no longer true."""
        with self.office.store.reading() as connection:
            head = ledger.head(connection)
            if self._zone is None or self._zone[0] != head:
                self._zone = (head, ZoneInfo(setting(connection, "time_zone") or "UTC"))
                self.settled["settled"] = None
            zone = self._zone[1]
        return head, self.office.now().astimezone(zone).date()

    def _keep(self, key: Key, made: _Page) -> None:
        with self._lock:
            old = self._pages.pop(key, None)
            self.size += len(made.body) - (len(old.body) if old else 0)
            self._pages[key] = made
            while self.size > self.most_bytes:
                _, gone = self._pages.popitem(last=False)
                self.size -= len(gone.body)


def _key(scope: Scope) -> Key | None:
    """What tells one answer from another; None where the answer is somebody's own."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(("/api/", "/static/")):
        return None
    accepted = ""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            accepted = value.decode("latin-1")
        elif name == b"authorization":
            return None
    asked = scope["query_string"]
    if b"lang=" in asked or len(scope["path"]) + len(asked) > LONGEST_ADDRESS:
        return None
    cookies = own_cookies(scope["headers"])
    if set(cookies) - {language.COOKIE}:
        return None
    chosen = cookies.get(language.COOKIE, "")
    return scope["path"], scope["query_string"], (chosen[:10], *_liked(accepted))


def _liked(header: str) -> list[str]:
    """Our languages in the order in which a browser asks for them."""
    found: list[str] = []
    while (
        best := language.accepted_language(header, [name for name in LANGUAGES if name not in found])
    ) is not None:
        found.append(best)
    return found


async def _answer(page: _Page, scope: Scope, send: Send) -> None:
    asked = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
    known = [tag.strip().removeprefix(b"W/") for tag in asked.split(b",")]
    if page.etag in known:
        headers = [pair for pair in page.headers if pair[0] not in (b"content-length", b"content-type")]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": list(page.headers)})
    await send({"type": "http.response.body", "body": page.body})


class _Recorder:
    """Passes an answer on and takes it down."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._headers: list[tuple[bytes, bytes]] | None = None
        self._parts: list[bytes] = []
        self._whole = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:  # noqa: PLR2004  all is well
            self._headers = [(name.lower(), value) for name, value in message.get("headers", [])]
        elif message["type"] == "http.response.body" and self._headers is not None:
            self._parts.append(message.get("body", b""))
            self._whole = not message.get("more_body", False)
        await self._send(message)

    def page(self, mark: tuple[str, date]) -> _Page | None:
        """The answer, where it was public and came whole."""
        told = dict(self._headers or ())
        public = told.get(b"cache-control", b"").startswith(b"public") and b"set-cookie" not in told
        html = told.get(b"content-type", b"").startswith(b"text/html")
        if not (self._whole and public and html and b"etag" in told):
            return None
        return _Page(mark, told[b"etag"], tuple(self._headers or ()), b"".join(self._parts))
