"""The federation's own table of fees, and the fees of the accepted reports of an office by that table."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.explain.fees import plain_amount
from arpad.model.errors import BadInput
from arpad.office.declared import Reading
from arpad.office.reports import rows
from arpad.office.reports.rows import Decision, Filed, decisions_in_force
from arpad.office.reports.stated_facts import decided_facts
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.rating.fees import EventFees, fees_of, figures_of
from arpad.regulations.fee_table import FeeTable, read_fee_table
from arpad.regulations.systems import system_of
from arpad.reports.report import Header
from arpad.reports.stages import read_filed
from arpad.store.settings import read_setting
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
TABLE_SETTING = "fee_table"
_READ = 100
"""Reports whose bytes are read together."""


@dataclass(frozen=True, slots=True)
class ReportFees:
    """An accepted report with its fees."""

    filed: Filed
    header: Header
    fees: EventFees


def fee_table_text(connection: Connection) -> str:
    """Return the fee table of the office as TOML; empty if it has none."""
    return read_setting(connection, TABLE_SETTING)


def kept_fee_table(connection: Connection) -> FeeTable:
    """Return the fee table of the office; refuse if it has none."""
    text = fee_table_text(connection)
    if not text:
        raise BadInput("no-fee-table")
    return read_fee_table(text)


def report_fees(connection: Connection, table: FeeTable, number: int) -> ReportFees:
    """Return the fees of one accepted chess report; refuse any other."""
    filed = report_on_file(connection, number)
    require_status(filed, ACCEPTED)
    if system_of(filed.list).rates_again:
        raise BadInput("fees-chess-only", option="report", report=number)
    data = rows.data_of(connection, [number])[number]
    return _report_fees(filed, data, decisions_in_force(connection), table)


def _report_fees(filed: Filed, data: bytes, decisions: Iterable[Decision], table: FeeTable) -> ReportFees:
    report = read_filed(data, filed.file)
    decided = [decision for decision in decisions if decision.report == filed.id]
    figures = figures_of(report, decided_facts(filed, decided), filed.list)
    return ReportFees(filed, report.header, fees_of(figures, table))


def fee_years(connection: Connection) -> list[int]:
    """Return the years in which events of accepted chess reports ended, the latest first."""
    return sorted({report.last_day.year for report in _charged(connection) if report.last_day}, reverse=True)


def _charged(connection: Connection) -> list[Filed]:
    return [
        report
        for report in rows.filed(connection).values()
        if report.status == ACCEPTED
        and report.last_day is not None
        and not system_of(report.list).rates_again
    ]


def year_fees(reading: Reading, table: FeeTable, year: int) -> list[ReportFees]:
    """Return the accepted chess reports of the events that ended in a year, each with its fees, by last day.

    An officer of one federation gets those of its events.
    """
    chosen = [
        it
        for it in _charged(reading.connection)
        if it.last_day is not None and it.last_day.year == year and reading.caller.officer_of(it.federation)
    ]
    decisions = decisions_in_force(reading.connection)
    fees: list[ReportFees] = []
    for batch in batches(sorted(chosen, key=lambda report: (str(report.last_day), report.id)), _READ):
        data = rows.data_of(reading.connection, [filed.id for filed in batch])
        fees += [_report_fees(filed, data[filed.id], decisions, table) for filed in batch]
    return fees


def latest_fees(reading: Reading, table: FeeTable, most: int) -> list[ReportFees]:
    """Return what the last events would have cost by a table, the latest first."""
    own = [it for it in _charged(reading.connection) if reading.caller.officer_of(it.federation)]
    latest = sorted(own, key=lambda it: (str(it.last_day), it.id), reverse=True)[:most]
    data, decisions = (
        rows.data_of(reading.connection, [it.id for it in latest]),
        decisions_in_force(reading.connection),
    )
    return [_report_fees(it, data[it.id], decisions, table) for it in latest]


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
