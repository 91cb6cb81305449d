"""The people who work in an office: passwords, roles, sessions, tokens, and how often somebody may ask.

Everything lives in the office's database, because several workers serve. Of passwords, sessions and tokens only digests
are kept. Who may do what is an act of the office and stands in its ledger; signing in and out is not.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from arpad.errors import BadInput
from arpad.office.desk import Office, acting

if TYPE_CHECKING:
    from argon2 import PasswordHasher

META = MetaData()


def _table(name: str, *columns: Any) -> Table:
    return Table(name, META, *columns)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _number(name: str, **more: Any) -> Column[int]:
    return Column(name, Integer, nullable=False, **more)


users = _table(
    "users", _number("id", primary_key=True), Column("login", Text, nullable=False, unique=True),
    _text("name"), _text("password"), _number("active"),
)  # fmt: skip
grants = _table(
    "grants", _number("user"), _text("role"), _text("federation"), PrimaryKeyConstraint("user", "role", "federation")
)  # fmt: skip
sessions = _table(
    "sessions", Column("digest", Text, primary_key=True), _number("user"), _text("begun"), _text("ends")
)
failures = _table("failures", _text("key"), _text("at"))
tokens = _table(
    "tokens", _number("id", primary_key=True), _number("user"), _text("name"),
    Column("digest", Text, nullable=False, unique=True), _text("scopes"), _text("made"), _text("ends"),
)  # fmt: skip
counters = _table(
    "counters", _text("key"), _number("slot"), _number("count"), PrimaryKeyConstraint("key", "slot")
)
hidden_players = _table("hidden_players", Column("player", Integer, primary_key=True, autoincrement=False))


class Role(StrEnum):
    """What somebody does in the office."""

    ARBITER = "arbiter"
    OFFICER = "officer"
    ADMINISTRATOR = "administrator"


SCOPES = ("submit",)
"""What a token may open beyond what is public anyway."""

SESSION_HOURS = 12
TOKEN_DAYS = 365
MOST_FAILURES = 5
MOST_FAILURES_FROM_ONE_PLACE = 30
LOCKED_MINUTES = 15
SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200


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

    def has(self, role: Role) -> bool:
        """Whether the user has a role, for whatever federation."""
        return any(grant.role == role for grant in self.grants)

    def may(self, role: Role, federation: str) -> bool:
        """Whether the user has a role for this federation."""
        return any(
            grant.role == role and grant.federation in ("", federation.upper()) for grant in self.grants
        )


# ------------------------------------------------------------------------------------------------ the database


@contextmanager
def _writing(office: Office) -> Iterator[Connection]:
    """A short transaction outside the ledger."""
    with office.store.engine.connect() as connection:
        writer = connection.execution_options(arpad_writing=True)
        with writer.begin():
            yield writer


def _moment(office: Office) -> datetime:
    return office.now().astimezone(UTC)


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobodys_password() -> str:
    """What an unknown login is checked against, so that it takes as long as a known one."""
    return _hasher().hash(secrets.token_urlsafe(16))


# ------------------------------------------------------------------------------------------------------- users


def _check_login(login: str) -> str:
    cleaned = login.strip().lower()
    plain = cleaned.replace(".", "").replace("-", "").replace("_", "").replace("@", "")
    if not (plain.isascii() and plain.isalnum() and len(cleaned) <= 60):  # noqa: PLR2004  a login fits on a line
        raise BadInput("bad-login", login=login[:60])
    return cleaned


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadInput("bad-password", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)


def add_user(office: Office, login: str, name: str, password: str, given: Sequence[Grant]) -> User:
    """Enter somebody, with a password and what he may do."""
    cleaned = _check_login(login)
    _check_password(password)
    hashed = _hasher().hash(password)
    with acting(office, "add-user") as act:
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
        }
        act.connection.execute(insert(users), row)
        _grant(act.connection, number, given)
        act.record(login=cleaned, roles=[_grant_text(grant) for grant in given])
    return User(number, cleaned, str(row["name"]), tuple(given))


def change_user(
    office: Office,
    login: str,
    *,
    given: Sequence[Grant] | None = None,
    active: bool | None = None,
    password: str = "",
) -> None:
    """Change what somebody may do, shut or open the account, set a new password; every session ends."""
    if password:
        _check_password(password)
    with acting(office, "change-user") as act:
        found = act.connection.execute(select(users.c.id).where(users.c.login == login)).first()
        if found is None:
            raise BadInput("no-such-user", login=login)
        changes: dict[str, Any] = {"login": login}
        if given is not None:
            act.connection.execute(delete(grants).where(grants.c.user == found.id))
            _grant(act.connection, found.id, given)
            changes["roles"] = [_grant_text(grant) for grant in given]
        if active is not None:
            act.connection.execute(update(users).where(users.c.id == found.id).values(active=int(active)))
            changes["active"] = active
        if password:
            act.connection.execute(
                update(users).where(users.c.id == found.id).values(password=_hasher().hash(password))
            )
            changes |= {"password": "new"}
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
        return [_user(connection, row) for row in rows]


def _user(connection: Connection, row: Any) -> User:
    found = connection.execute(
        select(grants).where(grants.c.user == row.id).order_by(grants.c.role, grants.c.federation)
    )
    given = tuple(Grant(Role(grant.role), grant.federation) for grant in found)
    return User(row.id, row.login, row.name, given, bool(row.active))


# ------------------------------------------------------------------------------------------ signing in and out


def sign_in(office: Office, login: str, password: str, place: str) -> str:
    """A new session for whoever knows the password; after repeated failures nobody, for a while."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    cleaned = login.strip().lower()[:60]
    keys = (f"login {cleaned}", f"place {place}")
    _refuse_locked(office, keys)
    with office.store.reading() as connection:
        row = connection.execute(select(users).where(users.c.login == cleaned)).first()
    try:
        _hasher().verify(row.password if row else _nobodys_password(), password[:LONGEST_PASSWORD])
        known = row is not None and bool(row.active)
    except (Argon2Error, InvalidHashError):
        known = False
    if row is None or not known:
        with _writing(office) as connection:
            at = _stamp(_moment(office))
            connection.execute(insert(failures), [{"key": key, "at": at} for key in keys])
        raise BadInput("wrong-password")
    return _open_session(office, row.id, keys[0])


def _refuse_locked(office: Office, keys: tuple[str, str]) -> None:
    since = _stamp(_moment(office) - timedelta(minutes=LOCKED_MINUTES))
    with office.store.reading() as connection:
        for key, most in zip(keys, (MOST_FAILURES, MOST_FAILURES_FROM_ONE_PLACE), strict=True):
            query = select(func.count()).where(failures.c.key == key, failures.c.at > since)
            if (connection.execute(query).scalar() or 0) >= most:
                raise BadInput("locked-out", minutes=LOCKED_MINUTES)


def _open_session(office: Office, user: int, key: str) -> str:
    token = secrets.token_urlsafe(32)
    now = _moment(office)
    ends = _stamp(now + timedelta(hours=SESSION_HOURS))
    with _writing(office) as connection:
        connection.execute(delete(sessions).where(sessions.c.ends < _stamp(now)))
        connection.execute(delete(failures).where(failures.c.key == key))
        connection.execute(
            insert(sessions), {"digest": _digest(token), "user": user, "begun": _stamp(now), "ends": ends}
        )
    return token


def sign_out(office: Office, token: str) -> None:
    """End a session."""
    with _writing(office) as connection:
        connection.execute(delete(sessions).where(sessions.c.digest == _digest(token)))


def user_of_session(office: Office, token: str) -> User | None:
    """Whose session it is, as long as it lasts and the account is open."""
    query = select(users).join_from(users, sessions, sessions.c.user == users.c.id)
    query = query.where(
        sessions.c.digest == _digest(token),
        sessions.c.ends > _stamp(_moment(office)),
        users.c.active == 1,
    )
    with office.store.reading() as connection:
        row = connection.execute(query).first()
        return _user(connection, row) if row else None


# ------------------------------------------------------------------------------------------------------ tokens


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
    now = _moment(office)
    with acting(office, "issue-token") as act:
        found = act.connection.execute(select(users.c.id).where(users.c.login == login)).first()
        if found is None:
            raise BadInput("no-such-user", login=login)
        number = (act.connection.execute(select(func.max(tokens.c.id))).scalar() or 0) + 1
        ends = _stamp(now + timedelta(days=days))
        row = {
            "id": number,
            "user": found.id,
            "name": name.strip()[:80],
            "digest": _digest(secret),
            "ends": ends,
        }
        act.connection.execute(insert(tokens), row | {"scopes": " ".join(scopes), "made": _stamp(now)})
        act.record(token=number, login=login, scopes=list(scopes))
    return secret


def withdraw_token(office: Office, number: int) -> None:
    """From now on the token opens nothing."""
    with acting(office, "withdraw-token") as act:
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
        tokens.c.digest == _digest(secret), tokens.c.ends > _stamp(_moment(office)), users.c.active == 1
    )
    with office.store.reading() as connection:
        row = connection.execute(query).first()
        return (_user(connection, row), frozenset(row.scopes.split())) if row else None


# --------------------------------------------------------------------------------------------------- counting


def count(office: Office, key: str, slot: int, more: int) -> int:
    """Add to a counter that all workers share; gives its value. Older slots are forgotten."""
    with _writing(office) as connection:
        here = (counters.c.key == key) & (counters.c.slot == slot)
        changed = connection.execute(update(counters).where(here).values(count=counters.c.count + more))
        if not changed.rowcount:
            connection.execute(delete(counters).where(counters.c.slot < slot))
            connection.execute(insert(counters), {"key": key, "slot": slot, "count": more})
            return more
        return int(connection.execute(select(counters.c.count).where(here)).scalar_one())


# ---------------------------------------------------------------------------------------------------- privacy


def hide_player(office: Office, player: int, reason: str, *, hidden: bool = True) -> None:
    """Take a player off the public pages at his request, or bring him back; the lists stay as published."""
    with acting(office, "hide-player" if hidden else "show-player", reason, reason_needed=True) as act:
        act.connection.execute(delete(hidden_players).where(hidden_players.c.player == player))
        if hidden:
            act.connection.execute(insert(hidden_players), {"player": player})
        act.record(player=player)


def hidden(connection: Connection) -> frozenset[int]:
    """Everybody who asked not to be shown."""
    return frozenset(row[0] for row in connection.execute(select(hidden_players.c.player)))
