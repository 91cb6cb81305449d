"""Who works here, and in which role."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from arpad.accounts.passwords import GIVEN_PASSWORD_DAYS, check_password, digest, hasher
from arpad.accounts.second_factor import forget, owner
from arpad.accounts.tables import grants, sessions, users
from arpad.accounts.transactions import iso_time, utc_now
from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act


class Role(StrEnum):
    """What somebody does in the office."""

    ARBITER = "arbiter"
    OFFICER = "officer"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class Grant:
    """A role, and the federation it is bound to (9.3) where it is bound."""

    role: Role
    federation: str = ""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with a login."""

    id: int
    login: str
    name: str
    grants: tuple[Grant, ...]
    active: bool = True
    factor: bool = False
    """Signs in with a second one."""

    password_ends: str = ""
    """Until when a password that somebody else chose holds; nothing where it is his own."""

    def has(self, role: Role) -> bool:
        """Whether the user has a role, for whatever federation."""
        return any(grant.role == role for grant in self.grants)

    def may(self, role: Role, federation: str) -> bool:
        """Whether the user has a role for this federation."""
        return any(
            grant.role == role and grant.federation in ("", federation.upper()) for grant in self.grants
        )


def _check_login(login: str) -> str:
    cleaned = login.strip().lower()
    plain = cleaned.replace(".", "").replace("-", "").replace("_", "").replace("@", "")
    if not (plain.isascii() and plain.isalnum() and len(cleaned) <= 60):  # noqa: PLR2004  a login fits on a line
        raise BadInput("bad-login", login=login[:60])
    return cleaned


def add_user(
    office: Office,
    login: str,
    name: str,
    password: str,
    given: Sequence[Grant],
    *,
    own_password: bool = False,
) -> User:
    """Enter somebody, with a password and what he may do (9.3).

    Unless it is ``own_password``, chosen by whoever will use it, it holds for a while and then only to choose another.
    """
    cleaned = _check_login(login)
    check_password(password, (cleaned, name))
    hashed = hasher().hash(password)
    with record_act(office, "add-user") as act:
        taken = act.connection.execute(select(users.c.id).where(users.c.login == cleaned)).first()
        if taken is not None:
            raise BadInput("login-taken", login=cleaned)
        number = (act.connection.execute(select(func.max(users.c.id))).scalar() or 0) + 1
        row = {
            "id": number,
            "login": cleaned,
            "name": name.strip() or cleaned,
            "password": hashed,
            "active": 1,
            "factor": "",
            "factor_used": 0,
            "password_ends": "" if own_password else _ends(office),
        }
        act.connection.execute(insert(users), row)
        _grant(act.connection, number, given)
        act.record(login=cleaned, roles=[_grant_text(grant) for grant in given])
    return User(number, cleaned, str(row["name"]), tuple(given), password_ends=str(row["password_ends"]))


def _ends(office: Office) -> str:
    """When a password that is set now for somebody else ends."""
    return iso_time(utc_now(office) + timedelta(days=GIVEN_PASSWORD_DAYS))


def change_user(
    office: Office,
    login: str,
    *,
    given: Sequence[Grant] | None = None,
    active: bool | None = None,
    password: str = "",
    without_factor: bool = False,
) -> None:
    """Change what somebody may do, shut or open the account, give a new password; every session ends.

    A given password holds until its owner chooses another, and not for long. ``without_factor`` is for whoever has lost
    the second one.
    """
    with record_act(office, "change-user") as act:
        found = act.connection.execute(select(users.c.id, users.c.name).where(users.c.login == login)).first()
        if found is None:
            raise BadInput("no-such-user", login=login)
        if password:
            check_password(password, (login, found.name))
        changes: dict[str, Any] = {"login": login}
        if given is not None:
            act.connection.execute(delete(grants).where(grants.c.user == found.id))
            _grant(act.connection, found.id, given)
            changes["roles"] = [_grant_text(grant) for grant in given]
        if active is not None:
            act.connection.execute(update(users).where(users.c.id == found.id).values(active=int(active)))
            changes["active"] = active
        if password:
            new = {"password": hasher().hash(password), "password_ends": _ends(office)}
            act.connection.execute(update(users).where(users.c.id == found.id).values(new))
            changes |= {"password": "new"}
        if without_factor:
            forget(act.connection, found.id)
            changes |= {"second_factor": "ended"}
        act.connection.execute(delete(sessions).where(sessions.c.user == found.id))
        act.record(**changes)


def _grant(connection: Connection, user: int, given: Sequence[Grant]) -> None:
    rows = [
        {"user": user, "role": str(grant.role), "federation": grant.federation.strip().upper()}
        for grant in dict.fromkeys(given)
    ]
    if rows:
        connection.execute(insert(grants), rows)


def _grant_text(grant: Grant) -> str:
    return f"{grant.role}:{grant.federation}" if grant.federation else str(grant.role)


def all_users(office: Office) -> list[User]:
    """Everybody with a login, by name of the login."""
    with office.store.reading() as connection:
        rows = connection.execute(select(users).order_by(users.c.login)).all()
        return [user_from(connection, row) for row in rows]


def user_from(connection: Connection, row: Any) -> User:
    """Somebody from a row, with what he may do."""
    found = connection.execute(
        select(grants).where(grants.c.user == row.id).order_by(grants.c.role, grants.c.federation)
    )
    given = tuple(Grant(Role(grant.role), grant.federation) for grant in found)
    return User(row.id, row.login, row.name, given, bool(row.active), bool(row.factor), row.password_ends)


def change_own_password(office: Office, login: str, old: str, new: str, session: str) -> str:
    """A new password for whoever knows the old one; all other sessions end, and this one gets the token that it gives.

    Whoever had the old token as well is out.
    """
    row = owner(office, login, old)
    if new == old:
        raise BadInput("same-password")
    check_password(new, (login, row.name))
    own = {"password": hasher().hash(new), "password_ends": ""}
    token = secrets.token_urlsafe(32)
    with record_act(office, "change-password") as act:
        still = (users.c.id == row.id) & (users.c.password == row.password)
        if not act.connection.execute(update(users).where(still).values(own)).rowcount:
            raise BadInput("wrong-own-password")  # somebody gave him another meanwhile
        this = (sessions.c.user == row.id) & (sessions.c.digest == digest(session))
        others = (sessions.c.user == row.id) & (sessions.c.digest != digest(session))
        act.connection.execute(delete(sessions).where(others))
        act.connection.execute(update(sessions).where(this).values(digest=digest(token)))
        act.record(login=login)
    return token
