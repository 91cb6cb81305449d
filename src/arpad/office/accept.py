"""Accept reports for the next list, one or the whole inbox: their players are settled, newcomers are registered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from arpad.model.errors import BadInput
from arpad.office.match_players import Match
from arpad.office.office import Office, require_reason, today
from arpad.office.prepare_reports import BatchOptions, PreparedReport, prepare_filed, unknown_players
from arpad.office.report_batch import (
    REPORTS_PER_TRANSACTION,
    Accepted,
    Batch,
    NotAccepted,
    batch_transaction,
    start_batch,
)
from arpad.office.report_workers import number_of_processes, prepare_in_order
from arpad.office.submit import Progress
from arpad.store import reports as rows
from arpad.system.batches import batches, gc_paused


def accept(
    office: Office,
    report: int,
    *,
    matches: Mapping[int, int] | None = None,
    overrule: Iterable[str] = (),
    reason: str = "",
) -> Accepted:
    """Accept one report; raise if it has errors.

    ``matches`` decides doubtful entrants: start number → player, or ``NEW``. ``overrule`` names the codes of errors to
    set aside, which needs a reason.
    """
    overruled = frozenset(overrule)
    batch = start_batch(office, reason, matches={report: matches or {}})
    if overruled:
        require_reason("accept", reason)
    (result,) = _accept_reports(batch, [report], overruled)
    if isinstance(result, NotAccepted):
        raise result.error
    return result


def accept_many(
    office: Office,
    reports: Iterable[int] | None = None,
    *,
    matches: Mapping[int, Mapping[int, int]] | None = None,
    reason: str = "",
    processes: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Accepted | NotAccepted]:
    """Accept received reports in order, those given or all; those with errors or doubtful players are left.

    ``matches`` decides doubtful entrants, by report and start number.
    """
    batch = start_batch(office, reason, matches=matches or {})
    asked = None if reports is None else {*reports}
    with office.store.reading() as connection:
        received = rows.waiting(connection)
        filed = {} if asked is None else rows.filed(connection, asked)
        unknown = unknown_players(connection, batch.options.matches)
    if asked is not None:
        for number in sorted(asked - filed.keys()):
            raise BadInput("no-report", report=number)
        received = [number for number in received if number in asked]
    for player in sorted(unknown):
        raise BadInput("no-player", player=player)
    processes = number_of_processes(processes, len(received))
    yield from _accept_reports(batch, received, processes=processes, progress=progress)


def waiting_doubts(office: Office, processes: int | None = None) -> dict[int, tuple[Match, ...]]:
    """Return the entrants of received reports whose player an officer has to decide, with the candidates of today."""
    with office.store.reading() as connection:
        received = rows.waiting(connection)
        options = BatchOptions(today(office, connection), only_matches=True)
    processes = number_of_processes(processes, len(received))
    prepared = prepare_in_order(office, prepare_filed, received, options, processes)
    return {
        number: outcome.doubts
        for number, outcome, _ in prepared
        if isinstance(outcome, PreparedReport) and outcome.doubts
    }


def _accept_reports(
    batch: Batch,
    numbers: Iterable[int],
    overruled: Collection[str] = (),
    processes: int = 1,
    progress: Progress | None = None,
) -> Iterator[Accepted | NotAccepted]:
    prepared = prepare_in_order(batch.office, prepare_filed, numbers, batch.options, processes)
    done = 0
    for items in batches(prepared, REPORTS_PER_TRANSACTION):
        with gc_paused(), batch_transaction(batch) as transaction:
            transaction.load((number for number, _, _ in items), (outcome for _, outcome, _ in items))
            results = [transaction.accept(*item, overruled) for item in items]
        yield from results
        done += len(items)
        if progress is not None:
            progress(done)
