"""The pages of administrators: users and their roles, tokens of programs, settings, own editions."""

from __future__ import annotations

from datetime import UTC
from typing import Any
from zoneinfo import available_timezones

from litestar import Response, get, post

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.federations import RULES
from arpad.model.retention import SETTINGS as KEEP_SETTINGS
from arpad.model.rules import LISTS, Edition
from arpad.office.accounts.pages import token_page
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS
from arpad.office.accounts.tokens import SCOPES, tokens_of
from arpad.office.accounts.users import all_users
from arpad.office.declared import perform
from arpad.office.editions.acts import OwnEdition, own_editions, own_named
from arpad.office.editions.rows import TITLES
from arpad.office.office import Office
from arpad.office.settings.acts import OWNED, all_settings
from arpad.office.settings.switches import feature_switches
from arpad.office.users import Role
from arpad.regulations.all_editions import EVERY
from arpad.regulations.editions import named
from arpad.web.auth import ADMINISTRATOR, caller_of
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
        request, "admin.html", users=users, tokens=tokens_of(office), roles=tuple(Role), scopes=SCOPES,
        settings=all_settings(office), secret=secret, password_days=GIVEN_PASSWORD_DAYS,
        now=office.now().astimezone(UTC).isoformat(), logins=[(user.login, user.login) for user in users],
        language_names=[(name, load_words(name).text("form.language")) for name in LANGUAGES],
        zones=sorted(zone for zone in available_timezones() if zone.startswith(CONTINENTS)),
        own=_own(office), lists=LISTS,
        keep_settings=KEEP_SETTINGS, owned=OWNED,
        features=perform(feature_switches, office, caller_of(request), {}).features,
        owners=[(rule, words_for(request).text(f"site.owned-{rule}")) for rule in RULES],
    )  # fmt: skip


@get("/admin", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """Show users, tokens and settings."""
    return _page(request)


@post("/admin/tokens", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def new_token(request: WebRequest) -> Response[str]:
    """Create a token; only the next page shows it."""
    return await token_page(request, _page)


ROUTES = (overview, new_token)
