"""Late events of draughts: they belong to a year that a list has closed, with its deductions (tables 18b, 22)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from sqlalchemy import Connection

from arpad.model.json_values import to_capital
from arpad.model.rules import LISTS, Fact, Finding, ListName, Severity
from arpad.office.inbox.check_report import decided_report
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.reports import rows
from arpad.office.reports.rated_rows import rated_already
from arpad.office.reports.rows import Filed, decisions_in_force
from arpad.office.reports.tables import ACCEPTED
from arpad.regulations.calendar import closes_year
from arpad.regulations.systems import system_of
from arpad.reports.report import Report

CLOSED_YEAR = "draughts-closed-year"
"""The beginning of the codes of findings about a late event."""

MALUS_ARTICLE = "Tab. 18b"
UNNUMBERED = "N"
"""Stands for the number of a report that is not on file yet."""


def closing_list(connection: Connection, on_list: ListName, last_day: date | None) -> Publication | None:
    """Return the list that has closed the year of an event, in its newest revision; None if the year is open."""
    if last_day is None or not system_of(on_list).rates_again:
        return None
    closing = [
        p
        for p in lists.all_publications(connection, on_list)
        if p.kind != BASE and p.day >= last_day and (closes_year(p.day) or p.kind == IMPORTED)
        if closes_year(p.day) or p.day.year > last_day.year
    ]
    first = min((p.day for p in closing), default=None)
    return newest([p for p in closing if p.day == first])


def closed_year_findings(
    connection: Connection,
    on_list: ListName,
    report: Report,
    players: Sequence[int | None],
    number: int | None = None,
    replaced: int | None = None,
) -> list[Finding]:
    """Return the finding that an event belongs to a closed year, whose list does not rate it (table 18b).

    ``players`` are the entrants by place, ``replaced`` is the report before it. The finding names those who lost points
    at the end of that year as if they had not played, and the lists that a correction would change.
    """
    last_day = report.header.last_day or report.header.first_day
    closing = closing_list(connection, on_list, last_day)
    if closing is None or last_day is None:
        return []
    versions = {it for it in (number, replaced) if it is not None}
    publications = lists.all_publications(connection, on_list)
    if versions & rated_already(connection, [p.id for p in publications if p.day <= closing.day], versions):
        return []
    days = sorted({p.day for p in publications if p.kind == PUBLISHED and p.day >= closing.day})
    facts: dict[str, Fact] = {
        "year": last_day.year, "list": str(on_list), "day": closing.day, "lists": tuple(days),
        "report": number or UNNUMBERED,
    }  # fmt: skip
    if closing.kind == IMPORTED:
        return [Finding(Severity.WARNING, f"{CLOSED_YEAR}-imported", MALUS_ARTICLE, facts=facts)]
    known = {player for player in players if player is not None}
    states = list_rows.states(connection, closing.id, known)
    names = [
        entrant.name
        for entrant, player in zip(report.entrants, players, strict=True)
        if player in states and to_capital(states[player]).idle_years
    ]
    if not names:
        return [Finding(Severity.WARNING, CLOSED_YEAR, MALUS_ARTICLE, facts=facts)]
    facts["players"] = tuple(names)
    return [Finding(Severity.WARNING, f"{CLOSED_YEAR}-malus", MALUS_ARTICLE, facts=facts)]


def with_number(finding: Finding, number: int) -> Finding:
    """Return a finding about a late event with the number of its report."""
    return replace(finding, facts={**finding.facts, "report": number})


def late_findings(connection: Connection, reports: Iterable[Filed]) -> list[Finding]:
    """Return the findings about accepted reports of closed years, in order."""
    late = [filed for filed in reports if closing_list(connection, filed.list, filed.last_day) is not None]
    numbers = [filed.id for filed in late]
    entrants, findings = rows.entrants_of(connection, numbers), []
    decided = decisions_in_force(connection) if late else ()
    for filed in late:
        report = decided_report(connection, filed, decided).report
        findings += closed_year_findings(
            connection, filed.list, report, entrants[filed.id], filed.id, filed.replaces
        )
    return findings


def late_reports(connection: Connection) -> list[Filed]:
    """Return the accepted reports of closed years that a list of a later year rates."""
    late: dict[int, Filed] = {}
    for on_list in (name for name in LISTS if system_of(name).rates_again):
        publications = lists.all_publications(connection, on_list)
        current = {p.day: p for p in publications if p.kind == PUBLISHED}
        rated = lists.rated_in_each(connection, [p.id for p in current.values()])
        ends = sorted(day for day in current if closes_year(day))
        filed = rows.filed(connection, {number for numbers in rated.values() for number in numbers})
        for day, publication in current.items():
            closed = max((end for end in ends if end < day), default=date.min)
            for number in rated[publication.id]:
                last_day = filed[number].last_day
                if last_day is not None and last_day <= closed and filed[number].status == ACCEPTED:
                    late[number] = filed[number]
    return [late[number] for number in sorted(late)]
