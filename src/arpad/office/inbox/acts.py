"""The inbox: reports are submitted and accepted, alone or together, and officers say who their entrants are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.explain.rated_report import RatedPageDocument, RatedPlayerDocument, player_document
from arpad.explain.words import Words
from arpad.model.canonical_json import load
from arpad.model.cursors import Cursor
from arpad.model.errors import BadInput, Missing
from arpad.model.json_values import to_finding
from arpad.model.rules import Finding, ListName, Severity
from arpad.office.declared import After, Reading, Reason, ReportNumber, Size, query, task
from arpad.office.inbox.accept import MOST_ACCEPTED, OF_REPORTS, ReportNumbers, accept, accept_reports
from arpad.office.inbox.check_report import check, decided_report
from arpad.office.inbox.entrant_decisions import (
    MatchedEntrant,
    checked_now,
    decide_entrants,
    matched_entrant,
    matches,
)
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.inbox.prepare_reports import (
    PUT_ASIDE,
    BatchOptions,
    PreparedReport,
    ReportFile,
    prepare_filed,
)
from arpad.office.inbox.report_batch import batch_transaction, start_batch
from arpad.office.inbox.report_detail import ReportDetail, read_detail
from arpad.office.inbox.results import NotSubmitted, SentReport, Submitted, sent_report
from arpad.office.inbox.submit import submit
from arpad.office.office import Office
from arpad.office.proof.checkpoints import receipt
from arpad.office.reports import rows
from arpad.office.reports.acts import OF_REPORT, FiledReport, filed_report, sent_by
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.page_rows import reports_page, waiting_without_errors
from arpad.office.reports.rows import Filed, decisions_in_force
from arpad.office.reports.status import (
    ReportEntry,
    errors_set_aside,
    overlaps_on_file,
    report_history,
    report_on_file,
    require_status,
)
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED
from arpad.office.users import Permission, Role, User, arbiter, officer
from arpad.reports.event_facts import EventFacts
from arpad.reports.stages import MAX_STAGES, holds_stages, pack_stages


def submit_together(
    office: Office,
    stages: Sequence[tuple[str, bytes]],
    *,
    facts: EventFacts | None = None,
    event: int | None = None,
    replaces: int | None = None,
    reason: str = "",
) -> Submitted:
    """Submit the files of stages or groups of one event as one report; the bytes of each are kept."""
    data, file = _packed(stages)
    return submit(office, data, file, facts=facts, event=event, replaces=replaces, reason=reason)


@task("inbox join", OF_REPORTS, says="inbox.joined", page="/desk/reports/{report}")
def join_stages(office: Office, reports: ReportNumbers, *, reason: Reason) -> SentReport:
    """Join reports on file that are stages of one tournament: one report, which replaces them all (2009 6.2).

    It takes over the facts of the stage that ended last, and is accepted like any other report.
    """
    batch = start_batch(office, reason)
    with batch_transaction(batch) as transaction:
        connection, act = transaction.connection, transaction.ledger.last + 1
        stages = [report_on_file(connection, number) for number in dict.fromkeys(reports)]
        for stage in stages:
            require_status(stage, RECEIVED, ACCEPTED, RETURNED)
        data, file = _packed([(stage.file, rows.data(connection, stage.id)) for stage in stages])
        for stage in stages:
            transaction.rows.add_status(stage.id, SUPERSEDED, act)
        last = max(stages, key=lambda stage: (str(stage.last_day or ""), stage.id))
        replaces = rows.by_digest(connection, sha256(data).hexdigest())
        if replaces is not None:  # joined before, and put aside since
            require_status(report_on_file(connection, replaces), *PUT_ASIDE)
        joint = ReportFile(file, file, data)
        outcome = transaction.prepare(joint, replaces=replaces or last.id)
        details = {"stages": [stage.id for stage in stages]}
        result = transaction.submit(joint, outcome, act, verb="join-stages", details=details)
        if isinstance(result, NotSubmitted):
            raise result.error
    return sent_report(result)


def _packed(stages: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
    """Return the archive of some stages, and its name."""
    if not 1 < len(stages) <= MAX_STAGES:
        raise BadInput("stages-count", option="reports", given=len(stages), most=MAX_STAGES)
    if any(holds_stages(data) for _, data in stages):
        raise BadInput("stages-joined-already", option="reports")
    return pack_stages(stages), f"{stages[0][0]}+{len(stages) - 1}.zip"


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """How many errors and warnings a report has."""

    errors: int
    warnings: int


def finding_counts(connection: Connection, reports: Iterable[Filed]) -> dict[int, FindingCounts]:
    """Return the counts of reports: of the day they arrived, or of today if something was decided about them since.

    Only reports with decisions are checked again: checking every report of a page would take seconds.
    """
    reports = list(reports)
    counts = {filed.id: FindingCounts(filed.errors, filed.warnings) for filed in reports}
    about = {decision.report for decision in decisions_in_force(connection)}
    about |= decisions_about(connection, counts).keys()
    for filed in reports:
        if filed.status == RECEIVED and filed.id in about:
            severities = Counter(finding.severity for finding in checked_now(connection, filed).findings)
            counts[filed.id] = FindingCounts(severities[Severity.ERROR], severities[Severity.WARNING])
    return counts


def _is_clean(connection: Connection, filed: Filed, prepared: PreparedReport) -> bool:
    """Return whether a report has a first day, no errors and no accepted report of the same event beside it."""
    if prepared.error_codes or prepared.doubts or not filed.first_day:
        return False
    ignore = (filed.replaces, filed.id)
    return not overlaps_on_file(connection, filed, prepared.marks, ignore=ignore, statuses=(ACCEPTED,))


PAGE = 50


def _sent_it(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    """Return whether a user sent a report; to others it is missing, as one that does not exist."""
    filed = rows.filed(connection, [given["number"]]).get(given["number"])
    if filed is None or not sent_by(connection, user, filed):
        raise Missing("no-tournament")
    return True


OF_ITS_SENDER = Permission(Role.ARBITER, "submit", _sent_it)

# ------------------------------------------------------------------------------------------------------ the inbox


@dataclass(frozen=True, slots=True)
class WaitingReport:
    """A report that waits for an officer."""

    report: int
    name: str
    federation: str
    list: ListName | None
    sender: str
    received: date
    first_day: date | None
    last_day: date | None
    players: int
    rounds: int
    errors: int
    warnings: int


@dataclass(frozen=True, slots=True)
class Inbox:
    """A page of the waiting reports, the latest first."""

    reports: tuple[WaitingReport, ...]
    next: str
    more: bool


@dataclass(frozen=True, slots=True)
class AcceptableReport:
    """A waiting report that could be accepted as it is."""

    report: int
    name: str
    file: str
    list: ListName
    last_day: date | None
    players: int
    newcomers: int
    """Players whom accepting it would add to the register."""

    warnings: int


@dataclass(frozen=True, slots=True)
class AcceptableReports:
    """The waiting reports without errors and doubtful players."""

    reports: tuple[AcceptableReport, ...]


@query("list inbox", officer("decide"), columns=("report", "name", "sender", "errors"), path="/inbox")
def list_inbox(reading: Reading, *, after: After = None, size: Size = PAGE) -> Inbox:
    """Show the reports that wait for an officer, with their errors and warnings, the latest first."""
    federations, user = reading.caller.federations, reading.caller.user
    shown = reports_page(
        reading.connection, 1, size, author=None if "" in federations or user is None else user.login,
        federations=federations, waiting=True, older=after.item if after else None,
    )  # fmt: skip
    counts = finding_counts(reading.connection, [filed for filed, _ in shown.reports])
    listed = tuple(
        WaitingReport(
            it.id, it.name, it.federation, None if it.undecided else it.list, sender, it.received, it.first_day,
            it.last_day, it.players, it.rounds, counts[it.id].errors, counts[it.id].warnings,
        )
        for it, sender in shown.reports
    )  # fmt: skip
    return Inbox(listed, str(Cursor(listed[-1].report) if listed else after or ""), shown.pages > 1)


@query("list clean reports", officer("decide"), columns=("report", "name", "newcomers"), path="/inbox/clean")
def list_clean_reports(reading: Reading) -> AcceptableReports:
    """Show the waiting reports that could be accepted as they are; nothing is written."""
    connection = reading.connection
    waiting = waiting_without_errors(connection, reading.caller.federations, MOST_ACCEPTED)
    filed, batch = (
        rows.filed(connection, waiting),
        prepare_filed(connection, waiting, BatchOptions(reading.today)),
    )
    return AcceptableReports(
        tuple(
            AcceptableReport(
                it.id, it.name, it.file, it.list, it.last_day, it.players, len(prepared.newcomers),
                sum(rows.WARNING_JSON in finding for finding in prepared.findings),
            )
            for it, prepared in zip((filed[number] for number in waiting), batch.outcomes, strict=True)
            if isinstance(prepared, PreparedReport) and _is_clean(connection, it, prepared)
        )
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------- what a user sent


@dataclass(frozen=True, slots=True)
class StatusEntry:
    """A status of a report, with its day and reason."""

    status: str
    day: str
    reason: str
    decision: str | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReceiptDocument:
    """The proof that the office took a report in, as arpad verify reads it."""

    schema: str
    act: dict[str, str | int]
    size: int
    path: list[str]
    checkpoint: str


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report on file, as its sender sees it."""

    report: int
    status: str
    list: ListName | None
    """None while it is undecided."""

    name: str
    first_day: date | None
    last_day: date | None
    received: date
    replaces: int | None
    again: bool
    findings: tuple[Finding, ...]
    history: tuple[StatusEntry, ...]
    receipt: ReceiptDocument | None = None
    """Only right after sending; None if the office does not sign its ledger."""

    set_aside: tuple[str, ...] = ()
    """The codes of errors that an officer set aside when it was accepted."""


@dataclass(frozen=True, slots=True)
class OwnReports:
    """A page of the reports that a user sent, the latest first."""

    reports: tuple[OwnReport, ...]
    next: str
    more: bool


@query("list own reports", arbiter("submit"), columns=("report", "status", "name"), path="/reports")
def list_own_reports(reading: Reading, *, after: After = None, size: Size = PAGE) -> OwnReports:
    """Show the reports that the token's user sent, the latest first."""
    older, user = after.item if after else None, reading.caller.user
    shown = reports_page(reading.connection, 1, size, author=user.login if user else None, older=older)
    listed = tuple(own_report(reading.connection, filed) for filed, _ in shown.reports)
    return OwnReports(listed, str(Cursor(listed[-1].report) if listed else after or ""), shown.pages > 1)


@query("get report", OF_ITS_SENDER, path="/reports/{number}")
def get_report(reading: Reading, number: ReportNumber) -> OwnReport:
    """Show the status of a report, with the officer's reasons."""
    return own_report(reading.connection, report_on_file(reading.connection, number))


def own_report(
    connection: Connection, filed: Filed, findings: tuple[Finding, ...] | None = None, *, again: bool = False
) -> OwnReport:
    """Return a report with its history and with findings: by default those of the day when it was filed."""
    entries = report_history(connection, filed.id)
    if findings is None:
        findings = tuple(to_finding(entry) for entry in load(filed.findings))
    # who the entrants of an accepted report are was settled when it was accepted
    settled = DOUBTS if any(item.status == ACCEPTED for item in entries) else frozenset()
    return OwnReport(
        filed.id, filed.status, None if filed.undecided else filed.list, filed.name, filed.first_day, filed.last_day,
        filed.received, filed.replaces, again, tuple(it for it in findings if it.code not in settled),
        tuple(map(_status_entry, entries)), set_aside=tuple(sorted(errors_set_aside(entries))),
    )  # fmt: skip


def _status_entry(item: ReportEntry) -> StatusEntry:
    status = item.status or ("revoked" if item.revoked else "decided")
    decided = item.decision.kind if item.decision else None
    return StatusEntry(status, item.act.at[:10], item.act.reason, decided, item.facts)


@query("get report receipt", OF_ITS_SENDER, path="/reports/{number}/receipt")
def get_report_receipt(reading: Reading, number: ReportNumber) -> ReceiptDocument:
    """Show the proof that the office took a report in, under the checkpoint of now."""
    document = receipt_document(reading, number)
    if document is None:
        raise Missing("no-receipt")
    return document


def receipt_document(reading: Reading, report: int) -> ReceiptDocument | None:
    """Return the receipt for a report; None if the office has no key, or a name was erased from the act."""
    try:
        return ReceiptDocument(**receipt(reading.office, report).document())
    except BadInput as error:
        if error.code not in ("signing-key-missing", "receipt-erased"):
            raise
        return None


@query("preview report", OF_ITS_SENDER, path="/reports/{number}/preview")
def preview_report(reading: Reading, number: ReportNumber, *, after: After = None) -> RatedPageDocument:
    """Show the change of every player with today's ratings and decisions; chess only."""
    from arpad.office.inbox.jobs import document_page

    connection = reading.connection
    filed = report_on_file(connection, number)
    decided = decisions_in_force(connection)
    left_off = any(it.leaves_off and it.report == number for it in decided)
    checked = check(connection, *decided_report(connection, filed, decided), left_off=left_off)
    if checked.rated is None:
        raise Missing("no-preview")
    return document_page(replace(checked.rated, findings=checked.findings), reading.words, after or Cursor())


# ------------------------------------------------------------------------------------------ everything about one


@dataclass(frozen=True, slots=True)
class NamedEntrant(MatchedEntrant):
    """An entrant, with the name of the player in the register."""

    registered: str | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What was done with a report, when, by whom and why."""

    at: str
    author: str
    reason: str
    status: str | None
    decision: str | None
    facts: Mapping[str, Any]
    revoked: bool
    replaced_by: int | None


@dataclass(frozen=True, slots=True)
class ReportOnRecord(FiledReport):
    """A report on file: what is wrong with it, who its players are, what it would change, what was done with it."""

    sender: str
    findings: tuple[Finding, ...]
    set_aside: tuple[str, ...]
    matches: tuple[NamedEntrant, ...]
    preview: tuple[RatedPlayerDocument, ...]
    history: tuple[HistoryEntry, ...]
    published: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportShown:
    """Everything about a report, with the preview in the reader's language."""

    detail: ReportDetail
    words: Words = field(repr=False)

    def document(self) -> ReportOnRecord:
        """Return it as JSON has it."""
        detail, rated = self.detail, self.detail.checked.rated
        filed = filed_report(detail.filed)
        return ReportOnRecord(
            **{it.name: getattr(filed, it.name) for it in fields(FiledReport)},
            sender=detail.sender,
            findings=detail.findings,
            set_aside=tuple(sorted(errors_set_aside(detail.history))),
            matches=tuple(
                NamedEntrant(
                    **{it.name: getattr(entrant, it.name) for it in fields(MatchedEntrant)},
                    registered=detail.names.get(match.player or 0),
                )
                for match in detail.checked.matches
                for entrant in [matched_entrant(match)]
            ),
            preview=() if rated is None else tuple(player_document(it, self.words) for it in rated.players),
            history=tuple(map(_history_entry, detail.history)),
            published=tuple(f"{it.list} {it.day}" for it in detail.publications),
        )  # fmt: skip


def _history_entry(it: ReportEntry) -> HistoryEntry:
    decided = it.decision.kind if it.decision else None
    return HistoryEntry(
        it.act.at, it.act.author, it.act.reason, it.status or None, decided, it.facts, it.revoked, it.replaced_by
    )  # fmt: skip


@query("report", OF_REPORT, path="/office/reports/{report}")
def show_report(reading: Reading, report: ReportNumber) -> ReportShown:
    """Show everything about a report on file.

    That is what is wrong with it, who its players are, what it would change, and what was done with it.
    """
    filed = report_on_file(reading.connection, report)
    return ReportShown(read_detail(reading.connection, filed), reading.words)


__all__ = [
    "accept",
    "accept_reports",
    "decide_entrants",
    "get_report",
    "get_report_receipt",
    "join_stages",
    "list_clean_reports",
    "list_inbox",
    "list_own_reports",
    "matches",
    "preview_report",
    "show_report",
]
