"""The federation's own table of fees, which the office keeps, and the fees of its accepted reports by that table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.explain.fees import fees_document, plain_amount
from arpad.explain.words import Words
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import Decision, decisions_in_force
from arpad.office.reports.rows import Filed
from arpad.office.reports.stated_facts import decided_facts
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.rating.fees import EventFees, fees_of, figures_of
from arpad.regulations.fee_table import FeeTable, read_fee_table
from arpad.reports.report import Header
from arpad.reports.stages import read_filed
from arpad.store.settings import add_setting_changes, read_setting
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
LARGEST_TABLE = 50_000
"""Characters of a fee table."""

_SETTING = "fee_table"
_READ = 100
"""Reports whose bytes are read together."""


@dataclass(frozen=True, slots=True)
class ReportFees:
    """An accepted report with its fees."""

    filed: Filed
    header: Header
    fees: EventFees


# ------------------------------------------------------------------------------------------------- the table


def fee_table_text(office: Office) -> str:
    """Return the fee table of the office as TOML; empty if it has none."""
    with office.store.reading() as connection:
        return read_setting(connection, _SETTING)


def kept_fee_table(office: Office) -> FeeTable:
    """Return the fee table of the office; refuse if it has none."""
    text = fee_table_text(office)
    if not text:
        raise BadInput("no-fee-table")
    return read_fee_table(text)


def set_fee_table(office: Office, text: str, reason: str = "") -> None:
    """Set the fee table of the office, or remove it with an empty text; a wrong table is refused."""
    if len(text) > LARGEST_TABLE:
        raise BadInput("fees-too-long", most=LARGEST_TABLE)
    kept = text.replace("\r\n", "\n").strip()
    if kept:
        read_fee_table(kept)
    with record_act(office, "set-fee-table", reason) as act:
        if kept != read_setting(act.connection, _SETTING):
            add_setting_changes(act.connection, {_SETTING: kept}, act.seq)
            act.record(sha256=sha256(kept.encode()).hexdigest() if kept else "")


# -------------------------------------------------------------------------------------------- fees of reports


def report_fees(office: Office, table: FeeTable, number: int) -> ReportFees:
    """Return the fees of one accepted chess report; refuse any other."""
    with office.store.reading() as connection:
        filed = report_on_file(connection, number)
        require_status(filed, ACCEPTED)
        if discipline_of(filed.list).by_season:
            raise BadInput("fees-chess-only", report=number)
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
        and not discipline_of(report.list).by_season
    ]


def year_fees(office: Office, table: FeeTable, year: int) -> list[ReportFees]:
    """Return the accepted chess reports of the events that ended in a year, each with its fees, by last day."""
    with office.store.reading() as connection:
        chosen = [it for it in _charged(connection) if it.last_day is not None and it.last_day.year == year]
        decisions = decisions_in_force(connection)
        fees: list[ReportFees] = []
        for batch in batches(sorted(chosen, key=lambda report: (str(report.last_day), report.id)), _READ):
            data = rows.data_of(connection, [filed.id for filed in batch])
            fees += [_report_fees(filed, data[filed.id], decisions, table) for filed in batch]
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


def account_document(fees: Sequence[ReportFees], table: FeeTable, year: int, words: Words) -> dict[str, Any]:
    """Return the account of a year as it is shown to programs."""
    events = [{"report": it.filed.id, **fees_document(it.header, it.fees, table, words)} for it in fees]
    total = plain_amount(sum(it.fees.total for it in fees))
    return {"year": year, "currency": table.currency, "total": total, "events": events}
