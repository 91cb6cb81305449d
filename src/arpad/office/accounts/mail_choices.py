"""The address, language and kinds of a user's mails; and the mail about a sign-in from a new place."""

import ipaddress
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from arpad.model.declared import Accepts
from arpad.model.typed_values import check_among
from arpad.office.accounts.users import AddressOrNone, Language, Login, known_user, set_mails
from arpad.office.declared import act
from arpad.office.mails import CHOOSABLE, queue_for_user
from arpad.office.office import ActContext, Office, iso_time, utc_now
from arpad.office.settings.retention import time_kept
from arpad.office.users import own_account
from arpad.store import accounts
from arpad.store.accounts import MailChoice

Unwanted = Annotated[
    list[str],
    Accepts(
        "list-published", word="mails-unwanted", personal=False,
        read=lambda text, option: text and check_among(text, option, CHOOSABLE),
    ),
]  # fmt: skip
OWN = own_account(lambda _connection, user, given: given["login"] == user.login)


@dataclass(frozen=True, slots=True)
class ChosenMails:
    """Where a user gets mails, in which language, and the kinds that are not wanted."""

    login: str
    address: str | None
    language: str | None
    unwanted: tuple[str, ...]
    done: str
    """``chosen`` or ``chosen-none``."""


def choice_of(office: Office, login: str) -> MailChoice | None:
    """Return the choice of a user; None without an address."""
    with office.store.reading() as connection:
        return accounts.mail_choice(connection, known_user(connection, login).id)


@act("user mails", OWN, says="mail.{done}", verb="choose-mails")
def choose_mails(
    act: ActContext,
    login: Login,
    *,
    address: AddressOrNone | None = None,
    language: Language | None = None,
    without: Unwanted | None = None,
) -> ChosenMails:
    """Show or change which mails a user gets, where and in which language.

    An empty address deletes everything that was known; an empty kind means that all kinds are wanted.

    Example: arpad office user mails anna --address anna@example.org --without list-published --db office.db
    """
    user = known_user(act.connection, login)
    act.unchanged = address is None and language is None and without is None
    if act.unchanged:
        return _chosen(login, accounts.mail_choice(act.connection, user.id))
    unwanted = None if without is None else frozenset(filter(None, without))
    choice = set_mails(act.connection, user.id, address, language, unwanted)
    # The ledger is for ever: it says that somebody chose, never the address.
    act.record(login=login, address=bool(choice))
    return _chosen(login, choice)


def _chosen(login: str, choice: MailChoice | None) -> ChosenMails:
    if choice is None:
        return ChosenMails(login, None, None, (), "chosen-none")
    return ChosenMails(login, choice.address, choice.language, tuple(sorted(choice.unwanted)), "chosen")


def note_sign_in(office: Office, user: int, address: str, browser: str) -> None:
    """Note from where a user signed in; if it is a new place, tell the user by mail."""
    now = utc_now(office)
    with office.store.unlogged_writing() as connection:
        choice = accounts.mail_choice(connection, user)
        if choice is None:
            return
        forgotten = iso_time(now - time_kept(connection, "places"))
        if accounts.note_place(
            connection, user, place_mark(user, address, browser), iso_time(now), forgotten
        ):
            queue_for_user(
                connection, choice, "sign-in", path="/account#sessions", day=str(now.date()), time=f"{now:%H:%M}",
                browser=browser_family(browser) or "–",
            )  # fmt: skip


def place_mark(user: int, address: str, browser: str) -> str:
    """Return two bytes that stand for a network and a kind of browser: no address can be read from them."""
    text = f"{user} {_network(address)} {browser_family(browser)}"
    return sha256(text.encode()).hexdigest()[:4]


def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((parsed, 16 if parsed.version == 4 else 32), strict=False))  # noqa: PLR2004  IPv4


def browser_family(browser: str) -> str:
    """Return the kind of a browser without its version."""
    names = ("Firefox", "Edg", "OPR", "Chrome", "Safari", "curl", "python")
    family = next((name for name in names if re.search(rf"\b{name}", browser)), "")
    return {"Edg": "Edge", "OPR": "Opera"}.get(family, family)
