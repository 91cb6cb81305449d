"""What was sent in: the bytes as they came, what they are about, and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, insert, select

from arpad.model import ListName
from arpad.store.many import asked
from arpad.store.register import next_id
from arpad.store.schema import (
    decisions,
    entrants,
    events,
    rated_reports,
    report_statuses,
    reports,
    revocations,
    taken_back,
)

STATUSES = RECEIVED, ACCEPTED, RETURNED, WITHDRAWN, SUPERSEDED = (
    "received", "accepted", "returned", "withdrawn", "superseded",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filed:
    """A report on file, without its bytes."""

    id: int
    digest: str
    file: str
    received: date
    list: ListName
    name: str
    federation: str
    first_day: date | None
    last_day: date | None
    facts: str
    findings: str
    event: int | None
    replaces: int | None
    act: int
    status: str


_COLUMNS = [column for column in reports.c if column.name not in ("data", "games")]


def filed(connection: Connection, ids: Iterable[int] | None = None) -> dict[int, Filed]:
    """Reports by number, with their present status."""
    if ids is None:
        return _filed_now(connection, None)
    some = (_filed_now(connection, few) for few in asked(set(ids)))
    return {number: found for few in some for number, found in few.items()}


def _filed_now(connection: Connection, ids: Sequence[int] | None) -> dict[int, Filed]:
    latest = select(report_statuses.c.report, func.max(report_statuses.c.id).label("latest"))
    if ids is not None:
        latest = latest.where(report_statuses.c.report.in_(ids))
    now = latest.group_by(report_statuses.c.report).subquery()
    query = (
        select(*_COLUMNS, report_statuses.c.status)
        .join(now, now.c.report == reports.c.id)
        .join(report_statuses, report_statuses.c.id == now.c.latest)
    )
    if ids is not None:
        query = query.where(reports.c.id.in_(ids))
    rows = connection.execute(query.order_by(reports.c.id)).mappings()
    return {row["id"]: _filed(dict(row)) for row in rows}


def latest(connection: Connection, status: str, most: int, after: int = 0) -> list[int]:
    """The numbers of the reports that have a status now, the latest event first."""
    query = select(reports.c.id).join(report_statuses, report_statuses.c.report == reports.c.id)
    query = query.where(_is_now(status)).order_by(reports.c.last_day.desc(), reports.c.id.desc())
    return list(connection.execute(query.limit(most).offset(after)).scalars())


def with_status(*statuses: str) -> Select[int]:
    """The question for the numbers of the reports that have one of some statuses now."""
    return select(report_statuses.c.report).where(_is_now(*statuses))


def waiting(connection: Connection, on_list: ListName, not_by: Iterable[int]) -> list[Filed]:
    """Reports received or accepted that no list rates, unless it is one of those that do not count.

    Their numbers come from short rows; the long ones, with the bytes, are read of these few alone.
    """
    rated = exists().where(
        rated_reports.c.report == report_statuses.c.report,
        rated_reports.c.publication.not_in(list(not_by)),
        rated_reports.c.publication.not_in(select(taken_back.c.publication)),
    )
    numbers = connection.execute(with_status(RECEIVED, ACCEPTED).where(~rated)).scalars().all()
    return [found for found in filed(connection, numbers).values() if found.list == on_list]


def count(connection: Connection, status: str) -> int:
    """How many reports have a status now."""
    query = select(func.count()).select_from(report_statuses).where(_is_now(status))
    return connection.execute(query).scalar_one()


def _is_now(*statuses: str) -> ColumnElement[bool]:
    later = report_statuses.alias()
    no_later = ~exists().where(later.c.report == report_statuses.c.report, later.c.id > report_statuses.c.id)
    return and_(report_statuses.c.status.in_(statuses), no_later)


def _filed(row: dict[str, Any]) -> Filed:
    for day in ("first_day", "last_day", "received"):
        row[day] = date.fromisoformat(row[day]) if row[day] else None
    return Filed(**(row | {"list": ListName(row["list"])}))


def by_digest(connection: Connection, digest: str) -> int | None:
    """The report with these very bytes."""
    return connection.execute(select(reports.c.id).where(reports.c.digest == digest)).scalar()


def by_digests(connection: Connection, digests: Sequence[str]) -> dict[str, int]:
    """The reports with some very bytes, by digest."""
    query = select(reports.c.digest, reports.c.id).where(reports.c.digest.in_(digests))
    return {digest: number for digest, number in connection.execute(query)}  # noqa: C416  rows become pairs


def data(connection: Connection, report: int) -> bytes:
    """The bytes as they came."""
    return bytes(connection.execute(select(reports.c.data).where(reports.c.id == report)).scalar_one())


def overlapping(connection: Connection, first: date, last: date) -> list[tuple[int, bytes]]:
    """Reports of events that were going on at the same time, with the marks of their games."""
    query = select(reports.c.id, reports.c.games).where(
        reports.c.last_day >= str(first), reports.c.first_day <= str(last)
    )
    return [(number, bytes(games)) for number, games in connection.execute(query)]


def overlapping_days(connection: Connection, first: str, last: str) -> Iterator[tuple[int, bytes, str, str]]:
    """The same, each with its days."""
    query = select(reports.c.id, reports.c.games, reports.c.first_day, reports.c.last_day)
    query = query.where(reports.c.last_day >= first, reports.c.first_day <= last)
    for number, games, began, ended in connection.execute(query):
        yield number, bytes(games), began, ended


def add_report(connection: Connection, row: Mapping[str, Any]) -> int:
    """File a report; gives its number."""
    number = next_id(connection, reports)
    connection.execute(insert(reports), {**row, "id": number})
    add_status(connection, number, RECEIVED, row["act"])
    return number


def add_status(connection: Connection, report: int, status: str, act: int) -> None:
    """What became of a report."""
    row = {"id": next_id(connection, report_statuses), "report": report, "status": status, "act": act}
    connection.execute(insert(report_statuses), row)


def history(connection: Connection, report: int) -> list[tuple[str, int]]:
    """Each status with the act that gave it."""
    query = select(report_statuses.c.status, report_statuses.c.act).where(report_statuses.c.report == report)
    return [(status, act) for status, act in connection.execute(query.order_by(report_statuses.c.id))]


def add_entrants(connection: Connection, report: int, players: Iterable[int], act: int) -> None:
    """Who played, by place among the entrants."""
    rows = [
        {"report": report, "place": place, "player": player, "act": act}
        for place, player in enumerate(players)
    ]
    if rows:
        connection.execute(insert(entrants), rows)


def players_of(connection: Connection, report: int) -> tuple[int, ...]:
    """Who played, by place."""
    query = select(entrants.c.player).where(entrants.c.report == report).order_by(entrants.c.place)
    return tuple(connection.execute(query).scalars())


def reports_of(connection: Connection, player: int) -> list[int]:
    """The accepted reports in which somebody played."""
    query = select(entrants.c.report).where(entrants.c.player == player).order_by(entrants.c.report)
    return list(connection.execute(query).scalars())


def rated_already(
    connection: Connection, publications: Iterable[int], among: Iterable[int] | None = None
) -> set[int]:
    """The reports that some publications rate; perhaps only of a few."""
    query = select(rated_reports.c.report).where(rated_reports.c.publication.in_(list(publications)))
    if among is None:
        return set(connection.execute(query).scalars())
    some = (connection.execute(query.where(rated_reports.c.report.in_(few))) for few in asked(set(among)))
    return {report for rows in some for report in rows.scalars()}


# ------------------------------------------------------------------------------------ events and decisions


@dataclass(frozen=True, slots=True)
class Decision:
    """An officer's decision that stands."""

    id: int
    kind: str
    report: int | None
    player: int | None
    federation: str | None
    list: str | None
    day: str | None
    value: str
    """Canonical JSON."""

    act: int


def standing_decisions(connection: Connection, known_at: int | None = None) -> tuple[Decision, ...]:
    """Every decision that stands, or stood when an act was done, in order."""
    query = select(revocations.c.decision)
    if known_at is not None:
        query = query.where(revocations.c.act <= known_at)
    revoked = set(connection.execute(query).scalars())
    return tuple(
        decision
        for decision in all_decisions(connection)
        if decision.id not in revoked and (known_at is None or decision.act <= known_at)
    )


def all_decisions(connection: Connection) -> tuple[Decision, ...]:
    """Every decision ever taken."""
    return tuple(
        Decision(**row) for row in connection.execute(select(decisions).order_by(decisions.c.id)).mappings()
    )


def add_decision(connection: Connection, row: Mapping[str, Any]) -> int:
    """Enter a decision; gives its number."""
    number = next_id(connection, decisions)
    connection.execute(insert(decisions), {**row, "id": number})
    return number


def last_decided(connection: Connection) -> int:
    """The last act that took or revoked a decision; 0 where there was none."""
    latest = (
        connection.execute(select(func.max(table.c.act))).scalar() for table in (decisions, revocations)
    )
    return max(act or 0 for act in latest)


def add_revocation(connection: Connection, decision: int, act: int) -> None:
    """A decision no longer stands."""
    connection.execute(insert(revocations), {"decision": decision, "act": act})


def add_event(connection: Connection, row: Mapping[str, Any]) -> int:
    """Enter a tournament before it starts; gives its number."""
    number = next_id(connection, events)
    connection.execute(insert(events), {**row, "id": number})
    return number


def registered_events(connection: Connection, days: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Registered tournaments, perhaps only those that begin on certain days."""
    query = select(events).order_by(events.c.id)
    if days is not None:
        query = query.where(events.c.first_day.in_(days))
    return [dict(row) for row in connection.execute(query).mappings()]
