"""The pages of the people who sign in, and of the programs that work for them."""

from __future__ import annotations

from datetime import UTC

from litestar import Response, get, post

from arpad.office.accounts.pages import token_page
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS
from arpad.office.accounts.tokens import SCOPES, tokens_of
from arpad.office.accounts.users import all_users
from arpad.office.settings.pages import setting_fields
from arpad.office.users import Role
from arpad.store.mails import active_choices
from arpad.web.auth import ADMINISTRATOR
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

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
async def new_token(request: WebRequest) -> Response[str]:
    """Create a token; only the next page shows it."""
    return await token_page(request, _programs)


ROUTES = (people, programs, new_token)
