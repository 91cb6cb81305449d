"""Tournaments in progress at the desk: arbiters send the report after each round, and end the page."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from arpad.model.errors import BadInput
from arpad.office.inbox.check_pages import bounds_of
from arpad.office.reports.fact_forms import fact_fields, facts_of
from arpad.office.running.acts import may_replace, running_pages, shown
from arpad.office.running.jobs import run_version
from arpad.office.running.pages import local_time
from arpad.office.running.rows import versions_of
from arpad.web.auth import ARBITER, COSTLY, office_as_user, signed_in_user
from arpad.web.forms import act_and_redirect, form_texts
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import site_address
from arpad.web.templates import page
from arpad.web.uploads import uploaded_report


@get("/desk/running", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def running_desk(request: WebRequest) -> Response[str]:
    """Show the form for a round, and the tournaments that the user may continue."""
    return _page(request)


def _page(request: WebRequest) -> Response[str]:
    office, permitted = require_office(request), may_replace(signed_in_user(request))
    with office.store.reading() as connection:
        items = [item for item in running_pages(connection) if permitted(item.tournament)]
        own = [
            (
                item,
                [
                    (sent, local_time(connection, sent.at))
                    for sent in versions_of(connection, item.tournament.name)
                ],
            )
            for item in items
        ]
        open_to_all = shown(connection)
    list_field = [field for field in fact_fields(words_for(request)) if field.name == "list"]
    return page(
        request, "running/desk.html", own=own, list_field=list_field, open_to_all=open_to_all,
        chosen=request.query_params.get("name", "")[:60], sent=request.query_params.get("sent", ""),
        origin=site_address(request),
    )  # fmt: skip


@post("/desk/running", opt=dict(ARBITER) | COSTLY, include_in_schema=False, status_code=200)
async def send_running(request: WebRequest) -> Response[Any]:
    """Replace the version of a tournament in progress by the uploaded one, or begin one."""
    form = await request.form()
    upload = await uploaded_report(form)
    texts = await form_texts(request)

    def act() -> str:
        if upload is None:
            raise BadInput("running-no-file", option="file")
        office, user = office_as_user(request), signed_in_user(request)
        facts = facts_of({"list": texts.get("list", "")})
        older = bool(texts.get("older"))
        sent = run_version(
            bounds_of(request), upload, office, texts.get("address", "").strip(), user, facts, older=older
        )
        tournament = sent.tournament
        return f"/desk/running?name={tournament.name}&sent={tournament.version}"

    return await act_and_redirect(request, act, lambda: _page(request))


ROUTES = (running_desk, send_running)
