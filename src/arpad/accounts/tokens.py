"""The keys of programs."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, insert, select

from arpad.accounts.passwords import digest
from arpad.accounts.tables import tokens, users
from arpad.accounts.transactions import iso_time, utc_now
from arpad.accounts.users import User, user_from
from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act

SCOPES = ("submit", "decide", "register")
"""What a token may open beyond what is public anyway."""

TOKEN_DAYS = 365


@dataclass(frozen=True, slots=True)
class Token:
    """A program's key, as it may be shown; the key itself is seen once, when it is made."""

    id: int
    login: str
    name: str
    scopes: tuple[str, ...]
    made: str
    ends: str


def issue_token(office: Office, login: str, name: str, scopes: Sequence[str], days: int = TOKEN_DAYS) -> str:
    """A new token; what it gives is told once."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        raise BadInput("bad-scope", given=", ".join(unknown), accepted=", ".join(SCOPES))
    secret = "arpad_" + secrets.token_urlsafe(32)
    now = utc_now(office)
    with record_act(office, "issue-token") as act:
        found = act.connection.execute(
            select(users.c.id, users.c.password_ends).where(users.c.login == login)
        ).first()
        if found is None:
            raise BadInput("no-such-user", login=login)
        if found.password_ends:
            raise BadInput("own-password-missing", login=login)
        number = (act.connection.execute(select(func.max(tokens.c.id))).scalar() or 0) + 1
        ends = iso_time(now + timedelta(days=days))
        row = {
            "id": number,
            "user": found.id,
            "name": name.strip()[:80],
            "digest": digest(secret),
            "ends": ends,
        }
        act.connection.execute(insert(tokens), row | {"scopes": " ".join(scopes), "made": iso_time(now)})
        act.record(token=number, login=login, scopes=list(scopes))
    return secret


def withdraw_token(office: Office, number: int) -> None:
    """From now on the token opens nothing."""
    with record_act(office, "withdraw-token") as act:
        gone = act.connection.execute(delete(tokens).where(tokens.c.id == number))
        if not gone.rowcount:
            raise BadInput("no-such-token", token=number)
        act.record(token=number)


def all_tokens(office: Office) -> list[Token]:
    """Every token that was made and not withdrawn."""
    query = select(tokens, users.c.login).join_from(tokens, users, users.c.id == tokens.c.user)
    with office.store.reading() as connection:
        rows = connection.execute(query.order_by(tokens.c.id)).all()
    return [Token(row.id, row.login, row.name, tuple(row.scopes.split()), row.made, row.ends) for row in rows]


def user_of_token(office: Office, secret: str) -> tuple[User, frozenset[str]] | None:
    """Whose token it is and what it opens."""
    query = select(users, tokens.c.scopes).join_from(users, tokens, tokens.c.user == users.c.id)
    query = query.where(
        tokens.c.digest == digest(secret), tokens.c.ends > iso_time(utc_now(office)), users.c.active == 1
    )
    with office.store.reading() as connection:
        row = connection.execute(query).first()
        return (user_from(connection, row), frozenset(row.scopes.split())) if row else None
