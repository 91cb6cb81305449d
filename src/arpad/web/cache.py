"""The cache of the site: ETags, pages in memory, and files of lists on disk.

**Pages.** Everything that changes what a visitor sees (a list, a correction, a report, a setting, a hidden player) is
an act, and every act adds a row to the ledger; live lists count their computations. So a cached page is valid while the
head of the ledger, that count and the day are the same, whichever worker or command acted in between; asking for them
costs two rows. Only responses that are marked as public are cached, and only for visitors: a user who is signed in or
fills in a form gets pages of their own.

**Files.** A published list never changes, so its files are written once into a folder that all workers of this machine
share. Each file is complete or absent; the least recently used ones are removed when the folder is full. The key of a
file contains all that it depends on: a correction has another digest, and so has the set of hidden players. When a
player is hidden or erased, all files are deleted, since they contain the name.
"""

import hmac
import os
import secrets
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from sys import getsizeof
from threading import BoundedSemaphore, Lock
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from litestar import Response
from litestar.concurrency import sync_to_thread
from markupsafe import Markup

from arpad import __version__
from arpad.explain.words import LANGUAGES
from arpad.model.errors import ArpadError, BadInput
from arpad.office.office import Office
from arpad.office.parts import rows_version
from arpad.store import bulk
from arpad.store.settings import read_setting
from arpad.web.cookies import own_cookies
from arpad.web.middleware import Application, Message, Receive, Scope, Send
from arpad.web.reader import LANGUAGE_COOKIE, accepted_language, user_of, words_for
from arpad.web.requests import WebRequest
from arpad.web.site_settings import settings_of

MOST_BYTES = 16 * 1024 * 1024
"""Size of all pages and parts that a worker keeps."""


class FragmentCache:
    """Texts by a key that has all that they depend on, or with values that say whether they are still right."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.size = 0
        self._texts: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """Return what is kept under a key, or None."""
        with self._lock:
            kept = self._texts.get(key)
            if kept is None:
                return None
            self._texts.move_to_end(key)
            return kept[0]

    def add(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of a size; what was used least recently is removed if there is too much."""
        with self._lock:
            _, old_size = self._texts.pop(key, (None, 0))
            self.size += size - old_size
            self._texts[key] = value, size
            while self.size > self.most_bytes:
                _, (_, removed) = self._texts.popitem(last=False)
                self.size -= removed


class WrittenOnce(Extension):
    """A part of a page that is the same for all readers of a language: ``{% once "api" %}…{% endonce %}``.

    It is written when it is first shown, and kept beside the pages. What stands after ``once`` names it and everything
    that it depends on; the seal of the last act (``store.bulk``) stands for all that acts change, if it was
    read before them. A part whose key is none is not kept.
    """

    tags = {"once"}  # noqa: RUF012  as Jinja has it

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the code of such a part."""
        line = next(parser.stream).lineno
        key = parser.parse_tuple()
        body = parser.parse_statements(("name:endonce",), drop_needle=True)
        written = self.call_method("written", [nodes.ContextReference(), key])
        return nodes.CallBlock(written, [], [], body).set_lineno(line)

    def written(self, context: Context, key: object, caller: Callable[[], Markup]) -> Markup:
        """Return the part as it was written for the reader's language."""
        if key is None:
            return caller()
        texts: FragmentCache = context["fragments"]
        named = ("part", context["words"].language, key)
        part: Markup | None = texts.get(named)
        if part is None:
            part = caller()
            texts.add(named, part, getsizeof(part))
        return part


OK = 200

# ------------------------------------------------------------------------------------------------------ ETags

ETAG_KEY = "ARPAD_ETAG_KEY"
"""The environment variable with the key that all workers of one server share; ``arpad serve`` makes a new one."""

_etag_key = os.environ.get(ETAG_KEY) or secrets.token_urlsafe(32)


class NotModified(Exception):
    """The reader has something already: the response has its headers alone."""

    def __init__(self, headers: dict[str, str]) -> None:
        super().__init__()
        self.headers = headers


def fresh_headers(
    request: WebRequest, *parts: object, others: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the headers of something published, with others; raise ``NotModified`` if the reader has it already.

    The ETag is a keyed digest of the parts, so that they cannot be guessed by trial; no part may be private.
    """
    content = "|".join(map(str, (__version__, words_for(request).language, settings_of(request), *parts)))
    etag = f'"{hmac.new(_etag_key.encode(), content.encode(), sha256).hexdigest()[:24]}"'
    headers = {
        "ETag": etag, "Cache-Control": "public, no-cache", "Vary": "Accept-Language, Cookie", **(others or {}),
    }  # fmt: skip
    matches = etag in _etags(request.headers.get("if-none-match", ""))
    if matches and user_of(request) is None and "lang" not in request.query_params:
        raise NotModified(headers)
    return headers


def settings_headers(request: WebRequest, *parts: object) -> dict[str, str]:
    """Return the headers of a page that depends on its address, the settings of the site and the day alone."""
    url, day = request.url, settings_of(request).today
    return fresh_headers(request, url.path, url.query, day, *parts)


def _etags(header: str) -> list[str]:
    """Return the tags of an ``If-None-Match`` header."""
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]


def not_modified(headers: dict[str, str]) -> Response[Any]:
    """Return the response for a reader who has the page already."""
    return Response(None, status_code=304, headers=headers)


# ------------------------------------------------------------------------------------------------------ pages

LONGEST_ADDRESS = 300
"""Pages with longer addresses are not cached, so that made-up addresses cannot fill the cache."""

PageKey = tuple[bytes, str, bytes, tuple[str, ...]]
Version = tuple[str, int, date]
"""The head of the ledger, the live lists and the day: pages of another version are out of date."""


@dataclass(frozen=True, slots=True)
class _Page:
    version: Version
    etag: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class PageCache:
    """ASGI layer that responds from the cache, or passes the request to the application and caches the response."""

    def __init__(
        self,
        inside: Application,
        office: Office,
        state: MutableMapping[str, Any],
        pages: FragmentCache | None = None,
    ) -> None:
        self.inside = inside
        self.office = office
        self.state = state
        """The state of the application; its settings are forgotten with every act."""
        self.pages = pages or FragmentCache()
        self._zone: tuple[str, ZoneInfo] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        key = _page_key(scope)
        if key is None:
            await self.inside(scope, receive, send)
            return
        try:
            version = await sync_to_thread(self._version)
        except ArpadError:  # the application reports it in the reader's language
            await self.inside(scope, receive, send)
            return
        page: _Page | None = self.pages.get(key)
        if page is not None and page.version == version:
            await _send_page(page, scope, send)
            return
        recorder = _Recorder(send)
        await self.inside(scope, receive, recorder.send)
        if (page := recorder.page(version)) is not None:
            self.pages.add(key, page, len(page.body))

    def _version(self) -> Version:
        with self.office.store.reading() as connection:
            head, live = bulk.head(connection), rows_version(connection)
            if self._zone is None or self._zone[0] != head:
                self._zone = (head, ZoneInfo(read_setting(connection, "time_zone") or "UTC"))
                self.state["settings"] = None
            zone = self._zone[1]
        return head, live, self.office.now().astimezone(zone).date()


def _page_key(scope: Scope) -> PageKey | None:
    """Return what distinguishes one page from another; None if the response is for one user only."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(("/api/", "/static/")):
        return None
    accept_language, host = "", b""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            accept_language = value.decode("latin-1")
        elif name == b"host":  # a page that is shared names its own address
            host = value[:LONGEST_ADDRESS]
        elif name == b"authorization":
            return None
    query = scope["query_string"]
    if b"lang=" in query or len(scope["path"]) + len(query) > LONGEST_ADDRESS:
        return None
    cookies = own_cookies(scope["headers"])
    if set(cookies) - {LANGUAGE_COOKIE}:
        return None
    chosen = cookies.get(LANGUAGE_COOKIE, "")
    return host, scope["path"], query, (chosen[:10], *_languages_by_preference(accept_language))


def _languages_by_preference(header: str) -> list[str]:
    """Return our languages in the order in which a browser prefers them."""
    ordered: list[str] = []
    while (best := accepted_language(header, [n for n in LANGUAGES if n not in ordered])) is not None:
        ordered.append(best)
    return ordered


async def _send_page(page: _Page, scope: Scope, send: Send) -> None:
    header = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
    if page.etag in _etags(header.decode("latin-1")):
        headers = [pair for pair in page.headers if pair[0] not in (b"content-length", b"content-type")]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": list(page.headers)})
    await send({"type": "http.response.body", "body": page.body})


class _Recorder:
    """Pass a response on and record it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._headers: list[tuple[bytes, bytes]] | None = None
        self._parts: list[bytes] = []
        self._complete = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == OK:
            self._headers = [(name.lower(), value) for name, value in message.get("headers", [])]
        elif message["type"] == "http.response.body" and self._headers is not None:
            self._parts.append(message.get("body", b""))
            self._complete = not message.get("more_body", False)
        await self._send(message)

    def page(self, version: Version) -> _Page | None:
        """Return the response if it is public and complete."""
        headers = dict(self._headers or ())
        public = headers.get(b"cache-control", b"").startswith(b"public") and b"set-cookie" not in headers
        html = headers.get(b"content-type", b"").startswith(b"text/html")
        if not (self._complete and public and html and b"etag" in headers):
            return None
        return _Page(
            version, headers[b"etag"].decode("latin-1"), tuple(self._headers or ()), b"".join(self._parts)
        )


# ------------------------------------------------------------------------------------------------------ files

MOST_FILE_BYTES = 256 * 1024 * 1024
"""Size of all files on disk; a file of more than a quarter of it is not cached."""

_OWNER_ONLY = 0o700
_makers = BoundedSemaphore(16)
"""Requests of this worker that make a file or wait for one; more are refused as busy."""


def cached_file(make: Callable[[], bytes], *key: str) -> bytes:
    """Return the cached file for this key, creating it if needed."""
    folder = cache_folder()
    if folder is None:
        return make()
    path = folder / sha256("\0".join((__version__, *key)).encode()).hexdigest()
    data = _read_file(path)
    if data is None:
        with _one_maker(path):
            data = _read_file(path)
            if data is None:
                data = make()
                if len(data) <= MOST_FILE_BYTES // 4:
                    _write_file(path, data)
    return data


def delete_files() -> None:
    """Delete every cached file."""
    folder = cache_folder()
    for path in folder.iterdir() if folder is not None else ():
        path.unlink(missing_ok=True)


def keep_files_for(hidden: str) -> None:
    """Delete every cached file if other players are hidden than before; ``hidden`` differs between sets of them."""
    folder = cache_folder()
    if folder is None:
        return
    marker = folder / ".hidden"
    if not marker.exists() or marker.read_text() != hidden:
        delete_files()
        marker.write_text(hidden)
    marker.touch()  # the oldest files make place for new ones


@contextmanager
def _one_maker(path: Path) -> Iterator[None]:
    """Let one request of all workers make a file; the others wait until it exists."""
    if not _makers.acquire(blocking=False):
        raise BadInput("server-busy")
    lock = path.with_name(f".{path.name}.lock")
    try:
        with ExitStack() as stack:
            with suppress(OSError):  # on a full disk several requests may make the file
                flock(stack.enter_context(lock.open("wb")), LOCK_EX)
                stack.callback(lock.unlink, missing_ok=True)
            yield
    finally:
        _makers.release()


def _read_file(path: Path) -> bytes | None:
    """Return a file and mark it as the most recently used."""
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:  # not made yet, or just removed by another worker
        return None
    return data


def _write_file(path: Path, data: bytes) -> None:
    """Write a file atomically, then remove old ones; on a full disk nothing is cached."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
        _remove_old_files(path.parent)
    except OSError:
        temporary.unlink(missing_ok=True)


def _remove_old_files(folder: Path) -> None:
    files: list[tuple[int, int, str]] = []
    for entry in os.scandir(folder):
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:  # removed by another worker
            continue
        files.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= MOST_FILE_BYTES:
            break
        Path(path).unlink(missing_ok=True)
        total -= size


def cache_folder() -> Path | None:
    """Return a folder that only this user can write; None if another user owns a folder of this name."""
    folder = Path(tempfile.gettempdir()) / f"arpad-files-{os.getuid()}"
    try:
        folder.mkdir(mode=_OWNER_ONLY, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    safe = (
        status.st_uid == os.getuid() and (status.st_mode & 0o777) == _OWNER_ONLY and not folder.is_symlink()
    )
    return folder if safe else None
