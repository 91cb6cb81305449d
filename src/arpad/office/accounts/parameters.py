"""Parameters of the acts about users: logins, mail addresses, languages."""

from __future__ import annotations

from typing import Annotated

from arpad.explain.words import LANGUAGES
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.office.mails import LONGEST_ADDRESS, check_address


def check_login(login: str, option: str = "login") -> str:
    """Return a login in small letters; refuse one that cannot be typed everywhere."""
    cleaned = login.strip().lower()
    plain = cleaned.replace(".", "").replace("-", "").replace("_", "").replace("@", "")
    if not (plain.isascii() and plain.isalnum()):
        raise BadInput("bad-login", option=option, login=login[:60])
    return cleaned


def _language(text: str, option: str) -> str:
    if text not in LANGUAGES:
        raise BadInput("value-unknown", option=option, value=text[:20], accepted=", ".join(LANGUAGES))
    return text


def _address_or_none(text: str, option: str) -> str:
    return check_address(text, option) if text else ""


Login = Annotated[str, Accepts("arbiter", longest=60, read=check_login)]
Address = Annotated[
    str,
    Accepts(
        "anna@example.org", longest=LONGEST_ADDRESS, word="mail-address", read=check_address, unwritten=True
    ),
]
AddressOrNone = Annotated[
    str,
    Accepts(
        "anna@example.org", longest=LONGEST_ADDRESS, word="own-address", read=_address_or_none, unwritten=True
    ),
]
Language = Annotated[str, Accepts("en", longest=20, word="mail-language", read=_language)]
