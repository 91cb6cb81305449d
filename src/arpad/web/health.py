"""Whether the server lives, whether it can do its work, and figures about it: for machines, without a page."""

from __future__ import annotations

import hmac

from litestar import Response, get

from arpad.store import between_acts
from arpad.system.server_settings import secret
from arpad.web import metrics
from arpad.web.auth import PUBLIC, bearer_token
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, office_of

NO_STORE = {"Cache-Control": "no-store"}


@get("/health/live", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def live() -> Response[str]:
    """Answer as long as the process does."""
    return Response("alive\n", media_type="text/plain", headers=NO_STORE)


@get("/health/ready", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def ready(request: WebRequest) -> Response[str]:
    """Answer 200 if the database of the office can be read, else 503."""
    office = office_of(request)
    if office is not None:
        with office.store.reading() as connection:  # else the answer is that of every page: 503
            between_acts.head(connection)
    return Response("ready\n", media_type="text/plain", headers=NO_STORE)


@get("/metrics", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def figures(request: WebRequest) -> Response[bytes]:
    """Return figures for Prometheus to whoever sends the token of the server; without a token there are none."""
    token = secret(metrics.TOKEN)
    if not token:
        raise Refused(404, "no-page")
    if not hmac.compare_digest(bearer_token(request).encode(), token.encode()):
        raise Refused(401, "token-needed", scope="metrics")
    return Response(metrics.figures(office_of(request)), media_type=metrics.CONTENT_TYPE, headers=NO_STORE)


ROUTES = (live, ready, figures)
