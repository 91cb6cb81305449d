"""Users and their roles: administrators add, invite, change and list them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.office.accounts.parameters import Address, Language, Login
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS, INVITED_DAYS, check_password, hasher
from arpad.office.accounts.second_factor import confirmed_user
from arpad.office.declared import BACK, Reading, act, query
from arpad.office.mails import queue_mail
from arpad.office.office import ActContext, Office, iso_time, record_act, utc_now
from arpad.office.sessions import build_user, secret_digest
from arpad.office.settings.acts import with_defaults
from arpad.office.users import ADMINISTRATOR, Grant, Role, User
from arpad.store import accounts as rows
from arpad.store.mails import MailChoice, forget_user, set_mail_choice

NO_ROLE = "none"

Name = Annotated[str, Accepts("Anna Neri", longest=100, word="user-name", unwritten=True)]
Federation = Annotated[str, Accepts("ITA", longest=10, word="bound-to")]
Roles = Annotated[list[Role], Accepts("officer", word="roles")]
NewRoles = Annotated[
    list[Literal["none", "arbiter", "officer", "administrator"]],
    Accepts("officer", word="new-roles"),
]
GivenPassword = Annotated[str, Accepts("fen-otto-lume-19", secret=True, word="given-password")]


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user who was added or invited."""

    login: str
    roles: tuple[str, ...]
    password_ends: str | None
    """The end of a password that somebody else chose."""

    ends_on: date | None
    done: str
    """``added``, ``added-for-now`` or ``invited``."""


@dataclass(frozen=True, slots=True)
class ChangedUser:
    """A user whose account was changed."""

    login: str
    roles: tuple[str, ...]
    active: bool


@dataclass(frozen=True, slots=True)
class UserLine:
    """A user as administrators see them."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool
    second_factor: bool
    password_ends: str | None


@dataclass(frozen=True, slots=True)
class Users:
    """All users, by login."""

    users: tuple[UserLine, ...]


# ---------------------------------------------------------------------------------------------------------- acts


@act("user add", ADMINISTRATOR, says="user.{done}", page=BACK)
def add_user(
    act: ActContext,
    login: Login,
    *,
    role: Roles = [],  # noqa: B006  nobody changes it
    name: Name = "",
    federation: Federation = "",
    password: GivenPassword,
) -> NewUser:
    """Add a user who may sign in to the site.

    Federations name the officers for their ratings (2017 9.3).

    The password is typed, or read from a pipe.

    Everyone except the first administrator must choose a new password at the first sign-in.

    Example: arpad office user add anna --role officer --db office.db
    """
    # The first administrator chose the password at the server and may keep it (docs/explanation/security.md, 6.4.1).
    first = Role.ADMINISTRATOR in role and not _has_administrator(act.connection)
    grants = _grants(role, federation)
    user = enter_user(act, login, name, password, grants, own_password=first)
    return _new_user(user, "added" if first else "added-for-now")


@act("user invite", ADMINISTRATOR, says="user.invited", page=BACK, verb="add-user")
def invite_user(
    act: ActContext,
    login: Login,
    address: Address,
    *,
    role: Roles = [],  # noqa: B006  nobody changes it
    name: Name = "",
    federation: Federation = "",
    language: Language | None = None,
) -> NewUser:
    """Add a user who gets a link by mail, to choose a password.

    Example: arpad office user invite bruno bruno@example.org --role officer --db office.db
    """
    language = language or with_defaults(act.connection)["language"]
    grants = _grants(role, federation)
    user = enter_user(act, login, name, secrets.token_urlsafe(32), grants)
    set_mail_choice(act.connection, MailChoice(user.id, address, language))
    if not queue_invitation(act.connection, user.id, login, address, language):
        raise BadInput("mail-not-set", setting="mail_host")
    return _new_user(user, "invited")


def _grants(roles: Iterable[str], federation: str) -> list[Grant]:
    """Return roles as grants; administrators are bound to no federation."""
    return [
        Grant(Role(role), "" if role == Role.ADMINISTRATOR else federation.upper())
        for role in roles
        if role != NO_ROLE
    ]


def _has_administrator(connection: Connection) -> bool:
    return any(build_user(connection, row).has(Role.ADMINISTRATOR) for row in rows.all_users(connection))


def _new_user(user: User, done: str) -> NewUser:
    ends = user.password_ends
    on = date.fromisoformat(ends[:10]) if ends else None
    return NewUser(user.login, tuple(str(grant.role) for grant in user.grants), ends or None, on, done)


def enter_user(
    act: ActContext,
    login: str,
    name: str,
    password: str,
    grants: Sequence[Grant],
    *,
    own_password: bool = False,
) -> User:
    """Enter a user with a password and roles (9.3).

    Unless the user chose it (``own_password``), the password is valid for a while, and only to choose another.
    """
    check_password(password, (login, name))
    if rows.user_by_login(act.connection, login) is not None:
        raise BadInput("login-taken", option="login", login=login)
    name = name.strip() or login
    ends = "" if own_password else _ends(act.office)
    number = rows.add_user(act.connection, login, name, hasher().hash(password), ends)
    _set_roles(act.connection, number, grants)
    act.record(login=login, roles=[_grant_text(grant) for grant in grants])
    return User(number, login, name, tuple(grants), password_ends=ends)


def queue_invitation(connection: Connection, user: int, login: str, address: str, language: str) -> str:
    """Add the mail that invites a user to choose a password; return its key, or nothing if none can be sent."""
    facts = {"user": user, "login": login, "days": INVITED_DAYS}
    return queue_mail(connection, "invitation", address, language=language, path="", facts=facts)


def _ends(office: Office) -> str:
    """Return when a password ends that is set now for another user."""
    return iso_time(utc_now(office) + timedelta(days=GIVEN_PASSWORD_DAYS))


@act("user change", ADMINISTRATOR, says="user.changed", page=BACK)
def change_user(
    act: ActContext,
    login: Login,
    *,
    role: NewRoles | None = None,
    federation: Federation = "",
    active: Annotated[Literal["yes", "no"], Accepts("yes", word="account-open")] | None = None,
    password: GivenPassword = "",
    without_factor: Annotated[bool, Accepts(word="without-factor")] = False,
) -> ChangedUser:
    """Change a user's roles, close or open the account, set a password; every session of the user ends.

    The password is valid for a while, until the user chooses another.
    """
    if role is None and active is None and not password and not without_factor:
        raise BadInput("value-missing", option="role")
    user = known_user(act.connection, login)
    if login == act.office.author:
        _refuse_own(role, active, is_secret=bool(password) or without_factor)
    if password:
        check_password(password, (login, user.name))
    changes: dict[str, Any] = {"login": login}
    if role is not None:
        grants = _grants(dict.fromkeys(role), federation)
        _set_roles(act.connection, user.id, grants)
        changes["role"] = [_grant_text(grant) for grant in grants]
    if active is not None:
        rows.set_active(act.connection, user.id, active=active == "yes")
        if active == "no":
            forget_user(act.connection, user.id)
    if password:
        rows.set_password(act.connection, user.id, hasher().hash(password), _ends(act.office))
        changes |= {"password": "new"}
    if without_factor:
        rows.forget_factor(act.connection, user.id)
        changes["second_factor"] = "ended"
    rows.end_sessions(act.connection, user.id)
    act.record(**changes)
    changed = build_user(act.connection, known_user(act.connection, login))
    return ChangedUser(login, tuple(map(_grant_text, changed.grants)), changed.active)


def _refuse_own(roles: Sequence[str] | None, active: str | None, *, is_secret: bool) -> None:
    """Refuse administrators who shut themselves out, or change their password without giving the present one."""
    if active == "no" or (roles is not None and Role.ADMINISTRATOR not in roles):
        raise BadInput("not-yourself")
    if is_secret:
        raise BadInput("own-account-elsewhere")


def known_user(connection: Connection, login: str) -> rows.UserRow:
    """Return the row of a user; refuse a login that nobody has."""
    user = rows.user_by_login(connection, login)
    if user is None:
        raise BadInput("no-such-user", option="login", login=login)
    return user


def _set_roles(connection: Connection, user: int, roles: Sequence[Grant]) -> None:
    pairs = [(str(grant.role), grant.federation.strip().upper()) for grant in dict.fromkeys(roles)]
    rows.set_grants(connection, user, pairs)


def _grant_text(grant: Grant) -> str:
    return f"{grant.role}:{grant.federation}" if grant.federation else str(grant.role)


@query(
    "user list",
    ADMINISTRATOR,
    columns=("login", "name", "roles", "active", "second_factor", "password_ends"),
    path="/office/users",
    says="user.none",
)
def list_users(reading: Reading) -> Users:
    """List the users with their roles."""
    users = (build_user(reading.connection, row) for row in rows.all_users(reading.connection))
    return Users(
        tuple(
            UserLine(
                user.login, user.name, tuple(map(_grant_text, user.grants)), user.active, user.factor,
                user.password_ends or None,
            )
            for user in users
        )
    )  # fmt: skip


def all_users(office: Office) -> list[User]:
    """Return all users, by login."""
    with office.store.reading() as connection:
        return [build_user(connection, row) for row in rows.all_users(connection)]


def change_own_password(office: Office, login: str, old: str, new: str, session: str) -> str:
    """Set a user's own new password; end all other sessions, and return a new token for this one.

    A stolen token of this session is worthless afterwards.
    """
    user = confirmed_user(office, login, old, option="old")
    if new == old:
        raise BadInput("same-password", option="password")
    check_password(new, (login, user.name))
    token = secrets.token_urlsafe(32)
    with record_act(office, "change-password") as act:
        if not rows.set_password(act.connection, user.id, hasher().hash(new), "", replacing=user.password):
            raise BadInput("wrong-own-password", option="old")  # an administrator set another meanwhile
        rows.end_sessions(act.connection, user.id, except_digest=secret_digest(session))
        rows.replace_session_digest(act.connection, user.id, secret_digest(session), secret_digest(token))
        act.record(login=login)
    return token
