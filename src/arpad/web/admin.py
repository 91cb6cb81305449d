"""The pages of administrators: users and their roles, tokens of programs, settings, own editions."""

from __future__ import annotations

from datetime import UTC
from typing import Any
from zoneinfo import available_timezones

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.ownership import RULES
from arpad.model.retention import SETTINGS as KEEP_SETTINGS
from arpad.model.rules import Edition, ListName
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS
from arpad.office.accounts.tokens import SCOPES, all_tokens, issue_token
from arpad.office.accounts.tokens import withdraw_token as office_withdraw_token
from arpad.office.accounts.users import add_user, all_users
from arpad.office.accounts.users import change_user as office_change_user
from arpad.office.editions.acts import OwnEdition, own_editions, own_named
from arpad.office.editions.rows import TITLES
from arpad.office.office import Office
from arpad.office.settings.acts import OWNED, all_settings
from arpad.office.users import Grant, Role
from arpad.regulations.all_editions import EVERY
from arpad.regulations.editions import named
from arpad.web.auth import ADMINISTRATOR
from arpad.web.desk import desk_of
from arpad.web.forms import act_and_redirect, choice_field, form_texts, form_values, refuse, require_fields
from arpad.web.language import words_for
from arpad.web.regulations import RuleDifference, differences
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

CONTINENTS = (
    "Africa/",
    "America/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
    "UTC",
)
SAVED = frozenset({"settings", "users", "tokens"})
"""The names in the address that say what was saved just before, so that the page confirms it."""


def _grants(texts: dict[str, str]) -> list[Grant]:
    federation = texts.get("federation", "").upper()[:10]
    return [
        Grant(role, federation if role is not Role.ADMINISTRATOR else "")
        for role in Role
        if texts.get(f"role-{role}")
    ]


def _own(office: Office) -> list[tuple[Edition[Any], list[OwnEdition], list[RuleDifference]]]:
    """Return each own edition with its adoptions and its differences from the edition it is based on."""
    with office.store.reading() as connection:
        editions = (*own_named(connection), *own_named(connection, TITLES))
    adoptions = own_editions(office).editions
    return [
        (
            edition,
            [row for row in adoptions if row.edition == edition.id],
            differences(named(edition.base, EVERY), edition)[0],
        )
        for edition in editions
    ]


def _page(request: WebRequest, secret: str = "") -> Response[str]:
    office = require_office(request)
    users = all_users(office)
    return page(
        request, "admin.html", users=users, tokens=all_tokens(office), roles=tuple(Role), scopes=SCOPES,
        settings=all_settings(office), secret=secret, password_days=GIVEN_PASSWORD_DAYS,
        now=office.now().astimezone(UTC).isoformat(), logins=[(user.login, user.login) for user in users],
        language_names=[(name, load_words(name).text("form.language")) for name in LANGUAGES],
        zones=sorted(zone for zone in available_timezones() if zone.startswith(CONTINENTS)),
        saved=request.query_params.get("saved") in SAVED, own=_own(office), lists=tuple(ListName),
        keep_settings=KEEP_SETTINGS, owned=OWNED,
        owners=[(rule, words_for(request).text(f"site.owned-{rule}")) for rule in RULES],
    )  # fmt: skip


@get("/admin", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """Show users, tokens and settings."""
    return _page(request)


async def _with_password(request: WebRequest) -> dict[str, str]:
    """Return the texts of a form, with the password exactly as it was typed."""
    typed = (await request.form()).get("password")
    return {**await form_texts(request), "password": typed if isinstance(typed, str) else ""}


@post("/admin/users", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def new_user(request: WebRequest) -> Response[Any]:
    """Add a user."""
    texts = await _with_password(request)

    def act() -> str:
        add_user(
            desk_of(request),
            texts.get("login", ""),
            texts.get("name", ""),
            texts.get("password", ""),
            _grants(texts),
            address=texts.get("address", ""),
            language=words_for(request).language,
        )
        return "/admin?saved=users"

    return await act_and_redirect(request, act, lambda: _page(request))


@post("/admin/users/{login:str}", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def change_user(request: WebRequest, login: FromPath[str]) -> Response[Any]:
    """Change roles, close or open an account, set a new password."""
    texts = await _with_password(request)

    def act() -> str:
        office = desk_of(request)
        require_fields(texts, "active", "federation")
        active = choice_field(texts, "active", ("yes", "no")) == "yes"
        roles = _grants(texts)
        if login == office.author and not (active and Grant(Role.ADMINISTRATOR) in roles):
            raise BadInput("not-yourself")
        if login == office.author and (texts.get("password") or texts.get("without-factor")):
            raise BadInput("own-account-elsewhere")
        office_change_user(
            office, login, roles=roles, active=active, password=texts.get("password", ""),
            without_factor=bool(texts.get("without-factor")),
        )  # fmt: skip
        return "/admin?saved=users"

    return await act_and_redirect(request, act, lambda: _page(request))


@post("/admin/tokens", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def new_token(request: WebRequest) -> Response[str]:
    """Create a token; only the next page shows it."""
    texts = await form_texts(request)

    def act() -> Response[str]:
        scopes = [name for name in SCOPES if texts.get(f"scope-{name}")]
        try:
            secret = issue_token(desk_of(request), texts.get("login", ""), texts.get("name", ""), scopes)
        except ArpadError as error:
            refuse(request, error, form_values(texts.items()))
            return _page(request)
        return _page(request, secret)

    return await sync_to_thread(act)


@post("/admin/tokens/{number:int}/withdraw", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def withdraw_token(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Withdraw a token."""

    def act() -> str:
        office_withdraw_token(desk_of(request), number)
        return "/admin?saved=tokens"

    return await act_and_redirect(request, act, lambda: _page(request))


ROUTES = (
    overview,
    new_user,
    change_user,
    new_token,
    withdraw_token,
)
