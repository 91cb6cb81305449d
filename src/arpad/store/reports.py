"""What was sent in: the bytes as they came, what they are about, and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, insert, select

from arpad.model.json_values import load
from arpad.model.rules import ListName
from arpad.store.bulk import id_batches, next_id
from arpad.store.lists import BASE
from arpad.store.schema import (
    decisions,
    entrants,
    events,
    publications,
    rated_reports,
    report_statuses,
    reports,
    revocations,
    taken_back,
)

STATUSES = RECEIVED, ACCEPTED, RETURNED, WITHDRAWN, SUPERSEDED = (
    "received", "accepted", "returned", "withdrawn", "superseded",
)  # fmt: skip
FACT = "fact"
"""The kind of decision that states facts about a report."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A report on file, without its bytes."""

    id: int
    digest: str
    file: str
    received: date
    list: ListName
    """The list on which it is rated: that of its filing, or another by decision."""

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
    filed_on: ListName
    """The list for which it was filed."""


_COLUMNS = [column for column in reports.c if column.name not in ("data", "games")]


def filed(connection: Connection, ids: Iterable[int] | None = None) -> dict[int, Filed]:
    """Reports by number, with their present status."""
    if ids is None:
        return _filed_now(connection, None)
    some = (_filed_now(connection, few) for few in id_batches(set(ids)))
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
    found = {row["id"]: _filed(dict(row)) for row in rows}
    for number, on_list in routed(connection).items():
        if number in found and found[number].list != on_list:
            found[number] = replace(found[number], list=on_list)
    return found


def routed(connection: Connection) -> dict[int, ListName]:
    """Return the list of every report whose list was decided after filing."""
    query = select(decisions).where(decisions.c.kind == FACT, decisions.c.list.is_not(None))
    query = query.where(~exists().where(revocations.c.decision == decisions.c.id)).order_by(decisions.c.id)
    standing = [Decision(**row) for row in connection.execute(query).mappings()]
    numbers = {decision.report for decision in standing if decision.report is not None}
    found = {number: list_decided(number, standing) for number in numbers}
    return {number: ListName(name) for number, name in found.items() if name}


def list_decided(report: int, decided: Iterable[Decision]) -> str | None:
    """Return the list that decisions give a report: one named, else the one that a stated time control belongs to."""
    named: str | None = None
    by_control: str | None = None
    for decision in decided:
        if decision.kind != FACT or decision.report != report or decision.list is None:
            continue
        stated = load(decision.value)
        if stated.get("list"):
            named = decision.list
        else:
            by_control = decision.list
            named = None if "list" in stated else named
    return named or by_control


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

    A report that was moved here from another list by decision waits even while the other one still rates it. The
    numbers come from short rows; the long ones, with the bytes, are read of these few alone.
    """
    no_count = list(not_by)
    counts = and_(rated_reports.c.publication.not_in(no_count), _stands(rated_reports.c.publication))
    rated = exists().where(rated_reports.c.report == report_statuses.c.report, counts)
    numbers = set(connection.execute(with_status(RECEIVED, ACCEPTED).where(~rated)).scalars())
    moved = {number for number, name in routed(connection).items() if name == on_list} - numbers
    if moved:
        here = rated_reports.join(publications, publications.c.id == rated_reports.c.publication)
        taken = select(rated_reports.c.report).select_from(here).where(publications.c.list == str(on_list))
        taken = taken.where(rated_reports.c.report.in_(moved), counts)
        moved -= set(connection.execute(taken).scalars())
    found = [one for one in filed(connection, numbers | moved).values() if one.list == on_list]
    return [one for one in found if one.status in (RECEIVED, ACCEPTED)]


def _stands(publication: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a publication was not taken back."""
    return publication.not_in(select(taken_back.c.publication))


def outdated_revisions(connection: Connection) -> set[int]:
    """Return the publications that a later revision of the same list and day has replaced."""
    later = publications.alias()
    query = select(publications.c.id).where(
        publications.c.kind != BASE,
        exists().where(
            later.c.list == publications.c.list, later.c.day == publications.c.day, later.c.kind != BASE,
            later.c.revision > publications.c.revision, _stands(later.c.id),
        ),
    )  # fmt: skip
    return set(connection.execute(query).scalars())


def moved_by(connection: Connection, moved: Collection[int]) -> dict[int, int]:
    """Return the act that decided last on which list each of some reports is rated."""
    query = select(decisions.c.report, func.max(decisions.c.act)).where(decisions.c.report.in_(moved))
    query = query.where(decisions.c.kind == FACT, decisions.c.list.is_not(None))
    rows = connection.execute(query.group_by(decisions.c.report))
    return {report: act for report, act in rows if report is not None}


def still_rated(connection: Connection, gone: Mapping[int, int]) -> set[tuple[int, str]]:
    """Return the reports that some list still rates as it stands today, each with the name of the list.

    ``gone`` tells for each report the act since which it should not be rated there. A list that was corrected after
    that act has let the report go, whether it was revised or only its base.
    """
    if not gone:
        return set()
    corrected = select(publications.c.list, func.max(publications.c.act))
    corrected = corrected.where(publications.c.corrects.is_not(None), _stands(publications.c.id))
    corrected = corrected.group_by(publications.c.list)
    corrected_by: dict[str, int] = {name: act for name, act in connection.execute(corrected)}  # noqa: C416  as above
    query = select(rated_reports.c.report, publications.c.list).join(
        publications, publications.c.id == rated_reports.c.publication
    )
    query = query.where(rated_reports.c.report.in_(list(gone)))
    query = query.where(_stands(publications.c.id), publications.c.id.not_in(outdated_revisions(connection)))
    return {
        (report, name)
        for report, name in connection.execute(query)
        if corrected_by.get(name, 0) < gone[report]
    }


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
    on_list = ListName(row["list"])
    return Filed(**(row | {"digest": digest_of(row["digest"]), "list": on_list, "filed_on": on_list}))


def by_digest(connection: Connection, digest: str) -> int | None:
    """Return the report with these very bytes; the last one, where they were filed more than once."""
    return by_digests(connection, [digest]).get(digest)


def by_digests(connection: Connection, digests: Sequence[str]) -> dict[str, int]:
    """Return the reports with some very bytes, by digest; the last one, where they were filed more than once."""
    found: dict[str, int] = {}
    asked_for, filing = {digest: digest for digest in digests}, 1
    while asked_for:
        query = select(reports.c.digest, reports.c.id).where(reports.c.digest.in_(asked_for))
        here = {asked_for[key]: number for key, number in connection.execute(query)}
        found |= here
        filing += 1
        asked_for = {_filing_key(digest, filing): digest for digest in here}
    return found


def filing_key(connection: Connection, digest: str) -> str:
    """Return the key under which bytes are filed: their digest, with a number where they are on file already."""
    filing = 1
    while connection.execute(
        select(reports.c.id).where(reports.c.digest == _filing_key(digest, filing))
    ).first():
        filing += 1
    return _filing_key(digest, filing)


def _filing_key(digest: str, filing: int) -> str:
    return digest if filing == 1 else f"{digest}-{filing}"


def digest_of(key: str) -> str:
    """Return the SHA-256 of the bytes that are filed under a key."""
    return key.partition("-")[0]


def earlier_versions(connection: Connection, report: Filed) -> tuple[int, ...]:
    """Return the reports that a report replaces, the last one first, and the stages that were joined in it."""
    joined = select(report_statuses.c.report).where(
        report_statuses.c.act == report.act, report_statuses.c.status == SUPERSEDED
    )
    stages = connection.execute(joined).scalars().all()
    found: list[int] = []
    before = report.replaces
    while before is not None and before not in found:
        found.append(before)
        before = connection.execute(select(reports.c.replaces).where(reports.c.id == before)).scalar()
    return tuple(dict.fromkeys([*found, *stages]))


def data(connection: Connection, report: int) -> bytes:
    """The bytes as they came."""
    return bytes(connection.execute(select(reports.c.data).where(reports.c.id == report)).scalar_one())


def marks(connection: Connection, report: int) -> bytes:
    """Return the marks of a report's games."""
    return bytes(connection.execute(select(reports.c.games).where(reports.c.id == report)).scalar_one())


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
    some = (
        connection.execute(query.where(rated_reports.c.report.in_(few))) for few in id_batches(set(among))
    )
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


def with_merged(decided: Iterable[Decision], kept: Mapping[int, int]) -> tuple[Decision, ...]:
    """Return decisions with the numbers that players have after merges: number that was dropped → number kept."""
    return tuple(replace(d, player=kept.get(d.player, d.player)) if d.player else d for d in decided)


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
