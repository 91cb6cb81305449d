"""Users and their roles: administrators add, invite, change and list them."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_among
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS, INVITED_DAYS, check_password, hasher
from arpad.office.accounts.second_factor import confirmed_user
from arpad.office.declared import BACK, Reading, act, query
from arpad.office.mails import LONGEST_ADDRESS, check_address, queue_mail
from arpad.office.office import ActContext, Office, iso_time, record_act, utc_now
from arpad.office.settings.acts import with_defaults
from arpad.office.users import ADMINISTRATOR, Grant, Role, User, build_user, secret_digest
from arpad.store import accounts as rows
from arpad.store.accounts import MailChoice, end_password_links, forget_user, mail_choice, set_mail_choice


def check_login(login: str, option: str = "login") -> str:
    """Return a login in small letters; refuse one that cannot be typed everywhere."""
    cleaned = login.strip().lower()
    plain = cleaned.replace(".", "").replace("-", "").replace("_", "").replace("@", "")
    if not (plain.isascii() and plain.isalnum()):
        raise BadInput("bad-login", option=option, login=login[:60])
    return cleaned


Login = Annotated[str, Accepts("arbiter", longest=60, read=check_login, personal=False)]
Address = Annotated[
    str,
    Accepts(
        "anna@example.org", longest=LONGEST_ADDRESS, word="mail-address", read=check_address, unwritten=True
    ),
]
AddressOrNone = Annotated[
    str,
    Accepts(
        "anna@example.org", longest=LONGEST_ADDRESS, word="own-address", unwritten=True,
        read=lambda text, option: text and check_address(text, option),
    ),
]  # fmt: skip
Language = Annotated[
    str,
    Accepts(
        "en",
        longest=20,
        word="mail-language",
        personal=False,
        read=lambda text, option: check_among(text, option, LANGUAGES),
    ),
]  # fmt: skip


NO_ROLE = "none"

Name = Annotated[str, Accepts("Anna Neri", longest=100, word="user-name", unwritten=True)]
NewName = Annotated[str, Accepts("Anna Neri", longest=100, word="new-user-name", unwritten=True)]
Federation = Annotated[str, Accepts("ITA", longest=10, word="bound-to", personal=False)]
Roles = Annotated[list[Role], Accepts("officer", word="roles")]
NewRoles = Annotated[
    list[Literal["none", "arbiter", "officer", "administrator"]], Accepts("officer", word="new-roles")
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
class Invited:
    """A user who was invited again."""

    login: str
    address: str


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
    users = (build_user(act.connection, row) for row in rows.all_users(act.connection))
    first = Role.ADMINISTRATOR in role and not any(user.has(Role.ADMINISTRATOR) for user in users)
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
    user = enter_user(act, login, name, secrets.token_urlsafe(32), grants, days=INVITED_DAYS)
    choice = MailChoice(user.id, address, language)
    set_mail_choice(act.connection, choice)
    _invite(act, login, choice)
    return _new_user(user, "invited")


@act("user invite-again", ADMINISTRATOR, says="user.invited-again", page=BACK, verb="change-user")
def invite_again(act: ActContext, login: Login) -> Invited:
    """Send a user who has not chosen a password another invitation; an earlier link or password ends."""
    user = known_user(act.connection, login)
    choice = mail_choice(act.connection, user.id)
    if not user.password_ends:
        raise BadInput("has-own-password", option="login", login=login)
    if choice is None:
        raise BadInput("no-mail-address", option="login", login=login)
    password = hasher().hash(secrets.token_urlsafe(32))
    rows.set_password(act.connection, user.id, password, _ends(act.office, INVITED_DAYS))
    end_password_links(act.connection, user.id)
    _invite(act, login, choice)
    act.record(login=login, invited="again")
    return Invited(login, choice.address)


def _invite(act: ActContext, login: str, choice: MailChoice) -> None:
    """Add the mail that invites a user to choose a password."""
    facts = {"user": choice.user, "login": login, "days": INVITED_DAYS}
    if not queue_mail(
        act.connection, "invitation", choice.address, language=choice.language, path="", facts=facts
    ):
        raise BadInput("mail-not-set", setting="mail_host")


def _grants(roles: Iterable[str], federation: str) -> list[Grant]:
    """Return roles as grants; administrators are bound to no federation."""
    return [
        Grant(Role(role), "" if role == Role.ADMINISTRATOR else federation.upper())
        for role in roles
        if role != NO_ROLE
    ]


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
    days: int = GIVEN_PASSWORD_DAYS,
) -> User:
    """Enter a user with a password and roles (9.3).

    Unless the user chose it (``own_password``), the password is valid for some days, and only to choose another.
    """
    check_password(password, (login, name))
    if rows.user_by_login(act.connection, login) is not None:
        raise BadInput("login-taken", option="login", login=login)
    name = name.strip() or login
    ends = "" if own_password else _ends(act.office, days)
    number = rows.add_user(act.connection, login, name, hasher().hash(password), ends)
    _set_roles(act.connection, number, grants)
    act.record(login=login, roles=[_grant_text(grant) for grant in grants])
    return User(number, login, name, tuple(grants), password_ends=ends)


def _ends(office: Office, days: int) -> str:
    """Return until when a user can choose the own password."""
    return iso_time(utc_now(office) + timedelta(days=days))


@act("user change", ADMINISTRATOR, says="user.changed", page=BACK)
def change_user(
    act: ActContext,
    login: Login,
    *,
    name: NewName | None = None,
    address: AddressOrNone | None = None,
    role: NewRoles | None = None,
    federation: Federation = "",
    active: Annotated[Literal["yes", "no"], Accepts("yes", word="account-open")] | None = None,
    password: GivenPassword = "",
    without_factor: Annotated[bool, Accepts(word="without-factor")] = False,
) -> ChangedUser:
    """Change a user's name, mail address or roles, close or open the account, set a password.

    The password is valid for a while, until the user chooses another. Every session of the user ends, unless only the
    name or the address is another.
    """
    if {name, address, active} == {None} and role is None and not password and not without_factor:
        raise BadInput("value-missing", option="role")
    user = known_user(act.connection, login)
    if login == act.office.author:
        if active == "no" or (role is not None and Role.ADMINISTRATOR not in role):
            raise BadInput("not-yourself")
        if bool(password) or without_factor:
            raise BadInput("own-account-elsewhere")
    if password:
        check_password(password, (login, user.name))
    before = build_user(act.connection, user)
    changes: dict[str, Any] = {"login": login, **_change_person(act.connection, user, name, address)}
    if role is not None:
        grants = _grants(dict.fromkeys(role), federation)
        _set_roles(act.connection, user.id, grants)
        changes["role"] = [_grant_text(grant) for grant in grants]
    if active is not None:
        rows.change_user(act.connection, user.id, active=int(active == "yes"))
        if active == "no":
            forget_user(act.connection, user.id)
    secrets_changed = _change_secrets(act, user.id, password, without_factor=without_factor)
    changed = build_user(act.connection, known_user(act.connection, login))
    if secrets_changed or (changed.grants, changed.active) != (before.grants, before.active):
        rows.end_sessions(act.connection, user.id)
    act.record(**changes, **secrets_changed)
    return ChangedUser(login, tuple(map(_grant_text, changed.grants)), changed.active)


def _change_person(
    connection: Connection, user: rows.UserRow, name: str | None, address: str | None
) -> dict[str, Any]:
    """Change the name and the mail address of a user; return what the ledger says, which is neither of them."""
    changes: dict[str, Any] = {}
    if name is not None and (name.strip() or user.login) != user.name:
        rows.change_user(connection, user.id, name=name.strip() or user.login)
        changes["name"] = "new"
    known = mail_choice(connection, user.id)
    if address is not None and address != (known.address if known else ""):
        set_mails(connection, user.id, address)
        changes["address"] = bool(address)
    return changes


def _change_secrets(act: ActContext, user: int, password: str, *, without_factor: bool) -> dict[str, Any]:
    """Set a user's temporary password, and end the second factor; return what the ledger says."""
    changes: dict[str, Any] = {}
    if password:
        rows.set_password(
            act.connection, user, hasher().hash(password), _ends(act.office, GIVEN_PASSWORD_DAYS)
        )
        changes |= {"password": "new"}
    if without_factor:
        rows.forget_factor(act.connection, user)
        changes["second_factor"] = "ended"
    return changes


def set_mails(
    connection: Connection,
    user: int,
    address: str | None,
    language: str | None = None,
    unwanted: frozenset[str] | None = None,
) -> MailChoice | None:
    """Change where a user gets mails, in which language and which; None stays as it is or becomes the usual.

    An empty address deletes everything that was known.
    """
    before = mail_choice(connection, user)
    usual = before or MailChoice(user, "", with_defaults(connection)["language"])
    wanted = usual.address if address is None else address
    kinds = usual.unwanted if unwanted is None else unwanted
    choice = MailChoice(user, wanted, language or usual.language, kinds) if wanted else None
    if before is not None and before.address != wanted:
        forget_user(connection, user)
    if choice is not None:
        set_mail_choice(connection, choice)
    return choice


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
