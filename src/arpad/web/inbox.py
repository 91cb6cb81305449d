"""What the desk asks of the store: the reports that came in, a page at a time, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, true

from arpad.accounts import Role, User
from arpad.model.json_values import load
from arpad.store import reports as report_rows
from arpad.store.decisions import FACT, Decision, all_decisions, decisions_in_force
from arpad.store.ledger import Act, some_acts
from arpad.store.reports import Filed
from arpad.store.schema import ledger, rated_reports, reports
from arpad.web.queries import shown_publications


def arrived(
    connection: Connection, user: User, page: int, size: int, *, waiting: bool
) -> tuple[list[tuple[Filed, str]], int, int]:
    """A page of the reports that somebody may see, still waiting or dealt with; its number, and of how many."""
    received = report_rows.with_status(report_rows.RECEIVED)
    status = reports.c.id.in_(received) if waiting else reports.c.id.not_in(received)
    return _sent(connection, and_(_seen_by(user), status), page, size)


def sent_by(
    connection: Connection, author: str, page: int, size: int
) -> tuple[list[tuple[Filed, str]], int, int]:
    """A page of the reports that one person has sent; its number, and of how many."""
    return _sent(connection, ledger.c.author == author, page, size)


def _seen_by(user: User) -> ColumnElement[bool]:
    """An officer sees what concerns his federation, or everything; anybody else what he sent himself."""
    federations = {grant.federation for grant in user.grants if grant.role == Role.OFFICER}
    if "" in federations:
        return true()
    return or_(ledger.c.author == user.login, func.upper(reports.c.federation).in_(federations))


def _sent(
    connection: Connection, which: ColumnElement[bool], page: int, size: int
) -> tuple[list[tuple[Filed, str]], int, int]:
    query = select(reports.c.id, ledger.c.author).join_from(reports, ledger, ledger.c.seq == reports.c.act)
    query = query.where(which)
    total = connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
    pages = max(1, -(-total // size))
    page = min(max(1, page), pages)
    asked = query.order_by(reports.c.id.desc()).limit(size).offset((page - 1) * size)
    authors = {number: str(author) for number, author in connection.execute(asked)}
    found = report_rows.filed(connection, authors)
    return [(found[number], author) for number, author in authors.items()], page, pages


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that was done with a report: it got a status, or something was decided about it."""

    act: Act
    status: str = ""
    decision: Decision | None = None
    revoked: bool = False

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts that were stated, as they are kept."""
        stated = self.decision is not None and self.decision.kind == FACT
        found: Mapping[str, Any] = load(self.decision.value) if stated and self.decision else {}
        return found


def history(connection: Connection, report: int) -> list[Happened]:
    """Return what was done with a report, in order, with who did it and why."""
    statuses = report_rows.history(connection, report)
    decided = [item for item in all_decisions(connection) if item.report == report]
    standing = {item.id for item in decisions_in_force(connection)}
    acts = some_acts(connection, [*(act for _, act in statuses), *(item.act for item in decided)])
    found = [Happened(acts[act], status) for status, act in statuses]
    found += [Happened(acts[item.act], "", item, item.id not in standing) for item in decided]
    return sorted(found, key=lambda item: item.act.seq)


def unrated(connection: Connection) -> list[Filed]:
    """Accepted reports that no list shown has rated."""
    rating = select(rated_reports.c.report).where(
        rated_reports.c.publication.in_([p.id for p in shown_publications(connection)])
    )
    accepted = report_rows.with_status(report_rows.ACCEPTED)
    query = select(reports.c.id).where(reports.c.id.in_(accepted), reports.c.id.not_in(rating))
    return list(report_rows.filed(connection, connection.execute(query).scalars()).values())


def reports_of(connection: Connection, events: Sequence[int]) -> dict[int, list[int]]:
    """The reports of some registered tournaments."""
    query = select(reports.c.event, reports.c.id).where(reports.c.event.in_(events)).order_by(reports.c.id)
    found: dict[int, list[int]] = {}
    for event, number in connection.execute(query):
        found.setdefault(event, []).append(number)
    return found
