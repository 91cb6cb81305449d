"""The address, language and kinds of a user's mails; and the mail about a sign-in from a new place."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from hashlib import sha256

from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.office.clock import iso_time, utc_now
from arpad.office.mails import CHOOSABLE, check_address, queue_for_user
from arpad.office.office import Office, record_act
from arpad.office.settings.retention import time_kept
from arpad.store import accounts as rows
from arpad.store import mails
from arpad.store.mails import MailChoice


def choice_of(office: Office, login: str) -> MailChoice | None:
    """Return the choice of a user; None without an address."""
    with office.store.reading() as connection:
        user = rows.user_by_login(connection, login)
        if user is None:
            raise BadInput("no-such-user", login=login)
        return mails.mail_choice(connection, user.id)


def choose_mails(
    office: Office, login: str, address: str, language: str, unwanted: Collection[str] = ()
) -> MailChoice | None:
    """Store where a user gets mails and which not; an empty address deletes everything that was known."""
    unknown = sorted(set(unwanted) - set(CHOOSABLE))
    if unknown:
        raise BadInput(
            "value-unknown", option="unwanted", value=unknown[0][:40], accepted=", ".join(CHOOSABLE)
        )
    if language not in LANGUAGES:
        raise BadInput("value-unknown", option="language", value=language[:20], accepted=", ".join(LANGUAGES))
    with record_act(office, "choose-mails") as act:
        user = rows.user_by_login(act.connection, login)
        if user is None:
            raise BadInput("no-such-user", login=login)
        before = mails.mail_choice(act.connection, user.id)
        choice = None
        if address.strip():
            choice = MailChoice(user.id, check_address(address), language, frozenset(unwanted))
        if before is not None and (choice is None or choice.address != before.address):
            mails.forget_user(act.connection, user.id)
        if choice is not None:
            mails.set_mail_choice(act.connection, choice)
        # The ledger is for ever: it says that somebody chose, never the address.
        act.record(login=login, address=bool(choice))
    return choice


def note_sign_in(office: Office, user: int, address: str, browser: str) -> None:
    """Note from where a user signed in; if it is a new place, tell the user by mail."""
    now = utc_now(office)
    with office.store.unlogged_writing() as connection:
        choice = mails.mail_choice(connection, user)
        if choice is None:
            return
        forgotten = iso_time(now - time_kept(connection, "places"))
        if mails.note_place(connection, user, place_mark(user, address, browser), iso_time(now), forgotten):
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
