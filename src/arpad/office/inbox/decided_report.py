"""A report on file as it is checked now: with the facts and the rounds that officers decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from arpad.lists.inputs import select_rounds
from arpad.office.inbox.find_players import ReportToCheck
from arpad.office.parts import registered_event, with_registration
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import Decision
from arpad.office.reports.rows import Filed
from arpad.office.reports.stated_facts import decided_rounds, facts_to_check
from arpad.reports.report import Report
from arpad.reports.stages import read_filed


def decided_report(
    connection: Connection, filed: Filed, decided: Sequence[Decision], report: Report | None = None
) -> ReportToCheck:
    """Read a report on file; of a long event only the rounds that were decided (4.13), which are all it plans.

    ``report`` is the report in its bytes, if it was read already.
    """
    report = report or read_filed(rows.data(connection, filed.id), filed.file)
    facts = facts_to_check(filed, decided)
    event = registered_event(connection, filed.event) if filed.event is not None else None
    if event is not None:  # it may have changed since the report came
        facts = with_registration(facts, event)
    if rounds := decided_rounds(filed, decided):
        report, facts = select_rounds(report, *rounds), facts.of_rounds(*rounds)
        header = replace(report.header, rounds=rounds[1], days_to_come=())
        report = replace(report, header=header)
    return ReportToCheck(report, facts)
