"""Hostile requests to every route, in this process: neighbours of the links, forms and files of the site itself."""

import asyncio
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from urllib.parse import quote, quote_from_bytes, unquote, urlencode, urlsplit

from arpad.office.accounts.sessions import sign_in
from arpad.office.office import open_office
from arpad.office.users import Grant, Role
from arpad.web import cache as files_cache
from arpad.web.api.limits import Counting
from arpad.web.app import create, wrapped
from tests.builders.site_fixtures import PASSWORD
from tests.builders.users import add_user
from tests.fuzz.mutations import NUMBERS, TOKENS, mutate
from tests.fuzz.readers import CORPUS
from tests.robustness.working_calls import furnish
from tests.web.every_route import routes

PARTS = (b"1", b"2", b"3", b"standard", b"rapid", b"2018-02-01", b"2018-02-01-r1", b"player", b"en", b"x")
HEADERS = (
    b"accept", b"accept-language", b"range", b"if-none-match", b"if-modified-since", b"origin", b"referer", b"host",
    b"x-forwarded-for", b"x-forwarded-proto", b"forwarded", b"authorization", b"content-encoding",
    b"accept-encoding", b"x-csrf", b"idempotency-key", b"cookie", b"x-http-method-override",
)  # fmt: skip
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW")
FORM, MULTIPART, JSON = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=limit",
    "application/json",
)
MOST_PAGES = 400
_POST_FORM = re.compile(r'<form[^>]*method="post".*?</form>', re.DOTALL)
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
"""The characters of an address that the server lets through; it refuses others, and control characters in heads."""

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
_LINK = re.compile(r'href="(/[^"#]*)')


@dataclass(frozen=True)
class Request:
    """A request as an application gets it."""

    method: str
    path: bytes
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""

    def shown(self) -> str:
        """Return it in one line."""
        return f"{self.method} {self.path[:200]!r}?{self.query[:200]!r} {self.headers!r:.300} {self.body[:300]!r}"


@dataclass(frozen=True)
class Answer:
    """The answer of the application; ``raised`` is an exception that it let through."""

    status: int
    body: bytes
    raised: str = ""


async def _answer(application: Any, request: Request) -> Answer:
    sent, parts, status = False, [], 0

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            parts.append(message.get("body", b""))

    headers = [
        (b"host", b"127.0.0.1"),
        (b"content-length", str(len(request.body)).encode()),
        *request.headers,
    ]
    raw, query = quote_from_bytes(request.path, "/%"), quote_from_bytes(request.query, _VISIBLE)
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method, "scheme": "http",
        "path": unquote(raw), "raw_path": raw.encode(), "query_string": query.encode(),
        "root_path": "",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {},
    }  # fmt: skip
    try:
        await application(scope, receive, send)
    except Exception as error:  # noqa: BLE001  whatever it is, it is reported
        return Answer(500, b"", repr(error))
    return Answer(status, b"".join(parts))


class Site:
    """The application with an office of its own; ``renew`` gives it the first office again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._home = furnish(folder)
        first = open_office(
            str(folder / "kept.db"), now=lambda: datetime(2018, 3, 20, 12, tzinfo=UTC), author="tests"
        )
        for login, role in (("officer", Role.OFFICER), ("administrator", Role.ADMINISTRATOR)):
            add_user(first, login, login, PASSWORD, [Grant(role)], own_password=True)
        self.cookies = {
            login: b"arpad_session=" + sign_in(first, login, PASSWORD, "127.0.0.1").encode()
            for login in ("officer", "administrator")
        }
        first.close()
        self._state = create()
        self._loop = asyncio.new_event_loop()
        self._office: Any = None
        self._application: Any = None
        self.renew()

    def renew(self) -> None:
        """Begin again with the first office."""
        if self._office is not None:
            self._office.close()
        for name in ("office.db", "office.db-wal", "office.db-shm"):
            (self._folder / name).unlink(missing_ok=True)
        shutil.copyfile(self._folder / "kept.db", self._folder / "office.db")
        noon = datetime(2018, 3, 20, 12, tzinfo=UTC)
        self._office = open_office(str(self._folder / "office.db"), now=lambda: noon)
        limits = {"counting": Counting(), "most": 10**9, "most_costly": 10**9}
        self._state.state.update({"office": self._office, "settings": None, **limits})
        self._application = wrapped(self._state)

    def ask(self, request: Request) -> Answer:
        """Return the answer to a request."""
        files = self._folder / "files"
        files.mkdir(exist_ok=True)
        with patch.object(files_cache, "_folder", lambda: files):
            return self._loop.run_until_complete(_answer(self._application, request))

    @cache  # noqa: B019  one site in a process
    def valid(self) -> tuple[Request, ...]:
        """Return valid requests: every route, the links of the pages, their forms, and files for the API."""
        cookie = (b"cookie", self.cookies["administrator"])
        requests = [
            Request(method, _filled(path), headers=() if path == "/sign-out" else (cookie,))
            for method, path in routes()
        ]
        pages = [request for request in requests if request.method == "GET"]
        links: dict[bytes, Request] = {}
        for page in pages:
            text = self.ask(page).body.decode("utf-8", "replace")
            for link in map(unescape, _LINK.findall(text)):
                address = urlsplit(link)
                links.setdefault(
                    link.encode(), replace(page, path=address.path.encode(), query=address.query.encode())
                )
            requests += _forms(text, page)
        requests += [*links.values()][:MOST_PAGES]
        requests += _uploads((b"cookie", self.cookies["officer"]))
        return tuple(requests)


def _filled(path: str) -> bytes:
    return re.sub(r"\{\w+:\w+\}", "1", path).encode()


def _forms(text: str, page: Request) -> Iterator[Request]:
    for form in _POST_FORM.findall(text):
        action = re.search(r'action="([^"]+)"', form)
        names = re.findall(r'name="([^"]+)"(?:[^>]*?value="([^"]*)")?', form)
        path = unescape(action[1]).encode() if action else page.path
        body = urlencode([(unescape(name), unescape(value)) for name, value in names]).encode()
        if path == b"/sign-out":
            continue  # the others of its block would be visitors
        yield Request("POST", path, b"", (*page.headers, (b"content-type", FORM.encode())), body)


def _uploads(cookie: tuple[bytes, bytes]) -> Iterator[Request]:
    """Yield files of the corpus as the routes for files take them."""
    files = [
        path.read_bytes()
        for kind in ("trf", "sheet", "pgn", "pdn", "workbook")
        for path in sorted((CORPUS / kind).iterdir())
    ]
    for method, path in routes():
        if method != "POST" or not any(
            word in path for word in ("check", "rate", "report", "verify", "receipt", "compare", "tournament")
        ):
            continue
        for data in files[::3]:
            part = (
                b'--limit\r\nContent-Disposition: form-data; name="file"; filename="a.trf"\r\n\r\n'
                + data
                + b"\r\n--limit--\r\n"
            )
            yield Request("POST", _filled(path), b"", (cookie, (b"content-type", MULTIPART.encode())), part)
            yield Request("POST", _filled(path), b"", (cookie, (b"content-type", b"text/plain")), data)


def hostile_request(random: Random, site: Site) -> Request:
    """Return a hostile neighbour of a valid request."""
    request = random.choice(site.valid())
    others = [random.choice(site.valid()).body for _ in range(2)]
    for _ in range(random.choice((1, 1, 2, 3))):
        request = _changed(random, request, others, site)
    return request


def _changed(random: Random, request: Request, others: list[bytes], site: Site) -> Request:
    kind = random.randrange(7)
    if kind == 0:
        parts = request.path.split(b"/")
        at = random.randrange(1, len(parts))
        parts[at] = random.choice((*PARTS, *NUMBERS, *TOKENS))[:3000]
        return replace(request, path=b"/".join(parts))
    if kind == 1:
        return replace(request, path=b"/" + mutate(random, request.path[1:])[:4000])
    if kind == 2:
        return replace(
            request, query=mutate(random, request.query or b"q=1&list=standard&date=2018-02-01&page=1")[:8000]
        )
    if kind == 3:
        name, value = random.choice(_parameters()), random.choice((*PARTS, *NUMBERS, *TOKENS))
        return replace(
            request,
            query=request.query + b"&" + quote(name).encode() + b"=" + quote_from_bytes(value).encode(),
        )
    if kind == 4:
        value = mutate(
            random, random.choice((b"en", b"bytes=0-1", b"application/json", *site.cookies.values()))
        )[:2000]
        return replace(
            request, headers=(*request.headers, (random.choice(HEADERS), _CONTROL.sub(b" ", value).strip()))
        )
    if kind == 5 and random.random() < 0.3:
        return replace(request, method=random.choice(METHODS))
    kinds = (
        *request.headers,
        (b"content-type", random.choice((FORM, MULTIPART, JSON, "text/csv", "x")).encode()),
    )
    headers = kinds if random.random() < 0.2 else request.headers
    return replace(request, headers=headers, body=mutate(random, request.body, others))


@cache
def _parameters() -> list[str]:
    from tests.robustness.test_routes import query_parameters

    return query_parameters()
