"""The changes of the office for programs that keep a copy: the same as webhooks send, to be fetched."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get

from arpad.model.cursors import parse_cursor
from arpad.office.office import Office
from arpad.office.sessions import user_of_token
from arpad.office.webhooks.changes import change_document, changes_after
from arpad.web.api.cursors import After
from arpad.web.api.responses import answers, etagged, to_schema
from arpad.web.api.schemas import ChangeOut, ChangesOut
from arpad.web.auth import PUBLIC, bearer_token
from arpad.web.refusals import Refused
from arpad.web.requests import require_office

SCOPE = "submit"


@get(
    "/changes", opt=PUBLIC, sync_to_thread=True, summary="What changed",
    responses=answers(ChangesOut, "GET /api/v1/changes", 400, 401, 403, 404, etag=True),
)  # fmt: skip
def list_changes(request: Request[Any, Any, Any], after: After = "") -> Response[Any]:
    """Reports accepted, rated and withdrawn; lists published, corrected and taken back: 200 at a time, in order.

    The id of a change is a cursor: after it come the changes that you do not know yet.
    With a token of the scope submit, also the reports that its user sent: received and returned.
    """
    office, cursor = require_office(request), parse_cursor(after)
    sender = _sender(request, office)
    with office.store.reading() as connection:
        page = changes_after(connection, cursor, sender=sender)
    shown = [to_schema(ChangeOut, change_document(change)) for change in page.changes]
    response = etagged(request, ChangesOut(shown, str(page.next) if shown else after, page.more))
    if sender:
        response.headers["Cache-Control"] = "private, no-cache"
    return response


def _sender(request: Request[Any, Any, Any], office: Office) -> str:
    """Return the login of the token in the request; empty if it has none."""
    token = bearer_token(request)
    if not token:
        return ""
    user_and_scopes = user_of_token(office, token)
    if user_and_scopes is None:
        raise Refused(401, "token-needed", scope=SCOPE)
    user, scopes = user_and_scopes
    if SCOPE not in scopes:
        raise Refused(403, "scope-needed", scope=SCOPE)
    return user.login


ROUTES = (list_changes,)
