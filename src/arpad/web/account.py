"""One's own account: the password, the sessions that are open, the second factor."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.response import Redirect

from arpad import accounts
from arpad.accounts import second_factor
from arpad.model.errors import ArpadError
from arpad.store.settings import read_setting
from arpad.web.auth import BEFORE_OWN_PASSWORD, SIGNED_IN
from arpad.web.cookies import session_cookie, session_token
from arpad.web.forms import act_and_redirect, form_texts, form_values, refuse
from arpad.web.reports_inbox import desk_of, worker
from arpad.web.requests import WebRequest, require_office
from arpad.web.sign_in import place_of
from arpad.web.templates import page


def _page(request: WebRequest, *, codes: tuple[str, ...] = (), secret: str = "") -> Response[str]:
    office, user = require_office(request), worker(request)
    has_factor = accounts.has_factor(office, user.login)
    offered = "" if has_factor else secret or second_factor.new_secret()
    with office.store.reading() as connection:
        issuer = read_setting(connection, "name") or "Arpad"
    return page(
        request, "account.html", codes=codes, has_factor=has_factor, secret=offered,
        picture=_picture(second_factor.authenticator_url(offered, user.login, issuer)) if offered else "",
        sessions=accounts.sessions_of(office, user, session_token(request)),
        status=422 if request.method == "POST" and not codes else 200,
    )  # fmt: skip


def _picture(address: str) -> str:
    """The address as a picture that a telephone reads."""
    import segno

    drawn = BytesIO()
    segno.make(address, error="m").save(
        drawn, kind="svg", xmldecl=False, svgns=True, scale=4, border=2, dark="#000", light="#fff"
    )
    return drawn.getvalue().decode()


@get("/account", opt=SIGNED_IN, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """What concerns nobody else."""
    return _page(request)


@get("/account/password", opt=BEFORE_OWN_PASSWORD, include_in_schema=False, sync_to_thread=True)
def own_password(request: WebRequest) -> Response[Any]:
    """Where whoever has a password that somebody else chose chooses his own; for others it stands on the account."""
    if not worker(request).password_ends:
        return Redirect("/account#password", status_code=303)
    return page(request, "own_password.html")


@post("/account/password", opt=BEFORE_OWN_PASSWORD, include_in_schema=False, status_code=200)
async def password(request: WebRequest) -> Response[Any]:
    """A new password for whoever knows the old one; the other sessions end, and this one goes by another token."""
    given = await request.form()

    def work() -> Response[Any]:
        user = worker(request)
        old, new = (str(given.get(name) or "") for name in ("old", "password"))
        try:
            token = accounts.change_own_password(
                desk_of(request), user.login, old, new, session_token(request)
            )
        except ArpadError as error:
            refuse(request, error, form_values(given.multi_items()))
            return page(request, "own_password.html") if user.password_ends else _page(request)
        chosen = replace(user, password_ends="")
        led = Redirect(
            place_of(request, chosen) if user.password_ends else "/account#password", status_code=303
        )
        led.cookies.append(session_cookie(request, token, accounts.SESSION_HOURS * 3600))
        return led

    return await sync_to_thread(work)


@post("/account/sessions", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def end_sessions(request: WebRequest) -> Response[Any]:
    """End the other sessions, or one of them."""
    given = await form_texts(request)

    def work() -> str:
        accounts.end_other_sessions(
            require_office(request), worker(request), session_token(request), given.get("session", "")
        )
        return "/account#sessions"

    return await act_and_redirect(request, work, lambda: _page(request))


@post("/account/factor", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def begin_factor(request: WebRequest) -> Response[Any]:
    """Ask for codes from now on; the page that answers shows the codes for a lost telephone, this once."""
    form = await request.form()
    given = {name: str(value) for name, value in form.items() if isinstance(value, str)}

    def work() -> Response[Any]:
        secret = given.get("secret", "")
        try:
            codes = second_factor.turn_on(
                desk_of(request),
                worker(request).login,
                given.get("password", ""),
                secret,
                given.get("code", ""),
            )
        except ArpadError as error:
            refuse(request, error, form_values(given.items()))
            return _page(request, secret=secret if second_factor.is_secret(secret) else "")
        return _page(request, codes=codes)

    return await sync_to_thread(work)


@post("/account/factor/end", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def end_factor(request: WebRequest) -> Response[Any]:
    """Ask for no code any more."""
    given = await request.form()

    def work() -> str:
        shown, code = (str(given.get(name) or "") for name in ("password", "code"))
        second_factor.turn_off(desk_of(request), worker(request).login, shown, code[:40])
        return "/account#factor"

    return await act_and_redirect(request, work, lambda: _page(request))


ROUTES = (overview, own_password, password, end_sessions, begin_factor, end_factor)
