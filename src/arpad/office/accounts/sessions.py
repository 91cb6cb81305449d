"""Sessions; tokens, the keys of programs; and one-time links to choose a password.

Everybody makes tokens that fit their roles; administrators make all. A link is for a new user, or for one who has
forgotten the password. It is made when its mail is written, so that its secret is never stored; the database has its
digest. It ends after a while, and with the first password that is chosen by any link of the user.
"""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.retention import amount_of
from arpad.office.accounts.mail_choices import note_sign_in
from arpad.office.accounts.passwords import (
    INVITED_DAYS,
    check_password,
    count_attempt,
    hasher,
    is_password,
    limit_attempts,
    placeholder_password,
)
from arpad.office.accounts.second_factor import use_second_factor
from arpad.office.accounts.users import Login, known_user
from arpad.office.declared import BACK, Reading, act, query
from arpad.office.mails import LONGEST_ADDRESS, mail_is_set_up, queue_mail
from arpad.office.office import ActContext, Office, iso_time, local_moment, record_act, utc_now
from arpad.office.users import IDLE_HOURS, Role, User, own_account, secret_digest
from arpad.store import accounts as rows
from arpad.store import jobs
from arpad.store.accounts import SessionRow, TokenRow, UserRow
from arpad.store.jobs import Job

log = logging.getLogger("arpad.security")

SESSION_HOURS = amount_of("sessions")

LONGEST_BROWSER = 120


@dataclass(frozen=True, slots=True)
class Session:
    """A session as its owner sees it."""

    id: str
    """The beginning of its digest: enough to name it, useless to sign in with."""

    begun: datetime
    """By the clock of the office."""

    last_seen: datetime
    browser: str
    current: bool
    """The session that asks."""


def sign_in(
    office: Office, login: str, password: str, address: str, *, code: str = "", browser: str = ""
) -> str:
    """Open a session if the password is right, and the code if one is needed; return its token.

    Repeated failures lock the login for a while. A password that another person chose expires; only a user
    with that password gets this message.
    """
    cleaned = login.replace("\0", "\ufffd").strip().lower()[:60]
    about = {"login": cleaned, "place": address}
    with limit_attempts(office, f"login {cleaned}", address):
        user = _recognise(office, cleaned, password, code)
        if user is None:
            log.warning("sign-in failed", extra=about)
            raise BadInput("wrong-password")
    if user.password_ends and user.password_ends <= iso_time(utc_now(office)):
        log.warning("sign-in failed", extra={**about, "why": "password-ended"})
        raise BadInput("password-ended", day=date.fromisoformat(user.password_ends[:10]))
    log.info("signed in", extra={**about, "second_factor": bool(user.factor)})
    token = _open_session(office, user.id, browser)
    note_sign_in(office, user.id, address, browser)
    return token


def _recognise(office: Office, login: str, password: str, code: str) -> UserRow | None:
    """Return the user if everything is right and the account is open; an unknown login takes as long to check."""
    with office.store.reading() as connection:
        user = rows.user_by_login(connection, login)
    placeholder = placeholder_password()  # created by the first request, for known and unknown logins
    right = is_password(user.password if user else placeholder, password)
    return (
        user if user is not None and right and user.active and use_second_factor(office, user, code) else None
    )


def _open_session(office: Office, user: int, browser: str) -> str:
    token = secrets.token_urlsafe(32)
    now = utc_now(office)
    ends = iso_time(now + timedelta(hours=SESSION_HOURS))
    session = SessionRow(
        secret_digest(token), user, iso_time(now), ends, iso_time(now), browser[:LONGEST_BROWSER]
    )
    with office.store.unlogged_writing() as connection:
        rows.add_session(connection, session, iso_time(now - timedelta(hours=IDLE_HOURS)))
    return token


def sign_out(office: Office, token: str) -> None:
    """End a session."""
    with office.store.unlogged_writing() as connection:
        rows.end_session(connection, secret_digest(token))


def sessions_of(office: Office, user: User, token: str) -> list[Session]:
    """Return every session of a user, the newest first."""
    with office.store.reading() as connection:
        return [
            Session(
                session.digest[:16],
                local_moment(connection, session.begun),
                local_moment(connection, session.seen),
                session.browser,
                session.digest == secret_digest(token),
            )
            for session in rows.sessions_of(connection, user.id, iso_time(utc_now(office)))
        ]


def end_other_sessions(office: Office, user: User, token: str, only: str = "") -> int:
    """End all sessions of a user except this one, or the one named by ``only``; return how many."""
    with office.store.unlogged_writing() as connection:
        return rows.end_sessions(connection, user.id, except_digest=secret_digest(token), beginning=only[:16])


SCOPES = ("submit", "running", "decide", "register", "lists", "office", "administer")
"""The scopes of a token: rights in addition to what is public."""

TOKEN_DAYS = amount_of("tokens")


Scope = Literal["submit", "running", "decide", "register", "lists", "office", "administer"]
Scopes = Annotated[list[Scope], Accepts("submit", word="scopes")]
TokenName = Annotated[str, Accepts("pairing program", longest=80, word="token-name", personal=False)]
Days = Annotated[int, Accepts("30", high=TOKEN_DAYS, word="token-days")]
TokenNumber = Annotated[int, Accepts("1", word="token")]


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it may be shown; the secret itself is shown once, when it is created."""

    id: int
    login: str
    name: str
    scopes: tuple[str, ...]
    created: str
    ends: str


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token with its secret, which is shown once."""

    id: int
    login: str
    scopes: tuple[str, ...]
    ends: str
    secret: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A token that programs can no longer use."""

    token: int
    login: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that were not withdrawn."""

    tokens: tuple[Token, ...]


def scopes_for(user: User) -> tuple[str, ...]:
    """Return the scopes that fit the roles of a user."""
    fitting: set[str] = set()
    if user.has(Role.ARBITER) or user.has(Role.OFFICER):
        fitting |= {"submit", "running"}
    if user.has(Role.OFFICER):
        fitting |= {"decide", "register", "lists", "office"}
    if user.has(Role.ADMINISTRATOR):
        fitting.add("administer")
    return tuple(scope for scope in SCOPES if scope in fitting)


def _may_issue(_connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    is_own = given["login"] == user.login and set(given["scope"]) <= set(scopes_for(user))
    return is_own or user.has(Role.ADMINISTRATOR)


def _may_withdraw(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    is_own = any(row.id == given["token"] and row.login == user.login for row in rows.all_tokens(connection))
    return is_own or user.has(Role.ADMINISTRATOR)


ISSUE = own_account(_may_issue, "token-not-yours")
WITHDRAW = own_account(_may_withdraw, "token-not-yours")
LIST = own_account(lambda _connection, _user, _given: True)


@act("token issue", ISSUE, says="token.issued")
def issue_token(
    act: ActContext, login: Login, name: TokenName = "", *, scope: Scopes, days: Days = TOKEN_DAYS
) -> NewToken:
    """Make a token for a program; its secret is shown once.

    Everybody makes tokens for themselves, with scopes that fit their roles. Administrators make tokens for all.

    Example: arpad office token issue anna "pairing program" --scope submit --db office.db
    """
    user = known_user(act.connection, login)
    if user.password_ends:
        raise BadInput("own-password-missing", option="login", login=login)
    secret = "arpad_" + secrets.token_urlsafe(32)
    now = utc_now(act.office)
    scopes = tuple(dict.fromkeys(scope))
    token = TokenRow(0, login, name, " ".join(scopes), iso_time(now), iso_time(now + timedelta(days=days)))
    number = rows.add_token(act.connection, user.id, secret_digest(secret), token)
    act.record(token=number, scopes=list(scopes))
    return NewToken(number, login, scopes, token.ends, secret)


@act("token withdraw", WITHDRAW, says="token.withdrawn", page=BACK)
def withdraw_token(act: ActContext, token: TokenNumber) -> Withdrawn:
    """Withdraw a token: programs can no longer use it."""
    login = next((row.login for row in rows.all_tokens(act.connection) if row.id == token), "")
    if not rows.delete_token(act.connection, token):
        raise BadInput("no-such-token", option="token", token=token)
    return Withdrawn(token, login)


@query(
    "token list",
    LIST,
    columns=("id", "login", "name", "scopes", "ends"),
    path="/office/tokens",
    says="token.none",
)
def list_tokens(reading: Reading) -> Tokens:
    """List the tokens that were not withdrawn: administrators see all, others their own."""
    user = reading.caller.user
    only = user.login if user is not None and not user.has(Role.ADMINISTRATOR) else ""
    return Tokens(tuple(_tokens(reading.connection, only)))


def _tokens(connection: Connection, login: str) -> list[Token]:
    return [
        Token(row.id, row.login, row.name, tuple(row.scopes.split()), row.made, row.ends)
        for row in rows.all_tokens(connection)
        if login in ("", row.login)
    ]


def tokens_of(office: Office, login: str = "") -> list[Token]:
    """Return every token that was not withdrawn, or those of one user."""
    with office.store.reading() as connection:
        return _tokens(connection, login)


LINK = "password-link"
"""The kind of the jobs that look for the users of a question."""

LINK_HOURS = {"invitation": INVITED_DAYS * 24, "forgotten": 2}
"""How long a link is valid, by the kind of its mail."""


def ask_for_link(office: Office, asked: str, address: str) -> None:
    """Queue the question for a link by a login or a mail address.

    The worker looks whether there is such a user, so that the visitor cannot tell from the time. ``address`` is the
    network address of the visitor; questions are counted like failed sign-ins.
    """
    require_mail(office)
    cleaned = asked.replace("\0", "").strip()[:LONGEST_ADDRESS]
    count_attempt(office, f"link {secret_digest(cleaned.lower())[:16]}", f"link {address}")
    with office.store.unlogged_writing() as connection:
        jobs.enqueue(connection, LINK, {"asked": cleaned})


def queue_links(office: Office, job: Job) -> None:
    """Queue the mails with a link for the users with a login or an address, and forget what was asked."""
    with office.store.unlogged_writing() as connection:
        asked = job.payload.get("asked", "")
        user = rows.user_by_login(connection, asked.lower())
        named = [(user.id, user.login)] if user and user.active else []
        for number, login in named or rows.users_of_address(connection, asked):
            choice = rows.mail_choice(connection, number)
            if choice is not None:
                log.info("password link queued", extra={"login": login})
                queue_mail(
                    connection, "forgotten", choice.address, language=choice.language, path="",
                    key=f"{job.key}-{number}",
                    facts={"user": number, "login": login, "hours": LINK_HOURS["forgotten"]},
                )  # fmt: skip
        jobs.amend(connection, job, {})


def new_link(office: Office, user: int, kind: str) -> str:
    """Return the secret of a new link for a user; only its digest is stored."""
    secret, now = secrets.token_urlsafe(32), utc_now(office)
    with office.store.unlogged_writing() as connection:
        ends = iso_time(now + timedelta(hours=LINK_HOURS[kind]))
        rows.add_password_link(connection, secret_digest(secret), user, ends, iso_time(now))
    return secret


def login_of_link(office: Office, secret: str) -> str:
    """Return the login of the user of a link; raise if it was used or has ended."""
    with office.store.reading() as connection:
        user = rows.link_user(connection, secret_digest(secret), iso_time(utc_now(office)))
    if user is None:
        raise BadInput("link-ended")
    return user[1]


def choose_password(office: Office, secret: str, password: str) -> str:
    """Set the password that the user of a link chose; end all links and sessions of the user. Return the login."""
    with record_act(office, "choose-password") as act:
        user = rows.link_user(act.connection, secret_digest(secret), iso_time(utc_now(office)))
        if user is None:
            raise BadInput("link-ended")
        number, login, name = user
        check_password(password, (login, name))
        rows.set_password(act.connection, number, hasher().hash(password), "")
        rows.end_sessions(act.connection, number)
        rows.end_password_links(act.connection, number)
        act.record(login=login)
    log.info("password chosen by link", extra={"login": login})
    return login


def require_mail(office: Office) -> None:
    """Refuse if the office cannot send mails."""
    with office.store.reading() as connection:
        if not mail_is_set_up(connection):
            raise BadInput("mail-not-set", setting="mail_host")
