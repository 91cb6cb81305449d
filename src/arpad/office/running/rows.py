"""Tournaments in progress: the latest version of each with its bytes, and the digests of all versions."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from arpad.model.canonical_json import dump, load
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.running.tables import running_tournaments, running_versions
from arpad.store.bulk import columns_of
from arpad.store.schema import ledger


@dataclass(frozen=True, slots=True)
class RunningTournament:
    """A tournament in progress in its latest version; after its end without bytes, games and document."""

    name: str
    """The name in its address."""

    title: str
    federation: str
    list: str
    first_day: str
    last_day: str
    sender: str
    """The author of the first version."""

    arbiters: str
    """The names of its arbiters, one on each line."""

    version: int
    rounds: int
    """The last round with a result."""

    players: int
    digest: str
    received: str
    """When the version arrived, in UTC."""

    ended: str
    """When it was ended; empty while it runs."""

    report: int | None
    """The final report, if one was submitted."""

    file: str
    data: bytes
    marks: bytes
    document: str
    """The values of the page, as canonical JSON."""


@dataclass(frozen=True, slots=True)
class SentVersion:
    """A version as the history keeps it."""

    version: int
    rounds: int
    digest: str
    at: str
    author: str


_LONG = ("data", "document")


def running_tournament(connection: Connection, name: str) -> RunningTournament | None:
    """Return the tournament of a name."""
    row = connection.execute(select(running_tournaments).filter_by(name=name)).mappings().first()
    return RunningTournament(**row) if row else None


def all_running(connection: Connection, *, whole: bool = False) -> list[RunningTournament]:
    """Return the tournaments that were not ended, the latest version first; ``whole`` with bytes and documents."""
    columns = running_tournaments.c
    query = select(*(it for it in columns if whole or it.name not in _LONG)).where(columns.ended == "")
    query = query.order_by(columns.received.desc(), columns.name)
    empty = {"data": b"", "document": ""}
    return [RunningTournament(**{**empty, **row}) for row in connection.execute(query).mappings()]


def put_tournament(connection: Connection, tournament: RunningTournament) -> None:
    """Store a tournament in place of the one of its name."""
    connection.execute(delete(running_tournaments).where(running_tournaments.c.name == tournament.name))
    connection.execute(insert(running_tournaments), columns_of(tournament))


def set_report(connection: Connection, names: Collection[str], report: int) -> None:
    """Store the number of the final report of some tournaments."""
    query = update(running_tournaments).where(running_tournaments.c.name.in_(names))
    connection.execute(query.values(report=report))


def versions_of(connection: Connection, name: str) -> list[SentVersion]:
    """Return all versions that were sent under a name, the latest first."""
    columns = (running_versions.c.version, running_versions.c.rounds, running_versions.c.digest)
    query = (
        select(*columns, ledger.c.at, ledger.c.author)
        .join(ledger, ledger.c.seq == running_versions.c.act)
        .where(running_versions.c.tournament == name)
        .order_by(running_versions.c.id.desc())
    )
    return [SentVersion(*row) for row in connection.execute(query)]


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the tournaments in progress that name a person."""
    named = [
        {"tournament": it.name, "title": it.title, "first_day": it.first_day, "last_day": it.last_day}
        for it in all_running(connection, whole=True)
        if person.without_names(it.document) != it.document
    ]
    return {"running_tournaments": named}


def erase_texts(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Erase the player from the pages of tournaments in progress; the bytes go, since the next version has others."""
    for tournament in all_running(connection, whole=True):
        document = dump(person.without_texts(load(tournament.document), own=False))
        if document != tournament.document:
            left = replace(
                tournament, title=person.without_names(tournament.title), file="", data=b"", document=document
            )
            put_tournament(connection, left)
    return {}
