"""Users and their roles."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS, INVITED_DAYS, check_password, hasher
from arpad.office.accounts.second_factor import confirmed_user
from arpad.office.clock import iso_time, utc_now
from arpad.office.mails import check_address, queue_mail
from arpad.office.office import Office, record_act
from arpad.office.sessions import build_user, secret_digest
from arpad.office.users import Grant, User
from arpad.store import accounts as rows
from arpad.store.mails import MailChoice, forget_user, set_mail_choice


def check_login(login: str) -> str:
    """Return a login in small letters; refuse one that cannot be typed everywhere."""
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
    roles: Sequence[Grant],
    *,
    own_password: bool = False,
    address: str = "",
    language: str = LANGUAGES[0],
) -> User:
    """Add a user with a password and roles (9.3).

    Unless the user chose it (``own_password``), the password is valid for a while, and only to choose another. With a
    mail address, the user is invited by a link to choose a password; then none need be given.
    """
    cleaned = check_login(login)
    invited = bool(address) and not password
    password = secrets.token_urlsafe(32) if invited else password
    check_password(password, (cleaned, name))
    hashed = hasher().hash(password)
    with record_act(office, "add-user") as act:
        if rows.user_by_login(act.connection, cleaned) is not None:
            raise BadInput("login-taken", login=cleaned)
        name = name.strip() or cleaned
        ends = "" if own_password else _ends(office)
        number = rows.add_user(act.connection, cleaned, name, hashed, ends)
        _set_roles(act.connection, number, roles)
        if address:
            set_mail_choice(act.connection, MailChoice(number, check_address(address), language))
        if invited and not queue_invitation(act.connection, number, cleaned, address, language):
            raise BadInput("mail-not-set", setting="mail_host")
        act.record(login=cleaned, roles=[_grant_text(grant) for grant in roles])
    return User(number, cleaned, name, tuple(roles), password_ends=ends)


def queue_invitation(connection: Connection, user: int, login: str, address: str, language: str) -> str:
    """Add the mail that invites a user to choose a password; return its key, or nothing if none can be sent."""
    facts = {"user": user, "login": login, "days": INVITED_DAYS}
    return queue_mail(connection, "invitation", address, language=language, path="", facts=facts)


def _ends(office: Office) -> str:
    """Return when a password ends that is set now for another user."""
    return iso_time(utc_now(office) + timedelta(days=GIVEN_PASSWORD_DAYS))


def change_user(
    office: Office,
    login: str,
    *,
    roles: Sequence[Grant] | None = None,
    active: bool | None = None,
    password: str = "",
    without_factor: bool = False,
) -> None:
    """Change a user's roles, close or open the account, set a password; every session of the user ends.

    The password is valid for a while, until the user chooses another. ``without_factor`` is for a user who has lost the
    second factor.
    """
    with record_act(office, "change-user") as act:
        user = rows.user_by_login(act.connection, login)
        if user is None:
            raise BadInput("no-such-user", login=login)
        if password:
            check_password(password, (login, user.name))
        changes: dict[str, Any] = {"login": login}
        if roles is not None:
            _set_roles(act.connection, user.id, roles)
            changes["roles"] = [_grant_text(grant) for grant in roles]
        if active is not None:
            rows.set_active(act.connection, user.id, active=active)
            if not active:
                forget_user(act.connection, user.id)
            changes["active"] = active
        if password:
            rows.set_password(act.connection, user.id, hasher().hash(password), _ends(office))
            changes |= {"password": "new"}
        if without_factor:
            rows.forget_factor(act.connection, user.id)
            changes |= {"second_factor": "ended"}
        rows.end_sessions(act.connection, user.id)
        act.record(**changes)


def _set_roles(connection: Connection, user: int, roles: Sequence[Grant]) -> None:
    pairs = [(str(grant.role), grant.federation.strip().upper()) for grant in dict.fromkeys(roles)]
    rows.set_grants(connection, user, pairs)


def _grant_text(grant: Grant) -> str:
    return f"{grant.role}:{grant.federation}" if grant.federation else str(grant.role)


def all_users(office: Office) -> list[User]:
    """Return all users, by login."""
    with office.store.reading() as connection:
        return [build_user(connection, row) for row in rows.all_users(connection)]


def change_own_password(office: Office, login: str, old: str, new: str, session: str) -> str:
    """Set a user's own new password; end all other sessions, and return a new token for this one.

    A stolen token of this session is worthless afterwards.
    """
    user = confirmed_user(office, login, old)
    if new == old:
        raise BadInput("same-password")
    check_password(new, (login, user.name))
    token = secrets.token_urlsafe(32)
    with record_act(office, "change-password") as act:
        if not rows.set_password(act.connection, user.id, hasher().hash(new), "", replacing=user.password):
            raise BadInput("wrong-own-password")  # an administrator set another meanwhile
        rows.end_sessions(act.connection, user.id, except_digest=secret_digest(session))
        rows.replace_session_digest(act.connection, user.id, secret_digest(session), secret_digest(token))
        act.record(login=login)
    return token
