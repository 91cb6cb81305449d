"""Addresses for mails and the kinds that users want; links to choose a password; known places of sign-ins."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from arpad.store import jobs
from arpad.store.bulk import fetch_rows
from arpad.store.schema import grants, known_places, mail_choices, password_links, users

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
