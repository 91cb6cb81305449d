"""Users, their roles, who may do an act, and whose a session or a token is: the one place where permission is asked."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.model.errors import ArpadError, NotAllowed
from arpad.office.office import Office, iso_time, utc_now
from arpad.store import accounts as rows
from arpad.store.accounts import UserRow


class Role(StrEnum):
    """A role of a user in the office."""

    ARBITER = "arbiter"
    OFFICER = "officer"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class Grant:
    """A role, and the federation to which it is limited (9.3), if it is."""

    role: Role
    federation: str = ""


@dataclass(frozen=True, slots=True)
class User:
    """A user with a login."""

    id: int
    login: str
    name: str
    grants: tuple[Grant, ...]
    active: bool = True
    factor: bool = False
    """Whether the user signs in with a second factor."""

    password_ends: str = ""
    """The end of a password that another person chose; empty for one that the user chose."""

    session_ends: str = ""
    """When the session that asks ends, however much it is used; empty without a session."""

    def has(self, role: Role) -> bool:
        """Return whether the user has a role, for any federation."""
        return any(grant.role == role for grant in self.grants)

    def may(self, role: Role, federation: str) -> bool:
        """Return whether the user has a role for a federation; an empty text means all federations."""
        return any(
            grant.role == role and grant.federation in ("", federation.upper()) for grant in self.grants
        )

    @property
    def federations(self) -> frozenset[str]:
        """The federations to which the user is bound as an officer; empty for an officer of all."""
        bound = frozenset(grant.federation for grant in self.grants if grant.role == Role.OFFICER)
        return frozenset() if "" in bound else bound


@dataclass(frozen=True, slots=True)
class Caller:
    """The person or program that asks for an act or a query."""

    user: User | None = None
    scopes: frozenset[str] | None = None
    """What the token of a program may do; None without a token."""

    owner: bool = False
    """Whether it is the owner of the database on the command line, who may do everything."""

    language: str = "en"
    """The language of sentences in an answer."""

    @property
    def is_officer(self) -> bool:
        """Whether the caller works for the office: the owner, or an officer of some federation."""
        return self.owner or (self.user is not None and self.user.has(Role.OFFICER))

    @property
    def federations(self) -> frozenset[str]:
        """The federations whose officer the caller is; an empty text among them means all."""
        grants = self.user.grants if self.user is not None else ()
        bound = {grant.federation for grant in grants if grant.role == Role.OFFICER}
        return frozenset(bound | ({""} if self.owner else set()))

    def officer_of(self, federation: str) -> bool:
        """Return whether the caller is an officer for a federation; an empty text means all federations."""
        return self.owner or (self.user is not None and self.user.may(Role.OFFICER, federation))


OWNER = Caller(owner=True)
VISITOR = Caller()

Check = Callable[[Connection, User, Mapping[str, Any]], bool]
"""Returns whether a user may do an act with its arguments."""


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may do something: a role, the scope of a token, and what the arguments must be for this user."""

    role: Role | None = None
    """None: everybody."""

    scope: str = ""
    """The scope that a token needs."""

    check: Check | None = None
    refusal: str = "bound-officer"
    """The code of the refusal if the check fails."""

    signed_in: bool = False
    """Whether everybody who has an account may do it, with any role."""

    unbound: bool = False
    """Whether officers who are bound to a federation may not do it (9.3)."""


EVERYBODY = Permission()


def officer_of_all(scope: str) -> Permission:
    """Return the permission of officers who are bound to no federation (9.3)."""
    return Permission(Role.OFFICER, scope, unbound=True)


def officer_of(scope: str, federation: Callable[[Connection, Mapping[str, Any]], str]) -> Permission:
    """Return the permission of officers of the federation of what the arguments name."""
    return Permission(
        Role.OFFICER,
        scope,
        lambda connection, user, given: user.may(Role.OFFICER, federation(connection, given)),
    )


def officer(scope: str) -> Permission:
    """Return the permission of every officer."""
    return Permission(Role.OFFICER, scope)


def arbiter(scope: str, check: Check | None = None, refusal: str = "not-your-report") -> Permission:
    """Return the permission of arbiters and officers, perhaps only for what is theirs."""
    return Permission(Role.ARBITER, scope, check, refusal)


def own_account(check: Check, refusal: str = "not-yours") -> Permission:
    """Return the permission of everybody who has an account, for what is theirs; of tokens only administrators'."""
    return Permission(None, ADMINISTER, check, refusal, signed_in=True)


ADMINISTER = "administer"
ADMINISTRATOR = Permission(Role.ADMINISTRATOR, ADMINISTER)


def admit_role(permission: Permission, caller: Caller) -> None:
    """Refuse a caller who lacks the role or the scope, or is bound, before anything is read."""
    if caller.owner or permission == EVERYBODY:
        return
    if caller.user is None:
        raise NotAllowed("sign-in-first" if caller.scopes is None else "token-needed", scope=permission.scope)
    if caller.scopes is not None and permission.scope not in caller.scopes:
        raise NotAllowed("scope-needed", scope=permission.scope)
    roles = (Role.ARBITER, Role.OFFICER) if permission.role == Role.ARBITER else (permission.role,)
    if not permission.signed_in and not any(caller.user.has(role) for role in roles if role):
        raise NotAllowed("not-yours" if caller.scopes is None else "token-without-role")
    if permission.unbound and not caller.officer_of(""):
        raise NotAllowed(permission.refusal)


def admit(permission: Permission, caller: Caller, connection: Connection, given: Mapping[str, Any]) -> None:
    """Refuse a caller who may not do an act with these arguments."""
    if caller.owner or permission.check is None or caller.user is None:
        return
    if not permission.check(connection, caller.user, given):
        raise NotAllowed(permission.refusal)


def build_user(connection: Connection, row: UserRow) -> User:
    """Build a ``User`` with its roles from a row."""
    return _user(row, rows.grants_of(connection, row.id))


def _user(row: UserRow, roles: Iterable[tuple[str, str]], session_ends: str = "") -> User:
    grants = tuple(Grant(Role(role), federation) for role, federation in roles)
    return User(
        row.id, row.login, row.name, grants, row.active, bool(row.factor), row.password_ends, session_ends
    )


log = logging.getLogger("arpad.security")

IDLE_HOURS = 2


SEEN_EVERY_MINUTES = 10
"""How often the last use of a session is written, so that not every request writes."""


def user_of_session(office: Office, token: str) -> User | None:
    """Return the user of a session that has not ended and is not idle, if the account is open."""
    now = utc_now(office)
    idle_since = iso_time(now - timedelta(hours=IDLE_HOURS))
    with office.store.reading() as connection:
        session = rows.session_user(connection, secret_digest(token), iso_time(now), idle_since)
    if session is None:
        return None
    row, roles, last_seen, ends = session
    if last_seen < iso_time(now - timedelta(minutes=SEEN_EVERY_MINUTES)):
        _touch(office, token)
    return _user(row, roles, ends)


def minutes_left(office: Office, user: User) -> tuple[int, bool]:
    """Return after how many minutes without a request a session ends, and whether a request would prolong it."""
    unused = IDLE_HOURS * 60 - SEEN_EVERY_MINUTES  # its last use may be written so much too early
    whole = int((datetime.fromisoformat(user.session_ends) - utc_now(office)).total_seconds()) // 60
    return min(unused, max(0, whole)), unused < whole


def _touch(office: Office, token: str) -> None:
    """Write that a session is in use; if another transaction holds the lock, the next request does."""
    try:
        with office.store.unlogged_writing() as connection:
            rows.touch_session(connection, secret_digest(token), iso_time(utc_now(office)))
    except ArpadError:
        log.debug("a session could not be noted as used")


def user_of_token(office: Office, secret: str) -> tuple[User, frozenset[str]] | None:
    """Return the user of a token and its scopes."""
    with office.store.reading() as connection:
        token = rows.token_user(connection, secret_digest(secret), iso_time(utc_now(office)))
        if token is None:
            return None
        row, scopes = token
        return build_user(connection, row), frozenset(scopes.split())


def secret_digest(secret: str) -> str:
    """Return the digest that is stored of a random secret."""
    return sha256(secret.encode()).hexdigest()
