"""The site of one source tree in this process, and the processor time of requests to it: for benchmarks/site_pages.py.

    ARPAD_DB=office.db python benchmarks/page_times.py < QUESTIONS > ANSWERS

It imports nothing of Arpad but ``web.app.from_environment``, so that an older source tree can be measured as well. A
question is a line of JSON: an address, how many requests of each way, and for a page of a user a login and a password.
Each is answered by a copy of this process (fork) with a copy of the database, which starts the site as a server does,
so that no page profits from another:

    first   the first request after the start
    fresh   the page is not in the page cache, all else is warm: a parameter that no page reads changes the address
    warm    the same request again and again
    act     the first request after an act, so that nothing is kept: a user decides a fact of report 40 each time

An answer is a line of JSON: by way the milliseconds of each request, the status and the size of the page; and the
milliseconds of the start. The process that is copied has imported the modules and starts nothing, since the threads of
Polars do not survive a fork.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

HOST = "127.0.0.1:8000"
WARMING = 4
"""Requests of a way before the measured ones, unless the first is measured."""

REPORT = "/desk/reports/40"
"""The report of the demo about which acts decide."""

REGISTERED = date(2020, 1, 1)
"""The first of the days of registration that acts decide, each another one."""

FORM_PROOF = re.compile(r'name="csrf" value="([^"]+)"')


class Visitor:
    """A browser without JavaScript: it sends cookies back."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.cookies: dict[str, str] = {}
        self.answered = 0.0
        """The processor time at which the last answer was sent; what the site does after it is not measured."""

    async def ask(self, address: str, form: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Send a request; return status and body."""
        path, _, query = address.partition("?")
        body = urlencode(form).encode() if form is not None else b""
        headers = [(b"host", HOST.encode()), (b"accept", b"text/html"), (b"accept-language", b"en")]
        if self.cookies:
            pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            headers.append((b"cookie", pairs.encode()))
        if form is not None:
            headers += [
                (b"content-type", b"application/x-www-form-urlencoded"),
                (b"content-length", str(len(body)).encode()),
                (b"origin", f"http://{HOST}".encode()),
            ]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
            "method": "GET" if form is None else "POST", "path": path, "raw_path": path.encode(),
            "query_string": query.encode(), "headers": headers, "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000), "state": {},
        }  # fmt: skip
        sent: list[dict[str, Any]] = []
        asked = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            message = next(asked, None)
            if message is None:
                await asyncio.sleep(3600)
            return message or {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            self.answered = time.process_time()

        await self.application(scope, receive, send)
        for name, value in sent[0].get("headers", ()):
            if name.lower() == b"set-cookie":
                key, _, content = value.decode().partition(";")[0].partition("=")
                self.cookies[key] = content
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])

    async def sign_in(self, login: str, password: str) -> None:
        """Sign in by the form."""
        _, html = await self.ask("/sign-in")
        proof = FORM_PROOF.search(html.decode())
        form = {
            "csrf": proof[1] if proof else "",
            "login": login,
            "password": password,
            "next": "",
            "code": "",
        }
        status, _ = await self.ask("/sign-in", form)
        if status not in (302, 303):
            sys.exit(f"sign-in was answered with {status}")

    async def act(self, number: int) -> None:
        """Decide that the event of a report was registered on another day than before."""
        _, html = await self.ask(REPORT)
        proof = FORM_PROOF.search(html.decode())
        day = REGISTERED + timedelta(days=number)
        form = {"csrf": proof[1] if proof else "", "registered": str(day), "reason": "benchmark"}
        status, _ = await self.ask(f"{REPORT}/facts", form)
        if status not in (302, 303):
            sys.exit(f"an act was answered with {status}")


async def answer(application: Any, question: dict[str, Any]) -> dict[str, Any]:
    """Send the requests of a question; return their times by way."""
    visitor = Visitor(application)
    if question.get("login"):
        await visitor.sign_in(question["login"], question["password"])
    return {
        way: await _times(visitor, question["address"], way, count) for way, count in question["ways"].items()
    }


async def _times(visitor: Visitor, address: str, way: str, count: int) -> dict[str, Any]:
    """Send the requests of one way; return their times, the status and the size."""
    times: list[float] = []
    unmeasured = 0 if way == "first" else WARMING
    for number in range(unmeasured + count):
        if way == "act":
            await visitor.act(number)
        fresh = f"{address}{'&' if '?' in address else '?'}fresh={number}" if way == "fresh" else address
        start = time.process_time()
        status, body = await visitor.ask(fresh)
        if number >= unmeasured:
            times.append(round(1000 * (visitor.answered - start), 3))
    return {"ms": times, "status": status, "bytes": len(body)}


def copy_database(path: Path, copy: Path) -> None:
    """Copy a database, so that what a question writes is seen by no other."""
    with closing(sqlite3.connect(path)) as original, closing(sqlite3.connect(copy)) as copied:
        original.backup(copied)


def answer_in_copy(start_site: Callable[[], Any], question: dict[str, Any]) -> dict[str, Any]:
    """Let a copy of this process start the site with a copy of the database, and answer a question."""
    with tempfile.TemporaryDirectory(prefix="arpad-page-") as folder:
        return _answer_in_copy(start_site, question, Path(folder) / "office.db")


def _answer_in_copy(start_site: Callable[[], Any], question: dict[str, Any], copy: Path) -> dict[str, Any]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        copy_database(Path(os.environ["ARPAD_DB"]), copy)
        os.environ["ARPAD_DB"] = str(copy)
        begun = time.process_time()
        application = start_site()
        started = round(1000 * (time.process_time() - begun), 1)
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps({"start": started, **asyncio.run(answer(application, question))}))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    if not text:
        sys.exit(f"no answer to {question}")
    times: dict[str, Any] = json.loads(text)
    return times


def main() -> None:
    from arpad.web.app import from_environment

    for line in sys.stdin:
        print(json.dumps(answer_in_copy(from_environment, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
