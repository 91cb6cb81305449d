"""Users with their roles, sessions, second factors and tokens; failed attempts and request counts; mails.

These rows come and go. Times are ISO texts in UTC, so that they compare like the moments themselves.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, or_, select, update

from arpad.store import jobs
from arpad.store.bulk import add_numbered, add_rows, cached_until_act, columns_of, fetch_rows
from arpad.store.schema import (
    counters,
    failures,
    grants,
    known_places,
    mail_choices,
    password_links,
    recovery_codes,
    sessions,
    tokens,
    users,
)

# ------------------------------------------------------------------------------------------------------- users


@dataclass(frozen=True, slots=True)
class UserRow:
    """A user without the roles."""

    id: int
    login: str
    name: str
    password: str
    """The hash."""

    active: bool
    factor: str
    """The encrypted secret of the second factor, or empty."""

    factor_used: int
    """The last half minute whose code was used."""

    password_ends: str
    """The end of a password that another person chose; empty for one that the user chose."""


def _user(row: Any) -> UserRow:
    values = {field.name: getattr(row, field.name) for field in fields(UserRow)}
    return UserRow(**{**values, "active": bool(row.active)})


def user_by_login(connection: Connection, login: str) -> UserRow | None:
    """Return the user with a login."""
    row = connection.execute(select(users).where(users.c.login == login)).first()
    return _user(row) if row else None


def all_users(connection: Connection) -> list[UserRow]:
    """Return all users, by login."""
    return [_user(row) for row in connection.execute(select(users).order_by(users.c.login))]


@cached_until_act
def user_names(connection: Connection) -> Mapping[str, str]:
    """Return the names of all who have or had an account, by login."""
    return {row.login: row.name for row in all_users(connection)}


def add_user(connection: Connection, login: str, name: str, password: str, password_ends: str) -> int:
    """Add an active user without a second factor; return the number."""
    row = {"login": login, "name": name, "password": password, "password_ends": password_ends}
    return add_numbered(connection, users, {**row, "active": 1, "factor": "", "factor_used": 0})


def change_user(connection: Connection, user: int, **values: str | int) -> None:
    """Change some columns of a user."""
    connection.execute(update(users).where(users.c.id == user).values(values))


def set_password(
    connection: Connection, user: int, password: str, ends: str, *, replacing: str | None = None
) -> bool:
    """Store a password hash; with ``replacing`` only if that hash is still the present one. Return whether it was."""
    query = update(users).where(users.c.id == user)
    if replacing is not None:
        query = query.where(users.c.password == replacing)
    return bool(connection.execute(query.values(password=password, password_ends=ends)).rowcount)


def grants_of(connection: Connection, user: int) -> list[tuple[str, str]]:
    """Return the roles of a user: role and federation."""
    return [(role, federation) for role, federation in connection.execute(_GRANTS, {"of": user})]


_GRANTS = (
    select(grants.c.role, grants.c.federation)
    .where(grants.c.user == bindparam("of"))
    .order_by(grants.c.role, grants.c.federation)
)


def set_grants(connection: Connection, user: int, roles: Iterable[tuple[str, str]]) -> None:
    """Replace the roles of a user."""
    connection.execute(delete(grants).where(grants.c.user == user))
    rows = [(user, role, federation) for role, federation in roles]
    add_rows(connection, grants, ("user", "role", "federation"), rows)


# ----------------------------------------------------------------------------------------------- second factors


def users_with_factor(connection: Connection) -> list[UserRow]:
    """Return all users with a second factor, by number."""
    query = select(users).where(users.c.factor != "").order_by(users.c.id)
    return [_user(row) for row in connection.execute(query)]


def forget_factor(connection: Connection, user: int) -> None:
    """Remove the second factor and its recovery codes."""
    change_user(connection, user, factor="", factor_used=0)
    set_recovery_codes(connection, user, ())


def use_code(connection: Connection, user: int, counter: int) -> bool:
    """Mark the code of a half minute as used; return False if it, or a later one, was used before."""
    newer = update(users).where(users.c.id == user, users.c.factor_used < counter)
    return bool(connection.execute(newer.values(factor_used=counter)).rowcount)


def set_recovery_codes(connection: Connection, user: int, digests: Iterable[str]) -> None:
    """Replace the recovery codes of a user."""
    connection.execute(delete(recovery_codes).where(recovery_codes.c.user == user))
    add_rows(connection, recovery_codes, ("user", "digest"), [(user, digest) for digest in digests])


def has_recovery_code(connection: Connection, user: int, digest: str) -> bool:
    """Return whether a user has a recovery code."""
    query = select(recovery_codes).filter_by(user=user, digest=digest)
    return connection.execute(query).first() is not None


def use_recovery_code(connection: Connection, user: int, digest: str) -> bool:
    """Remove a recovery code; return whether there was one."""
    return bool(connection.execute(delete(recovery_codes).filter_by(user=user, digest=digest)).rowcount)


# ---------------------------------------------------------------------------------------------------- sessions


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session; of its token only the digest is stored."""

    digest: str
    user: int
    begun: str
    ends: str
    seen: str
    browser: str


def add_session(connection: Connection, session: SessionRow, idle_since: str) -> None:
    """Add a session, and delete all that have ended, or were last used before ``idle_since``."""
    ended = (sessions.c.ends < session.begun) | (sessions.c.seen < idle_since)
    connection.execute(delete(sessions).where(ended))
    connection.execute(insert(sessions), columns_of(session))


def session_user(
    connection: Connection, digest: str, now: str, idle_since: str
) -> tuple[UserRow, list[tuple[str, str]], str, str] | None:
    """Return the active user of a session that has not ended and is not idle, the roles, its last use and its end."""
    values = {"of": digest, "now": now, "idle_since": idle_since}
    found = connection.execute(_SESSION_USER, values).all()
    if not found:
        return None
    roles = [(row.role, row.federation) for row in found if row.role is not None]
    return _user(found[0]), roles, found[0].seen, found[0].ends


_SESSION_USER = (
    select(users, sessions.c.seen, sessions.c.ends, grants.c.role, grants.c.federation)
    .join_from(users, sessions, sessions.c.user == users.c.id)
    .outerjoin(grants, grants.c.user == users.c.id)
    .where(
        sessions.c.digest == bindparam("of"),
        sessions.c.ends > bindparam("now"),
        sessions.c.seen > bindparam("idle_since"),
        users.c.active == 1,
    )
    .order_by(grants.c.role, grants.c.federation)
)


def touch_session(connection: Connection, digest: str, now: str) -> None:
    """Store that a session is in use."""
    connection.execute(update(sessions).where(sessions.c.digest == digest).values(seen=now))


def sessions_of(connection: Connection, user: int, now: str) -> list[SessionRow]:
    """Return the sessions of a user that have not ended, the newest first."""
    query = select(sessions).where(sessions.c.user == user, sessions.c.ends > now)
    return [SessionRow(*row) for row in connection.execute(query.order_by(sessions.c.begun.desc()))]


def end_session(connection: Connection, digest: str) -> None:
    """Delete a session."""
    connection.execute(delete(sessions).where(sessions.c.digest == digest))


def end_sessions(connection: Connection, user: int, *, except_digest: str = "", beginning: str = "") -> int:
    """Delete the sessions of a user, except one, or only those whose digest begins so; return how many."""
    ended: ColumnElement[bool] = (sessions.c.user == user) & (sessions.c.digest != except_digest)
    if beginning:
        ended &= sessions.c.digest.startswith(beginning, autoescape=True)
    return int(connection.execute(delete(sessions).where(ended)).rowcount)


def replace_session_digest(connection: Connection, user: int, old: str, new: str) -> None:
    """Give a session of a user another token."""
    connection.execute(update(sessions).filter_by(user=user, digest=old).values(digest=new))


# ------------------------------------------------------------------------------------------------------ tokens


@dataclass(frozen=True, slots=True)
class TokenRow:
    """An API token; only its digest is stored."""

    id: int
    login: str
    name: str
    scopes: str
    """Separated by spaces."""

    made: str
    ends: str


def add_token(connection: Connection, user: int, digest: str, token: TokenRow) -> int:
    """Add a token of a user; return its number."""
    row = {"user": user, "digest": digest, "name": token.name, "scopes": token.scopes}
    return add_numbered(connection, tokens, {**row, "made": token.made, "ends": token.ends})


def delete_token(connection: Connection, number: int) -> bool:
    """Delete a token; return whether there was one."""
    return bool(connection.execute(delete(tokens).where(tokens.c.id == number)).rowcount)


def all_tokens(connection: Connection) -> list[TokenRow]:
    """Return all tokens, by number."""
    columns = tokens.c
    query = select(columns.id, users.c.login, columns.name, columns.scopes, columns.made, columns.ends)
    query = query.join(users, users.c.id == columns.user).order_by(columns.id)
    return [TokenRow(*row) for row in connection.execute(query)]


def token_user(connection: Connection, digest: str, now: str) -> tuple[UserRow, str] | None:
    """Return the active user of a token that has not ended, and its scopes."""
    query = select(users, tokens.c.scopes).join_from(users, tokens, tokens.c.user == users.c.id)
    query = query.where(tokens.c.digest == digest, tokens.c.ends > now, users.c.active == 1)
    row = connection.execute(query).first()
    return (_user(row), row.scopes) if row else None


# ------------------------------------------------------------------------------------------------------ limits


def add_failures(connection: Connection, keys: Iterable[str], at: str, forget_until: str) -> None:
    """Record a failed attempt for each key, and forget those up to a time."""
    connection.execute(delete(failures).where(failures.c.at <= forget_until))
    connection.execute(insert(failures), [{"key": key, "at": at} for key in keys])


def count_failures(connection: Connection, key: str, since: str) -> int:
    """Return how many attempts failed for a key after a time."""
    query = select(func.count()).where(failures.c.key == key, failures.c.at > since)
    return connection.execute(query).scalar() or 0


def clear_failures(connection: Connection, key: str, keys: Collection[str], at: str) -> None:
    """Forget all failed attempts of one key, and of all keys the one of a moment."""
    this = (failures.c.key.in_(keys)) & (failures.c.at == at)
    connection.execute(delete(failures).where((failures.c.key == key) | this))


def add_to_counter(connection: Connection, key: str, slot: int, more: int) -> int:
    """Add to the counter of a key in a slot of time and return its value; forget earlier slots."""
    this = {"key": key, "slot": slot}
    changed = connection.execute(update(counters).filter_by(**this).values(count=counters.c.count + more))
    if not changed.rowcount:
        connection.execute(delete(counters).where(counters.c.slot < slot))
        connection.execute(insert(counters), {**this, "count": more})
        return more
    return int(connection.execute(select(counters.c.count).filter_by(**this)).scalar_one())


def forget_expired(connection: Connection, now: str, before: Mapping[str, str], first_slot: int) -> int:
    """Delete what has expired; return how many rows.

    ``before`` has the times until which idle sessions, failures and places are deleted, ``first_slot`` is the first
    minute whose counts stay.
    """
    expired = (
        delete(sessions).where(or_(sessions.c.ends < now, sessions.c.seen < before["idle"])),
        delete(failures).where(failures.c.at <= before["failures"]),
        delete(password_links).where(password_links.c.ends < now),
        delete(known_places).where(known_places.c.seen < before["places"]),
        delete(counters).where(counters.c.slot < first_slot),
    )
    return sum(int(connection.execute(query).rowcount) for query in expired)


MAIL = "mail"
"""The kind of the jobs that send a mail; their key is the local part of its Message-ID."""


@dataclass(frozen=True, slots=True)
class MailChoice:
    """The address and language of a user's mails, and the kinds that are not wanted."""

    user: int
    address: str
    language: str
    unwanted: frozenset[str] = frozenset()


def choice_of(row: Any) -> MailChoice:
    """Return a user's choice from its row."""
    return MailChoice(row.user, row.address, row.language, frozenset(row.unwanted.split()))


def mail_choice(connection: Connection, user: int) -> MailChoice | None:
    """Return the choice of a user; None if no address is known."""
    row = connection.execute(select(mail_choices).where(mail_choices.c.user == user)).first()
    return choice_of(row) if row else None


def set_mail_choice(connection: Connection, choice: MailChoice) -> None:
    """Replace the choice of a user."""
    connection.execute(delete(mail_choices).where(mail_choices.c.user == choice.user))
    row = {
        "user": choice.user, "address": choice.address, "language": choice.language,
        "unwanted": " ".join(sorted(choice.unwanted)),
    }  # fmt: skip
    connection.execute(insert(mail_choices), row)


def active_choices(connection: Connection, roles: Collection[str] = ()) -> list[MailChoice]:
    """Return the choices of all users whose account is open, or of those with one of some roles."""
    query = select(mail_choices).join_from(mail_choices, users, users.c.id == mail_choices.c.user)
    query = query.where(users.c.active == 1).order_by(mail_choices.c.user)
    if roles:
        query = query.where(users.c.id.in_(select(grants.c.user).where(grants.c.role.in_(roles))))
    return [choice_of(row) for row in connection.execute(query)]


def users_of_address(connection: Connection, address: str) -> list[tuple[int, str]]:
    """Return the number and the login of every open account with an address."""
    query = select(users.c.id, users.c.login).join(mail_choices, users.c.id == mail_choices.c.user)
    query = query.where(mail_choices.c.address == address, users.c.active == 1)
    return fetch_rows(connection, query.order_by(users.c.id))


def forget_user(connection: Connection, user: int) -> None:
    """Delete the address of a user with everything that belongs to it: links, places, and mails to it."""
    choice = mail_choice(connection, user)
    for table in (mail_choices, password_links, known_places):
        connection.execute(delete(table).where(table.c.user == user))
    if choice is not None and not users_of_address(connection, choice.address):
        forget_address(connection, choice.address)


def forget_address(connection: Connection, address: str) -> int:
    """Delete every mail to an address from the queue, sent or not; return how many there were."""
    mails = jobs.all_jobs(connection, [MAIL], most=1_000_000)
    return jobs.remove(connection, MAIL, [job.key for job in mails if job.payload["to"] == address])


# ------------------------------------------------------------------------------------------- links for passwords


def add_password_link(connection: Connection, digest: str, user: int, ends: str, now: str) -> None:
    """Add a link by the digest of its secret, and forget those that have ended."""
    connection.execute(delete(password_links).where(password_links.c.ends <= now))
    connection.execute(insert(password_links), {"digest": digest, "user": user, "ends": ends})


def link_user(connection: Connection, digest: str, now: str) -> tuple[int, str, str] | None:
    """Return the number, login and name of the open account of a link that has not ended."""
    query = select(users.c.id, users.c.login, users.c.name)
    query = query.join(password_links, users.c.id == password_links.c.user)
    query = query.where(password_links.c.digest == digest, password_links.c.ends > now, users.c.active == 1)
    row = connection.execute(query).first()
    return (row.id, row.login, row.name) if row else None


def end_password_links(connection: Connection, user: int) -> int:
    """Delete all links of a user; return how many there were."""
    return int(connection.execute(delete(password_links).where(password_links.c.user == user)).rowcount)


# ---------------------------------------------------------------------------------------------- known places


def note_place(connection: Connection, user: int, place: str, now: str, forget_until: str) -> bool:
    """Note from where a user signed in; return whether the place is new to a user who signed in before."""
    if connection.execute(update(known_places).filter_by(user=user, place=place).values(seen=now)).rowcount:
        return False
    old = (known_places.c.user == user) & (known_places.c.seen <= forget_until)
    connection.execute(delete(known_places).where(old))
    before = connection.execute(select(known_places).filter_by(user=user).limit(1)).first() is not None
    connection.execute(insert(known_places), {"user": user, "place": place, "seen": now})
    return before
