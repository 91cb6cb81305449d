"""Accept reports for the next list, one or the whole inbox: their players are settled, newcomers are registered."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.rules import Finding
from arpad.office.declared import Reason, ReportNumber, task
from arpad.office.inbox.entrant_decisions import FideNumber, Matches, by_start_number, decide_entrants
from arpad.office.inbox.match_players import Match
from arpad.office.inbox.prepare_reports import (
    BatchOptions,
    Outcome,
    PreparedReport,
    prepare_filed,
    unknown_players,
    with_newcomers,
)
from arpad.office.inbox.report_batch import (
    Batch,
    BatchTransaction,
    Progress,
    is_stale,
    start_batch,
    store_in_transactions,
)
from arpad.office.inbox.results import Accepted, NotAccepted
from arpad.office.inbox.workers import ReportWorkers, number_of_processes, prepare_in_order
from arpad.office.office import Office, require_reason, today
from arpad.office.reports import rows
from arpad.office.reports.status import report_on_file
from arpad.office.users import Permission, Role, User
from arpad.store import ledger
from arpad.system.batches import gc_paused

Doubts = Mapping[int, tuple[Match, ...]]
"""By report: the entrants whose player an officer has to decide, with the candidates."""

Decided = Mapping[int, Mapping[int, int]]
"""By report: start number → player, or ``NEW``."""

Ask = Callable[[Doubts], Decided]
"""Asks an officer who doubtful entrants are."""

_AT_ONCE = 280
"""Acceptances in a transaction: with more, the first would wait for more reports that are prepared again."""


@dataclass(frozen=True, slots=True)
class WaitingReports:
    """The received reports, prepared for acceptance, and the day; valid until the next act."""

    day: date
    prepared: Mapping[int, tuple[Outcome, int]]
    """By report: the outcome, and the last act known to it."""

    @property
    def doubts(self) -> Doubts:
        """The entrants whose player an officer has to decide, with the candidates, by report."""
        return _doubts(self.prepared)

    def after(self, last_act: int, day: date, decided: Decided) -> dict[int, tuple[Outcome, int]]:
        """Return those that are still valid after an act and what was decided about them."""
        seen = {number: item for number, item in self.prepared.items() if item[1] == last_act}
        return _after_decisions(seen, decided) if day == self.day else {}


def _may_accept(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    """Return whether an officer may decide about all these reports."""
    numbers = [*given.get("reports", ()), *filter(None, (given.get("report"), given.get("replaces")))]
    return all(user.may(Role.OFFICER, report_on_file(connection, it).federation) for it in numbers)


OF_REPORTS = Permission(Role.OFFICER, "decide", _may_accept)
MOST_ACCEPTED = 100
"""Reports that are looked at and accepted together."""

Overruled = Annotated[Collection[str], Accepts("few-players", longest=80, word="overrule", personal=False)]
InPlaceOf = Annotated[int, Accepts("1", word="in-place-of", picks="report")]
ReportNumbers = Annotated[list[int], Accepts("1", longest=MOST_ACCEPTED, word="reports")]


@task("accept", OF_REPORTS, says="inbox.accepted", page="/desk/reports/{report}")
def accept(
    office: Office,
    report: ReportNumber,
    *,
    matches: Matches = {},  # noqa: B006  nobody changes it
    overrule: Overruled = (),
    replaces: InPlaceOf | None = None,
    reason: Reason = "",
) -> Accepted:
    """Accept a report for the next list; it is refused while it has errors or doubtful entrants.

    An error can be overruled, which needs a reason. A report with the same games as another one on file can be accepted
    in its place.
    """
    overruled = frozenset(overrule)
    decided = _without_listed(office, {report: by_start_number(matches)}, reason)
    batch = start_batch(office, reason, matches=decided, replaces=replaces)
    if overruled:
        require_reason("accept", reason)
    (result,) = _accept_reports(batch, [report], ReportWorkers(office, 1), overruled)
    if isinstance(result, NotAccepted):
        raise result.error
    return result


@dataclass(frozen=True, slots=True)
class LeftReport:
    """A report that stays in the inbox, and why."""

    report: int
    code: str
    detail: BadInput


@dataclass(frozen=True, slots=True)
class LateReport:
    """An accepted report whose tournament belongs to a closed year of draughts, and how it can be rated there."""

    report: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class AcceptedReports:
    """The reports that were accepted, those that stay in the inbox, and accepted ones that come too late."""

    accepted: tuple[int, ...]
    left: tuple[LeftReport, ...]
    late: tuple[LateReport, ...]
    taken: int
    kept: int


@task("inbox accept", OF_REPORTS, says="inbox.accepted-several")
def accept_reports(office: Office, reports: ReportNumbers, *, reason: Reason = "") -> AcceptedReports:
    """Accept waiting reports; those with errors or doubtful entrants stay in the inbox."""
    results = list(accept_many(office, sorted(set(reports)), reason=reason, processes=1))
    done = [it for it in results if isinstance(it, Accepted)]
    left = [it for it in results if not isinstance(it, Accepted)]
    return AcceptedReports(
        tuple(it.report for it in done),
        tuple(LeftReport(it.report, it.error.code, it.error) for it in left),
        tuple(LateReport(it.report, finding) for it in done for finding in it.late),
        len(done),
        len(left),
    )


def accept_many(
    office: Office,
    reports: Iterable[int] | None = None,
    *,
    matches: Decided | None = None,
    waiting: WaitingReports | None = None,
    reason: str = "",
    processes: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Accepted | NotAccepted]:
    """Accept received reports in order, those given or all; those with errors or doubtful players are left.

    ``matches`` decides doubtful entrants, by report and start number. ``waiting`` are the reports in which the officer
    saw them: as long as nobody has acted since, they are not read, matched and checked again.
    """
    batch = start_batch(office, reason, matches=_without_listed(office, matches or {}, reason))
    asked = None if reports is None else {*reports}
    with office.store.reading() as connection:
        received = rows.waiting(connection)
        filed = {} if asked is None else rows.filed(connection, asked)
        unknown = unknown_players(connection, batch.options.matches)
        last_act = ledger.next_seq(connection) - 1
    if asked is not None:
        for number in sorted(asked - filed.keys()):
            raise BadInput("no-report", option="report", report=number)
        received = [number for number in received if number in asked]
    for player in sorted(unknown):
        raise BadInput("no-player", player=player)
    prepared = waiting.after(last_act, batch.options.today, batch.options.matches) if waiting else {}
    processes = number_of_processes(processes, len({*received} - prepared.keys()))
    with ReportWorkers(office, processes) as workers:
        yield from _accept_reports(batch, received, workers, progress=progress, prepared_before=prepared)


def waiting_reports(office: Office, processes: int | None = None) -> WaitingReports:
    """Return the received reports with the entrants whose player an officer has to decide, and today's candidates."""
    with office.store.reading() as connection:
        received = rows.waiting(connection)
        options = BatchOptions(today(office, connection))
    processes = number_of_processes(processes, len(received))
    with ReportWorkers(office, processes) as workers:
        prepared = prepare_in_order(workers, prepare_filed, received, options, len(received))
        return WaitingReports(options.today, {number: (outcome, seen) for number, outcome, seen in prepared})


def accept_doubtful(
    batch: Batch, ask: Ask, workers: ReportWorkers, progress: Progress | None = None
) -> Iterator[Accepted | NotAccepted]:
    """Ask who the doubtful players of reports just submitted are, and accept the reports about which that is decided.

    They were prepared when they were submitted. Only those that may have missed something since are prepared again.
    """
    doubtful = _doubtful_now(batch)
    answers = ask(_doubts(doubtful))
    decided = _without_listed(batch.office, answers, batch.reason)
    batch = replace(batch, options=replace(batch.options, matches=decided), doubtful={})
    numbers = [number for number in doubtful if answers.get(number)]
    before = _after_decisions(doubtful, decided)
    accepted = _accept_reports(batch, numbers, workers, progress=progress, prepared_before=before)
    with batch.office.store.reading() as connection:  # while others are prepared again
        for player in sorted(unknown_players(connection, decided)):
            raise BadInput("no-player", player=player)
    yield from accepted


def _without_listed(office: Office, decided: Decided, reason: str) -> Decided:
    """Decide which entrants are players of the reference list, in an act of its own; return the other decisions."""
    others: dict[int, dict[int, int]] = {}
    for report, matches in decided.items():
        listed = {start: choice for start, choice in matches.items() if isinstance(choice, FideNumber)}
        if listed:
            decide_entrants(office, report, listed, reason=reason)
        others[report] = {start: choice for start, choice in matches.items() if start not in listed}
    return others


def _doubtful_now(batch: Batch) -> dict[int, tuple[Outcome, int]]:
    """Return the doubtful reports of a batch, prepared with all that was done until now."""
    with batch.office.store.reading() as connection, gc_paused():
        last_act, day = ledger.next_seq(connection) - 1, today(batch.office, connection)
        acted = last_act != batch.last_own_act
        stale = [
            number
            for number, (prepared, seen) in batch.doubtful.items()
            if acted or is_stale(batch, prepared, seen, day)
        ]
        prepared_again = prepare_filed(connection, stale, batch.options).outcomes if stale else ()
    outcomes: dict[int, Outcome] = {number: prepared for number, (prepared, _) in batch.doubtful.items()}
    outcomes |= dict(zip(stale, prepared_again, strict=True))
    return {number: (outcome, last_act) for number, outcome in outcomes.items()}


def _doubts(prepared: Mapping[int, tuple[Outcome, int]]) -> Doubts:
    return {
        number: outcome.doubts
        for number, (outcome, _) in prepared.items()
        if isinstance(outcome, PreparedReport) and outcome.doubts
    }


def _after_decisions(
    prepared: Mapping[int, tuple[Outcome, int]], decided: Decided
) -> dict[int, tuple[Outcome, int]]:
    """Return the reports that need not be prepared again after these decisions."""
    valid: dict[int, tuple[Outcome, int]] = {}
    for number, (outcome, seen) in prepared.items():
        if isinstance(outcome, PreparedReport):
            after = with_newcomers(outcome, decided.get(number, {}))
            if after is not None:
                valid[number] = after, seen
    return valid


def _accept_reports(
    batch: Batch,
    numbers: Sequence[int],
    workers: ReportWorkers,
    overruled: Collection[str] = (),
    progress: Progress | None = None,
    prepared_before: Mapping[int, tuple[Outcome, int]] | None = None,
) -> Iterator[Accepted | NotAccepted]:
    before = prepared_before or {}
    left = [number for number in numbers if number not in before]

    def store(
        transaction: BatchTransaction, items: Sequence[tuple[int, Outcome, int]]
    ) -> list[Accepted | NotAccepted]:
        transaction.load((number for number, _, _ in items), (outcome for _, outcome, _ in items))
        return [transaction.accept(*item, overruled) for item in items]

    others = prepare_in_order(workers, prepare_filed, left, batch.options, len(left))
    prepared = ((number, *before[number]) if number in before else next(others) for number in numbers)
    return store_in_transactions(batch, prepared, store, progress, _AT_ONCE)
