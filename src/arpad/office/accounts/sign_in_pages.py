"""The pages for signing in and out, for a forgotten password, and for choosing one by the link of a mail."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath
from litestar.response import Redirect

from arpad.model.errors import ArpadError, BadInput
from arpad.office.accounts.password_links import ask_for_link, choose_password, login_of_link
from arpad.office.accounts.sessions import SESSION_HOURS
from arpad.office.accounts.sessions import sign_in as office_sign_in
from arpad.office.accounts.sessions import sign_out as office_sign_out
from arpad.office.sessions import user_of_session
from arpad.office.users import Role, User
from arpad.web.auth import BEFORE_OWN_PASSWORD, OWN_PASSWORD_PAGE, PUBLIC
from arpad.web.cookies import FORM_COOKIE, SESSION_COOKIE, cookie_name, session_cookie, session_token
from arpad.web.errors import DATABASE_ERRORS
from arpad.web.forms import DESK_PATH, as_sentence, form_from, form_values, refuse
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, client_address, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

REDIRECT_URLS = ("/", "/desk", "/admin", "/check")
"""Addresses to which a user may be redirected after signing in; never another site."""


@get("/sign-in", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def sign_in_page(request: WebRequest) -> Response[str]:
    """Show the form."""
    require_office(request)
    next_url = request.query_params.get("next", "/desk")
    return page(
        request, "sign_in.html", sentence="", login="", next_url=next_url if next_url in REDIRECT_URLS else "/desk",
        saved=[], resume="", chosen="chosen" in request.query_params,
    )  # fmt: skip


@post("/sign-in", opt=PUBLIC, include_in_schema=False, status_code=200)
async def sign_in(request: WebRequest) -> Response[Any]:
    """Open a session if the password is right; always a new one, whatever cookie the browser sent."""
    office = require_office(request)
    form = await request.form()
    login, password, next_url = (str(form.get(name) or "") for name in ("login", "password", "next"))
    code, browser = str(form.get("code") or "")[:40], request.headers.get("user-agent", "")
    resume = str(form.get("resume") or "")
    saved = form_from(form.multi_items()) if DESK_PATH.fullmatch(resume) else []

    def act() -> Response[Any]:
        try:
            token = office_sign_in(
                office, login, password, client_address(request), code=code, browser=browser
            )
        except BadInput as error:
            if error.code in DATABASE_ERRORS:
                raise
            sentence = as_sentence(words_for(request).error(error))
            return page(
                request, "sign_in.html", status=400, sentence=sentence, login=login[:60],
                next_url=next_url if next_url in REDIRECT_URLS else "/desk", saved=saved,
                resume=resume if saved else "", chosen=False,
            )  # fmt: skip
        if old_token := session_token(request):
            office_sign_out(office, old_token)
        user = user_of_session(office, token)
        url = redirect_url(request, user, next_url)
        response: Response[Any] = Redirect(url, status_code=303)
        if saved and url == "/desk":
            request.scope["arpad_user"] = user  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping
            request.scope["arpad_new_session"] = token  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping
            response = page(request, "saved_form.html", saved=saved, resume=resume)
        response.cookies.append(session_cookie(request, token, SESSION_HOURS * 3600))
        response.delete_cookie(cookie_name(request, FORM_COOKIE))
        return response

    return await sync_to_thread(act)


def redirect_url(request: WebRequest, user: User | None, next_url: str = "") -> str:
    """Return where to redirect a user: to what they must do first, else to the wanted page, else to their desk."""
    if user is not None and user.password_ends:
        return OWN_PASSWORD_PAGE
    if user is not None and not user.factor and settings_of(request).demands_factor:
        return "/account#factor"
    if next_url in REDIRECT_URLS and next_url != "/desk":
        return next_url
    if user is not None and (user.has(Role.ARBITER) or user.has(Role.OFFICER)):
        return "/desk"
    return "/admin" if user is not None and user.has(Role.ADMINISTRATOR) else "/account"


@post("/sign-out", opt=BEFORE_OWN_PASSWORD, include_in_schema=False, status_code=200)
async def sign_out(request: WebRequest) -> Response[Any]:
    """End the session in the browser and in the store."""
    await sync_to_thread(office_sign_out, require_office(request), session_token(request))
    led = Redirect("/", status_code=303)
    led.delete_cookie(cookie_name(request, SESSION_COOKIE))
    led.headers["Clear-Site-Data"] = '"cache"'
    return led


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


ROUTES = (sign_in_page, sign_in, sign_out, forgotten_page, forgotten, link_page, use_link)
