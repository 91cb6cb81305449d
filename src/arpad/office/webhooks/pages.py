"""The page of webhooks for administrators: add, remove, send again, and the log."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath

from arpad.model.errors import ArpadError
from arpad.office.webhooks import acts as webhooks
from arpad.office.webhooks.changes import ChangeKind
from arpad.web.auth import ADMINISTRATOR
from arpad.web.desk import desk_of
from arpad.web.forms import act_and_redirect, form_texts, form_values, refuse
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

LOGGED = 50
PAGE = "/admin/webhooks"


def _page(request: WebRequest, secret: tuple[int, str] | None = None) -> Response[str]:
    office = require_office(request)
    return page(
        request, "webhooks/page.html",
        webhooks=webhooks.all_webhooks(office), log=webhooks.webhook_log(office, most=LOGGED),
        kinds=tuple(ChangeKind), secret=secret,
    )  # fmt: skip


@get(PAGE, opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """Show the webhooks and what they were told."""
    return _page(request)


@post(PAGE, opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def new_webhook(request: WebRequest) -> Response[str]:
    """Add a webhook; only the next page shows its secret."""
    texts = await form_texts(request)

    def act() -> Response[str]:
        kinds = [kind for kind in ChangeKind if texts.get(f"kind-{kind}")]
        host = texts.get("private_host", "")
        try:
            added = webhooks.add_webhook(desk_of(request), texts.get("url", ""), kinds, private_host=host)
        except ArpadError as error:
            refuse(request, error, form_values(texts.items()))
            return _page(request)
        return _page(request, added)

    return await sync_to_thread(act)


@post(f"{PAGE}/{{number:int}}/{{verb:str}}", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def change_webhook(request: WebRequest, number: FromPath[int], verb: FromPath[str]) -> Response[Any]:
    """Remove a webhook, or send again what its receiver has not accepted."""

    def act() -> str:
        if verb == "remove":
            webhooks.remove_webhook(desk_of(request), number)
        elif verb == "retry":
            webhooks.retry_webhook(desk_of(request), number)
        else:
            raise Refused(404, "no-page")
        return PAGE

    return await act_and_redirect(request, act, lambda: _page(request))


ROUTES = (overview, new_webhook, change_webhook)
