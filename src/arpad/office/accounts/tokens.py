"""API tokens: the keys of programs."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from arpad.model.errors import BadInput
from arpad.model.retention import amount_of
from arpad.office.clock import iso_time, utc_now
from arpad.office.office import Office, record_act
from arpad.office.sessions import secret_digest
from arpad.store import accounts as rows
from arpad.store.accounts import TokenRow

SCOPES = ("submit", "running", "decide", "register", "lists", "office", "administer")
"""The scopes of a token: rights in addition to what is public."""

TOKEN_DAYS = amount_of("tokens")


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it may be shown; the secret itself is shown once, when it is created."""

    id: int
    login: str
    name: str
    scopes: tuple[str, ...]
    created: str
    ends: str


def issue_token(office: Office, login: str, name: str, scopes: Sequence[str], days: int = TOKEN_DAYS) -> str:
    """Make a token; return its secret, which is shown once."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        raise BadInput("bad-scope", given=", ".join(unknown), accepted=", ".join(SCOPES))
    secret = "arpad_" + secrets.token_urlsafe(32)
    now = utc_now(office)
    with record_act(office, "issue-token") as act:
        user = rows.user_by_login(act.connection, login)
        if user is None:
            raise BadInput("no-such-user", login=login)
        if user.password_ends:
            raise BadInput("own-password-missing", login=login)
        ends = iso_time(now + timedelta(days=days))
        token = TokenRow(0, login, name.strip()[:80], " ".join(scopes), iso_time(now), ends)
        number = rows.add_token(act.connection, user.id, secret_digest(secret), token)
        act.record(token=number, login=login, scopes=list(scopes))
    return secret


def withdraw_token(office: Office, number: int) -> None:
    """Delete a token."""
    with record_act(office, "withdraw-token") as act:
        if not rows.delete_token(act.connection, number):
            raise BadInput("no-such-token", token=number)
        act.record(token=number)


def all_tokens(office: Office) -> list[Token]:
    """Return every token that was not withdrawn."""
    with office.store.reading() as connection:
        return [
            Token(row.id, row.login, row.name, tuple(row.scopes.split()), row.made, row.ends)
            for row in rows.all_tokens(connection)
        ]
