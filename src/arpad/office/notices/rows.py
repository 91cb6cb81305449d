"""Visitors who follow a player, a club or a list by mail: their addresses, and nothing else about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from arpad.office.notices.tables import follow_requests, followers, follows
from arpad.store import jobs
from arpad.store.accounts import MAIL
from arpad.store.bulk import columns_of, fetch_rows, next_id

PLAYER, CLUB, LIST = "player", "club", "list"
NEWS_MAILS = ("follow-news", "follow-correction")
CONFIRM_MAIL = "follow-confirm"


@dataclass(frozen=True, slots=True)
class Follower:
    """An address that follows something, or was asked to confirm it."""

    id: int
    address: str
    language: str
    token: str
    """The secret part of the links in its mails."""

    made: str


@dataclass(frozen=True, slots=True)
class Follow:
    """One thing that an address follows."""

    follower: int
    kind: str
    target: str
    made: str
    confirmed: str
    """When the link in the mail was used; empty before."""


# ------------------------------------------------------------------------------------------------------ addresses


def follower_of_address(connection: Connection, address: str) -> Follower | None:
    """Return the follower with an address, however its letters are written."""
    row = connection.execute(select(followers).filter_by(address=address.lower())).first()
    return Follower(*row) if row else None


def follower_of_token(connection: Connection, token: str) -> Follower | None:
    """Return the follower whose mails contain a token."""
    row = connection.execute(select(followers).filter_by(token=token)).first()
    return Follower(*row) if row else None


def add_follower(connection: Connection, address: str, language: str, token: str, at: str) -> Follower:
    """Add an address."""
    follower = Follower(next_id(connection, followers), address.lower(), language, token, at)
    connection.execute(insert(followers), columns_of(follower))
    return follower


def all_followers(connection: Connection) -> list[Follower]:
    """Return every address, in the order in which they came."""
    return [Follower(*row) for row in connection.execute(select(followers).order_by(followers.c.id))]


def set_language(connection: Connection, follower: int, language: str) -> None:
    """Change the language in which an address gets mails."""
    connection.execute(update(followers).where(followers.c.id == follower).values(language=language))


def delete_follower(connection: Connection, follower: Follower) -> None:
    """Delete an address, what it follows, and every mail to it, also those that were sent."""
    _overwrite_deleted(connection)
    connection.execute(delete(follows).where(follows.c.follower == follower.id))
    connection.execute(delete(followers).where(followers.c.id == follower.id))
    mails = jobs.all_jobs(connection, [MAIL], most=1_000_000)
    jobs.remove(connection, MAIL, [job.key for job in mails if _is_to(job, follower.address)])


def _is_to(job: jobs.Job, address: str) -> bool:
    """Return whether a job is a mail to a follower; mails to users of the same address are theirs."""
    about = str(job.payload.get("mail", ""))
    return about.startswith("follow-") and str(job.payload.get("to", "")).lower() == address


def _overwrite_deleted(connection: Connection) -> None:
    """Let SQLite overwrite what is deleted."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")


# --------------------------------------------------------------------------------------------------------- follows


def follows_of(connection: Connection, follower: int) -> list[Follow]:
    """Return what an address follows, also what it has not confirmed."""
    query = select(follows).where(follows.c.follower == follower).order_by(follows.c.made, follows.c.target)
    return [Follow(*row) for row in connection.execute(query)]


def confirmed_follows(connection: Connection) -> list[Follow]:
    """Return every follow that was confirmed."""
    query = select(follows).where(follows.c.confirmed != "")
    return [Follow(*row) for row in connection.execute(query.order_by(follows.c.follower, follows.c.made))]


def add_follow(connection: Connection, follower: int, kind: str, target: str, at: str) -> None:
    """Add a follow that waits for its confirmation, unless there is one already."""
    this = {"follower": follower, "kind": kind, "target": target}
    if connection.execute(select(follows).filter_by(**this)).first() is None:
        connection.execute(insert(follows), {**this, "made": at, "confirmed": ""})


def confirm_follow(connection: Connection, follower: int, kind: str, target: str, at: str) -> None:
    """Confirm a follow; one that was confirmed before stays as it is."""
    waiting = update(follows).filter_by(follower=follower, kind=kind, target=target, confirmed="")
    connection.execute(waiting.values(confirmed=at))


def end_follow(connection: Connection, follower: int, kind: str, target: str) -> None:
    """End a follow; an address that follows nothing else stays until it is deleted at night."""
    connection.execute(delete(follows).filter_by(follower=follower, kind=kind, target=target))


def end_follows_of_players(connection: Connection, players: Iterable[int], names: Sequence[str]) -> None:
    """End every follow of some players, and take their names out of the mails that wait."""
    targets = [str(player) for player in players]
    connection.execute(delete(follows).where(follows.c.kind == PLAYER, follows.c.target.in_(targets)))
    waiting = (jobs.JobState.WAITING, jobs.JobState.FAILED, jobs.JobState.RUNNING)
    for job in jobs.all_jobs(connection, [MAIL], waiting, most=1_000_000):
        about, lines = job.payload.get("mail"), job.payload.get("lines", [])
        kept = [line for line in lines if not any(name in line for name in names)]
        if about == CONFIRM_MAIL and job.payload["facts"]["name"] in names:
            jobs.remove(connection, MAIL, [job.key])
        elif about in NEWS_MAILS and kept != lines:
            jobs.replace_payload(connection, MAIL, job.key, {**job.payload, "lines": kept})


def forget_unconfirmed(connection: Connection, before: str) -> int:
    """Delete follows that were not confirmed in time, and addresses that follow nothing; return how many addresses."""
    _overwrite_deleted(connection)
    connection.execute(delete(follow_requests).where(follow_requests.c.at < before))
    connection.execute(delete(follows).where(follows.c.confirmed == "", follows.c.made < before))
    nothing = followers.c.id.not_in(select(follows.c.follower))
    idle = select(followers).where(nothing, followers.c.made < before)
    forgotten = [Follower(*row) for row in connection.execute(idle)]
    for follower in forgotten:
        delete_follower(connection, follower)
    return len(forgotten)


# ---------------------------------------------------------------------------------------------------------- limits


def count_requests(connection: Connection, keys: Sequence[str], at: str, since: str) -> list[int]:
    """Note a request under each key; return how many each key has since a time, and forget the earlier ones."""
    connection.execute(delete(follow_requests).where(follow_requests.c.at < since))
    connection.execute(insert(follow_requests), [{"key": key, "at": at} for key in keys])
    query = select(follow_requests.c.key, func.count()).where(follow_requests.c.key.in_(keys))
    counts = dict(fetch_rows(connection, query.group_by(follow_requests.c.key)))
    return [counts[key] for key in keys]


def held_about(connection: Connection, person: Any) -> dict[str, Any]:
    """Return how many visitors follow a person; who they are is nobody's business."""
    numbers = {str(number) for number in person.numbers}
    follows = confirmed_follows(connection)
    return {"followers": sum(it.kind == "player" and it.target in numbers for it in follows)}


def names_players(mail: str) -> bool:
    """Return whether the lines of a mail name players."""
    return mail in NEWS_MAILS
