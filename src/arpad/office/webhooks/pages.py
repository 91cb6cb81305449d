"""The page of webhooks for administrators: add, remove, send again, and the log."""

from typing import Any

from litestar import Response, get, post

from arpad.office.webhooks.acts import PAGE, ChangeKind, NewWebhook, all_webhooks, webhook_log
from arpad.web.declared_forms import performed
from arpad.web.reader import ADMINISTRATOR, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

LOGGED = 50


def _page(request: WebRequest, added: NewWebhook | None = None) -> Response[str]:
    office, words = require_office(request), words_for(request)
    return page(
        request, "webhooks/page.html",
        webhooks=all_webhooks(office).webhooks, log=webhook_log(office, most=LOGGED).deliveries, added=added,
        kinds=[(str(kind), words.text(f"change-kind.{kind}")) for kind in ChangeKind],
    )  # fmt: skip


@get(PAGE, opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """Show the webhooks and what they were told."""
    return _page(request)


@post(PAGE, opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def new_webhook(request: WebRequest) -> Response[Any]:
    """Add a webhook; only the next page shows its secret."""
    return await performed(request, "webhook add", lambda _given, added: _page(request, added))
