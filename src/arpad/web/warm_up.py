"""The pages that a server asks itself for before its first visitor comes.

The first request of a process is slow: queries are compiled, and Polars, the words and the values that only acts change
are loaded. A server has a moment for that while it starts, and a visitor has not.
"""

from __future__ import annotations

import asyncio
import re
from threading import Thread
from typing import Any

from litestar import Litestar

from arpad.explain.words import load_words
from arpad.model.rules import name_of_list
from arpad.office.inbox.pages import MOST_SHOWN
from arpad.office.office import Office
from arpad.office.parts import event_deadlines
from arpad.office.proof.pages import acts_shown
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.page_rows import count_reports, reports_page
from arpad.office.reports.tables import RECEIVED
from arpad.store.ledger import AskedActs
from arpad.web.middleware import Message

_PAGES = ("/", "/lists", "/players?q=a", "/tournaments", "/sign-in", "/guides", "/developers")
_ONE_OF_EACH = re.compile(r'href="(/(players|lists|tournaments)/[\w-]+)[?"]')
"""The address of a player, a list or a tournament on a page."""

_HOST = b"localhost"


def ask_first_pages(application: Litestar) -> None:
    """Ask an application for the pages that most visitors ask for; what they contain is thrown away."""
    asking = Thread(target=lambda: asyncio.run(_ask_pages(application)))  # the server may have a loop already
    asking.start()
    asking.join()


def read_for_desk(office: Office) -> None:
    """Read what officers look at all day; what it says is thrown away."""
    acts_shown(office, AskedActs(), 0, load_words("en"))
    event_deadlines(office, everything=True)
    with office.store.reading() as connection:
        count_reports(connection, RECEIVED, frozenset({""}))
        for waiting in (True, False):
            shown = reports_page(connection, 1, MOST_SHOWN, waiting=waiting)
            decisions_about(connection, [filed.id for filed, _ in shown.reports])


async def _ask_pages(application: Litestar) -> None:
    texts = [await _page(application, address) for address in _PAGES]
    one_of_each: dict[str, str] = {}
    for address, kind in _ONE_OF_EACH.findall("".join(texts)):
        one_of_each.setdefault(name_of_list(address) if kind == "lists" else kind, address)
    for address in one_of_each.values():
        await _page(application, address)


async def _page(application: Litestar, address: str) -> str:
    """Return a page as a visitor gets it."""
    path, _, query = address.partition("?")
    scope: Any = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
        "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(b"host", _HOST), (b"accept", b"text/html")], "server": None, "client": None, "state": {},
    }  # fmt: skip
    parts: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        parts.append(message.get("body", b""))

    await application(scope, receive, send)  # type: ignore[arg-type]  # the library's own names of these types
    return b"".join(parts).decode()
