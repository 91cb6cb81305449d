"""The pages for signing in and out, of a user's own account, and of all people and programs."""

from dataclasses import replace
from datetime import UTC
from io import BytesIO
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath
from litestar.response import Redirect

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import ArpadError, BadInput
from arpad.office.accounts import second_factor
from arpad.office.accounts.mail_choices import browser_family, choice_of, choose_mails
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS
from arpad.office.accounts.second_factor import has_factor as office_has_factor
from arpad.office.accounts.sessions import (
    SCOPES,
    SESSION_HOURS,
    ask_for_link,
    choose_password,
    end_other_sessions,
    login_of_link,
    scopes_for,
    sessions_of,
    tokens_of,
)
from arpad.office.accounts.sessions import sign_in as office_sign_in
from arpad.office.accounts.sessions import sign_out as office_sign_out
from arpad.office.accounts.users import all_users, change_own_password
from arpad.office.declared import perform
from arpad.office.mails import CHOOSABLE, OFFICE_KINDS
from arpad.office.settings.pages import setting_fields
from arpad.office.users import Role, User, user_of_session
from arpad.store.accounts import active_choices
from arpad.store.settings import read_setting
from arpad.web.cookies import (
    FORM_COOKIE,
    SESSION_COOKIE,
    cookie_name,
    done_cookie,
    session_cookie,
    session_token,
)
from arpad.web.declared_forms import performed
from arpad.web.errors import DATABASE_ERRORS
from arpad.web.forms import (
    DESK_PATH,
    Done,
    act_and_redirect,
    as_sentence,
    form_from,
    form_texts,
    form_values,
    refuse,
    require_fields,
)
from arpad.web.reader import (
    ADMINISTRATOR,
    BEFORE_OWN_PASSWORD,
    OWN_PASSWORD_PAGE,
    PUBLIC,
    SIGNED_IN,
    WITH_FACTOR,
    caller_of,
    office_as_user,
    signed_in_user,
    words_for,
)
from arpad.web.requests import WebRequest, client_address, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page


def _page(
    request: WebRequest, token_secret: str = "", *, codes: tuple[str, ...] = (), secret: str = ""
) -> Response[str]:
    office, user = require_office(request), signed_in_user(request)
    has_factor = office_has_factor(office, user.login)
    new_secret = "" if has_factor else secret or second_factor.new_secret()
    with office.store.reading() as connection:
        issuer = read_setting(connection, "name") or "Arpad"
    return page(
        request, "accounts/account.html", codes=codes, has_factor=has_factor, secret=new_secret,
        picture=_picture(second_factor.authenticator_url(new_secret, user.login, issuer)) if new_secret else "",
        mail=choice_of(office, user.login), mail_kinds=_mail_kinds(user),
        language_names=[(name, load_words(name).text("form.language")) for name in LANGUAGES],
        browser_family=browser_family,
        sessions=sessions_of(office, user, session_token(request)),
        tokens=tokens_of(office, user.login), scopes=scopes_for(user), logins=[(user.login, user.login)],
        tokens_at="/account",
        token_secret=token_secret,
        status=422 if request.method == "POST" and not (codes or token_secret) else 200,
    )  # fmt: skip


def _done(request: WebRequest, form: str) -> Done:
    """Return what the page says above a form after it was sent."""
    sentence = words_for(request).text(f"user.done-{form}")
    return Done(f"/account?form={form}#{form}", sentence)


def _mail_kinds(user: User) -> list[str]:
    """Return the kinds of mails that a user can get and refuse."""
    at_office = user.has(Role.OFFICER) or user.has(Role.ADMINISTRATOR)
    return [kind for kind in CHOOSABLE if at_office or kind not in OFFICE_KINDS]


def _picture(address: str) -> str:
    """Return the address as a QR code."""
    import segno

    image = BytesIO()
    segno.make(address, error="m").save(
        image, kind="svg", xmldecl=False, svgns=True, scale=4, border=2, dark="#000", light="#fff"
    )
    return image.getvalue().decode()


@get("/account", opt=SIGNED_IN, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """Show the account."""
    return _page(request)


@get("/account/password", opt=BEFORE_OWN_PASSWORD, include_in_schema=False, sync_to_thread=True)
def own_password(request: WebRequest) -> Response[Any]:
    """Show the page where a user replaces a password that an administrator chose."""
    if not signed_in_user(request).password_ends:
        return Redirect("/account#password", status_code=303)
    return page(request, "accounts/own_password.html")


@post("/account/password", opt=BEFORE_OWN_PASSWORD, include_in_schema=False, status_code=200)
async def password(request: WebRequest) -> Response[Any]:
    """Change the password of a user who knows the old one; other sessions end, and this one gets a new token."""
    form, user = await request.form(), signed_in_user(request)

    def act() -> Response[Any]:
        old, new = (str(form.get(name) or "") for name in ("old", "password"))
        token = change_own_password(office_as_user(request), user.login, old, new, session_token(request))
        cookies, address = [session_cookie(request, token, SESSION_HOURS * 3600)], ""
        if user.password_ends:
            address = redirect_url(request, replace(user, password_ends=""))
        else:
            done = _done(request, "password")
            address = done.address
            cookies.append(done_cookie(request, done.said))
        return Redirect(address, status_code=303, cookies=cookies)

    def again() -> Response[str]:
        return page(request, "accounts/own_password.html") if user.password_ends else _page(request)

    return await act_and_redirect(request, act, again)


@post("/account/sessions", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def end_sessions(request: WebRequest) -> Response[Any]:
    """End the other sessions, or one of them."""
    texts = await form_texts(request)

    def act() -> Done:
        end_other_sessions(
            require_office(request), signed_in_user(request), session_token(request), texts.get("session", "")
        )
        return _done(request, "sessions")

    return await act_and_redirect(request, act, lambda: _page(request))


@post("/account/factor", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def begin_factor(request: WebRequest) -> Response[Any]:
    """Turn the second factor on; only the next page shows the recovery codes."""
    form = await request.form()
    password, secret, code = (str(form.get(name) or "") for name in ("password", "secret", "code"))

    def act() -> Response[Any]:
        login = signed_in_user(request).login
        codes = second_factor.turn_on(office_as_user(request), login, password, secret, code)
        return _page(request, codes=codes)

    kept = secret if second_factor.is_secret(secret) else ""
    return await act_and_redirect(request, act, lambda: _page(request, secret=kept))


@post("/account/factor/end", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def end_factor(request: WebRequest) -> Response[Any]:
    """Turn the second factor off."""
    form = await request.form()

    def act() -> Done:
        password, code = (str(form.get(name) or "") for name in ("password", "code"))
        second_factor.turn_off(office_as_user(request), signed_in_user(request).login, password, code[:40])
        return _done(request, "factor")

    return await act_and_redirect(request, act, lambda: _page(request))


@post("/account/mail", opt=SIGNED_IN, include_in_schema=False, status_code=200)
async def choose_mail(request: WebRequest) -> Response[Any]:
    """Change where the user gets mails, in which language, and which."""
    form = await request.form()
    texts = await form_texts(request)
    wanted = {str(kind) for kind in form.getall("kinds", [])}

    def act() -> Done:
        require_fields(texts, "address", "language")
        user = signed_in_user(request)
        unwanted = [kind for kind in _mail_kinds(user) if kind not in wanted]
        values = {"login": user.login, "address": texts["address"], "language": texts["language"]}
        perform(
            choose_mails, require_office(request), caller_of(request), values | {"without": unwanted or [""]}
        )
        return _done(request, "mail")

    return await act_and_redirect(request, act, lambda: _page(request))


@post("/account/tokens", opt=WITH_FACTOR, include_in_schema=False, status_code=200)
async def new_token(request: WebRequest) -> Response[Any]:
    """Create a token for a program of the user; only the next page shows it."""
    return await performed(request, "token issue", lambda _given, made: _page(request, made.secret))


PROGRAMS = "/admin/programs"


@get("/admin/people", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def people(request: WebRequest) -> Response[str]:
    """Show the users, with the forms to change and to invite them."""
    office = require_office(request)
    with office.store.reading() as connection:
        mails = {choice.user: choice for choice in active_choices(connection)}
    return page(
        request, "accounts/people.html", users=all_users(office), mails=mails, roles=tuple(Role),
        password_days=GIVEN_PASSWORD_DAYS, now=office.now().astimezone(UTC).isoformat(),
        sign_in=setting_fields(request, "second_factor"),
    )  # fmt: skip


def _programs(request: WebRequest, secret: str = "") -> Response[str]:
    office = require_office(request)
    logins = [(user.login, user.login) for user in all_users(office)]
    return page(
        request, "accounts/programs.html", tokens=tokens_of(office), scopes=SCOPES, secret=secret, logins=logins,
        tokens_at=PROGRAMS,
    )  # fmt: skip


@get(PROGRAMS, opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def programs(request: WebRequest) -> Response[str]:
    """Show the tokens of programs."""
    return _programs(request)


@post(f"{PROGRAMS}/tokens", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def new_program_token(request: WebRequest) -> Response[Any]:
    """Create a token; only the next page shows it."""
    return await performed(request, "token issue", lambda _given, made: _programs(request, made.secret))


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
