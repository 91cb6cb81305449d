"""What somebody typed at the desk whose session had ended meanwhile: it waits in the page where he signs in again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.handlers import BaseRouteHandler

from arpad.web.auth import SAFE_METHODS, Connection, from_elsewhere, user_of
from arpad.web.middleware import CUT_OFF

MARK = "held-"
AT_THE_DESK = re.compile(r"/desk/[a-z0-9/-]{1,100}")

FormFields = list[tuple[str, str]]
"""Names and texts of a form, in its order."""


async def save_form(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Keep the texts of a form of ours that nobody signed in has sent; the guard refuses it next."""
    if connection.scope.get("method") in SAFE_METHODS or not AT_THE_DESK.fullmatch(connection.url.path):
        return
    if not isinstance(connection, Request) or CUT_OFF in connection.scope or from_elsewhere(connection):
        return
    if await sync_to_thread(user_of, connection) is None:
        items = (await connection.form()).multi_items()
        typed: FormFields = [(name, text) for name, text in items if isinstance(text, str) and name != "csrf"]
        connection.scope["arpad_held"] = typed  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping


def saved_form(request: Request[Any, Any, Any]) -> FormFields:
    """What waits to be sent."""
    found: FormFields = request.scope.get("arpad_held", [])  # type: ignore[assignment]  # a key of ours in the server's mapping
    return found


def form_from(items: Iterable[tuple[str, Any]]) -> FormFields:
    """The same out of the form where he signs in."""
    return [(name.removeprefix(MARK), str(value)) for name, value in items if name.startswith(MARK)]
