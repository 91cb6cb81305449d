"""The pages for a forgotten password, and for choosing one by the link of a mail."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath
from litestar.response import Redirect

from arpad.model.errors import ArpadError, BadInput
from arpad.office.accounts.password_links import ask_for_link, choose_password, login_of_link
from arpad.web.auth import PUBLIC
from arpad.web.errors import DATABASE_ERRORS
from arpad.web.forms import form_values, refuse
from arpad.web.requests import WebRequest, client_address, require_office
from arpad.web.templates import page

UNSEEN = {"Cache-Control": "private, no-store"}
"""The address of a link's page is a secret: no cache keeps it. No other site learns it, as of every page
(``Referrer-Policy: same-origin``); with ``no-referrer`` browsers would send its form as one of nobody."""

GONE = 410


@get("/forgotten", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def forgotten_page(request: WebRequest) -> Response[str]:
    """Show the form."""
    require_office(request)
    return page(request, "accounts/forgotten.html", sent=False)


@post("/forgotten", opt=PUBLIC, include_in_schema=False, status_code=200)
async def forgotten(request: WebRequest) -> Response[Any]:
    """Queue the question; the answer is the same whether or not there is such a user."""
    form = await request.form()

    def act() -> Response[Any]:
        try:
            ask_for_link(require_office(request), str(form.get("login") or ""), client_address(request))
        except BadInput as error:
            if error.code in DATABASE_ERRORS:
                raise
            refuse(request, error, form_values(form.multi_items()))
            return page(request, "accounts/forgotten.html", sent=False)
        return page(request, "accounts/forgotten.html", sent=True)

    return await sync_to_thread(act)


@get("/password/{link:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def link_page(request: WebRequest, link: FromPath[str]) -> Response[str]:
    """Show the form of a link; opening it does not use it."""
    try:
        login = login_of_link(require_office(request), link)
    except BadInput as error:
        if error.code != "link-ended":
            raise
        return page(request, "accounts/password_link.html", status=GONE, headers=UNSEEN, login="", link="")
    return page(request, "accounts/password_link.html", headers=UNSEEN, login=login, link=link)


@post("/password/{link:str}", opt=PUBLIC, include_in_schema=False, status_code=200)
async def use_link(request: WebRequest, link: FromPath[str]) -> Response[Any]:
    """Set the password that the user of a link chose."""
    form = await request.form()

    def act() -> Response[Any]:
        office, login = require_office(request), ""
        try:
            login = login_of_link(office, link)
            choose_password(replace(office, author=login), link, str(form.get("password") or ""))
        except ArpadError as error:
            if error.code in DATABASE_ERRORS:
                raise
            if not login or error.code == "link-ended":
                return page(
                    request, "accounts/password_link.html", status=GONE, headers=UNSEEN, login="", link=""
                )
            refuse(request, error, form_values(form.multi_items()))
            return page(request, "accounts/password_link.html", headers=UNSEEN, login=login, link=link)
        return Redirect("/sign-in?chosen=1", status_code=303)

    return await sync_to_thread(act)


ROUTES = (forgotten_page, forgotten, link_page, use_link)
