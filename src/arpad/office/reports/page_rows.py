"""Read queries of the site's pages: a few rows each, however large the office is."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, true

from arpad.model.declared import HIGHEST_NUMBER
from arpad.model.rules import LISTS
from arpad.office.lists.page_rows import publications_shown
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.lists.tables import IMPORTED, rated_reports
from arpad.office.parts import Choice
from arpad.office.reports import rows as report_rows
from arpad.office.reports.rows import (
    COUNTS,
    UNRATED,
    Filed,
    decided_lists,
    decisions_in_force,
    unrated_reports,
)
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, decisions, entrant_decisions, reports
from arpad.store.bulk import cached_until_act, page_of, rows_with
from arpad.store.schema import ledger
from arpad.store.settings import OwnList


@cached_until_act
def accepted_reports(connection: Connection, page: int, size: int = 50) -> tuple[list[Filed], int]:
    """Return a page of the accepted reports, the latest first, and the number of pages."""
    page, pages = page_of(page, report_rows.count(connection, ACCEPTED), size)
    numbers = report_rows.latest(connection, ACCEPTED, size, (page - 1) * size)
    return filed_in_order(connection, numbers), pages


@cached_until_act
def activity(connection: Connection, since: str) -> tuple[int, int]:
    """Return how many accepted tournaments ended since a day, and how many players they had together."""
    accepted = reports.c.id.in_(report_rows.with_status(ACCEPTED))
    query = select(func.count(), func.coalesce(func.sum(reports.c.players), 0))
    tournaments, players = connection.execute(query.where(accepted, reports.c.last_day >= since)).one()
    return int(tournaments), int(players)


def filed_in_order(connection: Connection, numbers: Sequence[int]) -> list[Filed]:
    """Return some reports, in the order of their numbers here."""
    filed = report_rows.filed(connection, numbers)
    return [filed[number] for number in numbers]


def accepted_reports_before(connection: Connection, day: str, number: int, most: int) -> list[Filed]:
    """Return the accepted reports, the latest first, that come after the one of a last day and number."""
    numbers = report_rows.latest(connection, ACCEPTED, most, before=(day, number))
    return filed_in_order(connection, numbers)


def rating_publications(
    connection: Connection, numbers: Sequence[int], *, still: bool = False
) -> dict[int, list[Publication]]:
    """Return the published lists that rate each of these reports; ``still`` if the last revision of the list does.

    Those of the office's own come first. Each of them rates all its events again: only the first day's are returned.
    """
    pairs = {*rows_with(connection, _RATED, rated_reports.c.report, numbers)}
    publications = sorted(publications_shown(connection), key=lambda p: not p.list.is_own)
    last = {(p.list, p.day): p.id for p in sorted(publications, key=lambda p: p.id)} if still else {}
    rating = {
        number: [
            p for p in publications if {(number, p.id), (number, last.get((p.list, p.day), p.id))} <= pairs
        ]
        for number in numbers
    }
    return {
        number: [p for p in of if not p.list.is_own or p.day == _first_day(p, of)]
        for number, of in rating.items()
    }


def _first_day(publication: Publication, among: Sequence[Publication]) -> date:
    """Return the day of the first list of the same name."""
    return min(it.day for it in among if it.list == publication.list)


_RATED = select(rated_reports.c.report, rated_reports.c.publication)

UNDECIDED = "undecided"
"""As the list of a filter: the reports whose list is undecided."""


MOST_LOOKED_AT = 50
"""Reports with a text in the name among which those of a reader are looked for."""


@dataclass(frozen=True, slots=True)
class ReportFilter:
    """The reports that a reader asks for; an empty field restricts nothing."""

    status: str = ""
    list: str = ""
    """A list, or ``undecided``."""

    federation: str = ""
    sender: str = ""
    errors: str = ""
    """``yes`` or ``no``: whether it had errors on the day it arrived."""


def report_conditions(connection: Connection, chosen: ReportFilter) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter; the list is the decided one if there is one."""
    conditions: list[ColumnElement[bool]] = []
    if chosen.status:
        conditions.append(reports.c.id.in_(report_rows.with_status(chosen.status)))
    if chosen.list:
        decided = decided_lists(connection)
        on_file = and_(reports.c.list == chosen.list, ~_says(report_rows.UNDECIDED_JSON))
        if chosen.list == UNDECIDED:
            on_file = _says(report_rows.UNDECIDED_JSON)
        by_decision = [number for number, on_list in decided.items() if on_list == chosen.list]
        undecided = on_file & reports.c.id.not_in(list(decided))
        conditions.append(undecided | reports.c.id.in_(by_decision))
    if chosen.federation:
        conditions.append(func.upper(reports.c.federation) == chosen.federation.upper())
    if chosen.sender:
        conditions.append(ledger.c.author == chosen.sender)
    if chosen.errors:
        with_errors = _says(report_rows.ERROR_JSON)
        conditions.append(with_errors if chosen.errors == "yes" else ~with_errors)
    return conditions


def _says(text: str) -> ColumnElement[bool]:
    """Return the condition that the findings of a report contain a text."""
    return reports.c.findings.contains(text, autoescape=True)


def waiting_without_errors(connection: Connection, federations: Collection[str], most: int) -> list[int]:
    """Return the first waiting reports that may have no errors: none on arrival, or something decided since.

    ``federations`` are those of the officer; an empty one among them means all.
    """
    decided = select(decisions.c.report).where(decisions.c.report.is_not(None))
    matched = select(entrant_decisions.c.report)
    may_be_clean = or_(~_says(report_rows.ERROR_JSON), reports.c.id.in_(decided), reports.c.id.in_(matched))
    query = select(reports.c.id).where(reports.c.id.in_(report_rows.with_status(RECEIVED)), may_be_clean)
    if "" not in federations:
        query = query.where(func.upper(reports.c.federation).in_([*federations]))
    return list(connection.execute(query.order_by(reports.c.id).limit(most)).scalars())


@cached_until_act
def count_reports(
    connection: Connection, status: str, federations: frozenset[str] = frozenset({""}), author: str = ""
) -> int:
    """Return how many reports of these federations (an empty one means all), or of an author, have a status now."""
    query = select(func.count()).select_from(reports.join(ledger, ledger.c.seq == reports.c.act))
    query = query.where(reports.c.id.in_(report_rows.with_status(status)))
    if "" not in federations:
        query = query.where(func.upper(reports.c.federation).in_(federations))
    query = query.where(ledger.c.author == author) if author else query
    return connection.execute(query).scalar_one()


@dataclass(frozen=True, slots=True)
class ReportsPage:
    """A page of reports on file, each with the login of its sender."""

    reports: list[tuple[Filed, str]]
    page: int
    pages: int


def reports_page(
    connection: Connection,
    page: int,
    size: int,
    *,
    author: str | None = None,
    federations: Iterable[str] = (),
    waiting: bool | None = None,
    chosen: ReportFilter | None = None,
    older: int | None = None,
) -> ReportsPage:
    """Return a page of the reports of an author or of these federations (without an author: of all).

    ``waiting`` restricts it to reports that are not decided yet, or to those that are; ``chosen`` to those a reader
    asks for; ``older`` to those before a report.
    """
    condition: ColumnElement[bool] = true()
    if author is not None:
        condition = or_(ledger.c.author == author, func.upper(reports.c.federation).in_([*federations]))
    if waiting is not None:
        received = report_rows.with_status(RECEIVED)
        condition = and_(condition, reports.c.id.in_(received) if waiting else reports.c.id.not_in(received))
    if older is not None:
        condition = and_(condition, reports.c.id < older)
    query = select(reports.c.id, ledger.c.author).join_from(reports, ledger, ledger.c.seq == reports.c.act)
    query = query.where(condition, *report_conditions(connection, chosen or ReportFilter()))
    total = connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
    page, pages = page_of(page, total, size)
    rows = connection.execute(query.order_by(reports.c.id.desc()).limit(size).offset((page - 1) * size))
    authors = {number: str(name) for number, name in rows}
    filed = report_rows.filed(connection, authors)
    return ReportsPage([(filed[number], name) for number, name in authors.items()], page, pages)


@dataclass(frozen=True, slots=True)
class WaitingBeside:
    """The reports that wait beside one: the one received before it, the one after it, and how many wait."""

    before: int | None
    after: int | None
    waiting: int


def waiting_beside(connection: Connection, number: int, federations: Collection[str]) -> WaitingBeside:
    """Return which reports of these federations (an empty one means all) wait before and after a report."""
    query = select(
        func.max(reports.c.id).filter(reports.c.id < number),
        func.min(reports.c.id).filter(reports.c.id > number),
        func.count(),
    ).where(reports.c.id.in_(report_rows.with_status(RECEIVED)))
    if "" not in federations:
        query = query.where(func.upper(reports.c.federation).in_([*federations]))
    return WaitingBeside(*connection.execute(query).one())


def report_choices(reading: Any, text: str) -> list[Choice]:
    """Return the reports of the reader's federations with a number or a text in the name, the newest first."""
    named = func.lower(reports.c.name).contains(text.lower(), autoescape=True)
    if text.isdecimal() and int(text) <= HIGHEST_NUMBER:
        named = or_(named, reports.c.id == int(text))
    query = select(reports.c.id).where(named).order_by(reports.c.id.desc()).limit(MOST_LOOKED_AT)
    found = report_rows.filed(reading.connection, reading.connection.execute(query).scalars())
    return [
        Choice(
            str(it.id),
            it.name or it.file,
            ", ".join(filter(None, (it.city, reading.words.day(it.last_day) if it.last_day else ""))),
        )
        for it in found.values()
        if reading.caller.officer_of(it.federation)
    ]


def unlisted_reports(connection: Connection) -> list[Filed]:
    """Return the accepted reports that neither a list nor a corrected base rates, nor a decision leaves unrated."""
    query = select(reports.c.id).where(_unlisted(connection))
    return list(report_rows.filed(connection, connection.execute(query).scalars()).values())


def unlisted_by_list(connection: Connection) -> dict[str, int]:
    """Return how many of these reports there are, by the list at filing."""
    return _by_list(connection, _unlisted(connection))


def waiting_by_list(connection: Connection) -> dict[str, int]:
    """Return how many reports nobody has decided about, by the list at filing."""
    return _by_list(connection, reports.c.id.in_(report_rows.with_status(RECEIVED)))


def own_list_reports(connection: Connection, own: OwnList) -> tuple[list[Filed], list[Filed]]:
    """Return the accepted reports that the newest list of an office's own does not rate, and those that wait for it."""
    published = all_publications(connection, own.name)
    bases = [it.day + timedelta(days=1) for it in published if it.kind == IMPORTED]
    decided = {
        it.report: it.kind
        for it in decisions_in_force(connection)
        if it.list == own.name and it.kind in (*UNRATED, COUNTS)
    }
    counting = [report for report, kind in decided.items() if kind == COUNTS]
    times = [own.name.times] if own.name.times else [it for it in LISTS if it.game == own.name.game]
    fits = and_(
        or_(reports.c.list.in_(times), reports.c.id.in_(counting)),
        reports.c.id.not_in(decided.keys() - {*counting}),
        reports.c.last_day >= str(max([own.since, *bases])),
    )
    newest = published[-1].id if published else 0
    rated = select(rated_reports.c.report).where(rated_reports.c.publication == newest)
    accepted = and_(reports.c.id.in_(report_rows.with_status(ACCEPTED)), reports.c.id.not_in(rated))
    waiting = reports.c.id.in_(report_rows.with_status(RECEIVED))
    query = select(reports.c.id).where(fits)
    numbers = (connection.execute(query.where(which)).scalars().all() for which in (accepted, waiting))
    unrated, received = (list(report_rows.filed(connection, of).values()) for of in numbers)
    return unrated, received


def _unlisted(connection: Connection) -> ColumnElement[bool]:
    rated = select(rated_reports.c.report).where(
        rated_reports.c.publication.in_([p.id for p in all_publications(connection) if not p.list.is_own])
    )
    left = [*unrated_reports(connection)]
    accepted = reports.c.id.in_(report_rows.with_status(ACCEPTED))
    return and_(accepted, reports.c.id.not_in(rated), reports.c.id.not_in(left))


def _by_list(connection: Connection, condition: ColumnElement[bool]) -> dict[str, int]:
    query = select(reports.c.list, func.count()).where(condition).group_by(reports.c.list)
    return {str(name): int(number) for name, number in connection.execute(query)}


def waiting_reports(connection: Connection, user: Any, federations: Collection[str]) -> int:
    """Return how many reports wait: for an officer of federations those received, for a sender those to correct."""
    if federations:
        return count_reports(connection, RECEIVED, frozenset(federations))
    return count_reports(connection, RETURNED, author=user.login)
