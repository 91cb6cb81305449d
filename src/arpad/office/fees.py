"""The fees of the accepted reports of a year, by the federation's own table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from arpad.explain.fees import plain_amount
from arpad.model.disciplines import discipline_of
from arpad.office.office import Office
from arpad.office.stated_facts import decided_facts
from arpad.rating.fees import EventFees, fees_of, figures_of
from arpad.regulations.fee_table import FeeTable
from arpad.reports.report import Header
from arpad.reports.stages import read_filed
from arpad.store import reports as rows
from arpad.store.decisions import decisions_in_force
from arpad.store.reports import ACCEPTED, Filed
from arpad.system.batches import batches
from arpad.system.spreadsheet_cells import escape

COLUMNS = (
    "report",
    "event",
    "federation",
    "first_day",
    "last_day",
    "fee",
    "count",
    "amount",
    "total",
    "currency",
)
_READ = 100
"""Reports whose bytes are read together."""


@dataclass(frozen=True, slots=True)
class ReportFees:
    """An accepted report with its fees."""

    filed: Filed
    header: Header
    fees: EventFees


def year_fees(office: Office, table: FeeTable, year: int) -> list[ReportFees]:
    """Return the accepted chess reports of the events that ended in a year, each with its fees, by last day."""
    with office.store.reading() as connection:
        chosen = [
            report
            for report in rows.filed(connection).values()
            if report.status == ACCEPTED
            and report.last_day is not None
            and report.last_day.year == year
            and not discipline_of(report.list).by_season
        ]
        decisions = decisions_in_force(connection)
        fees = []
        for batch in batches(sorted(chosen, key=lambda report: (str(report.last_day), report.id)), _READ):
            data = rows.data_of(connection, [filed.id for filed in batch])
            for filed in batch:
                report = read_filed(data[filed.id], filed.file)
                decided = [decision for decision in decisions if decision.report == filed.id]
                figures = figures_of(report, decided_facts(filed, decided), filed.list)
                fees.append(ReportFees(filed, report.header, fees_of(figures, table)))
    return fees


def account_csv(fees: Iterable[ReportFees], table: FeeTable, language: str) -> bytes:
    """Return the account as CSV: a row for each fee of each event; amounts have a point and two decimals."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for item in fees:
        filed = item.filed
        about = (str(filed.id), filed.name, filed.federation, str(filed.first_day or ""), str(filed.last_day))
        for line in item.fees.lines:
            figures = (
                str(line.count),
                plain_amount(line.fee.amount),
                plain_amount(line.total),
                table.currency,
            )
            writer.writerow([escape(cell) for cell in (*about, line.fee.name(language), *figures)])
    return text.getvalue().encode()
