"""The inbox: reports are submitted and accepted, alone or together, and officers say who their entrants are."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from arpad.model.errors import BadInput
from arpad.office.declared import Reason, task
from arpad.office.inbox.accept import OF_REPORTS, ReportNumbers, accept, accept_reports
from arpad.office.inbox.entrant_decisions import decide_entrants, matches
from arpad.office.inbox.prepare_reports import PUT_ASIDE, ReportFile
from arpad.office.inbox.report_batch import batch_transaction, start_batch
from arpad.office.inbox.report_queries import (
    get_report,
    get_report_receipt,
    list_clean_reports,
    list_inbox,
    list_own_reports,
    preview_report,
    show_report,
)
from arpad.office.inbox.results import NotSubmitted, SentReport, Submitted, sent_report
from arpad.office.inbox.submit import submit
from arpad.office.office import Office
from arpad.office.reports import rows
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED
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
