"""Submit reports, one or thousands: each is checked and stored with its bytes.

The same file twice changes nothing; the same event in other bytes is recognised by its games. Many reports are prepared
in parallel processes and stored some hundreds in a transaction; the result is that of submitting them one by one in
order. A run that is cut short has stored whole transactions; run again, it continues with the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from arpad.model.errors import ArpadError
from arpad.model.json_values import finding_text
from arpad.office.inbox.accept import Ask, accept_doubtful
from arpad.office.inbox.incoming_files import IncomingFiles
from arpad.office.inbox.prepare_reports import Outcome, ReportFile, prepare_files
from arpad.office.inbox.report_batch import (
    Batch,
    BatchTransaction,
    Progress,
    start_batch,
    store_in_transactions,
)
from arpad.office.inbox.results import Accepted, NotSubmitted, Submitted
from arpad.office.inbox.workers import ReportWorkers, number_of_processes, prepare_in_order
from arpad.office.office import Office, signed_by
from arpad.office.reports.tables import ACCEPTED
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from arpad.reports.stages import read_filed


def submit(
    office: Office,
    data: bytes,
    file: str,
    *,
    facts: EventFacts | None = None,
    event: int | None = None,
    replaces: int | None = None,
    reason: str = "",
    among_own: bool = False,
    report: Report | None = None,
) -> Submitted:
    """Submit one report; nothing is rated before it is accepted.

    With ``among_own``, it can be a new version only of a report by the same sender. ``report`` is the report in the
    bytes, if the caller has read it already.
    """
    file_ = ReportFile(file, file, data, report or read_filed(data, file))
    own_author = signed_by(office) if among_own else ""
    batch = start_batch(
        office, reason, facts=facts or EventFacts(), event=event, replaces=replaces, own_author=own_author
    )
    (result,) = _submit_files(batch, [file_], ReportWorkers(office, 1))
    if isinstance(result, NotSubmitted):
        raise result.error
    return result


def submit_many(
    office: Office,
    files: IncomingFiles,
    *,
    facts: EventFacts | None = None,
    event: int | None = None,
    accept: bool = False,
    ask: Ask | None = None,
    reason: str = "",
    processes: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Submitted | NotSubmitted]:
    """Submit reports; with ``accept``, also accept those that have neither errors nor doubtful players.

    Each is yielded once it is stored. Files that cannot be read are yielded with their error. With ``ask``, reports
    that only doubtful players prevent from being accepted are yielded last: once all files are stored, ``ask`` is
    called with them, and those about which it decides are accepted.
    """
    processes = number_of_processes(processes, len(files))
    batch = start_batch(office, reason, facts=facts or EventFacts(), event=event)
    waiting: dict[int, Submitted] = {}
    with ReportWorkers(office, processes) as workers:
        for result in _submit_files(
            batch,
            _report_files(files),
            workers,
            accept=accept or ask is not None,
            count=len(files),
            progress=progress,
        ):
            if ask and isinstance(result, Submitted) and result.report in batch.doubtful and not result.again:
                waiting[result.report] = result
            else:
                yield result
        if ask and waiting:
            with ThreadPoolExecutor(1) as beside:
                beside.submit(office.store.move_log)
                for decided in accept_doubtful(batch, ask, workers, progress):
                    if isinstance(decided, Accepted):
                        yield _accepted_later(waiting.pop(decided.report), decided)
    yield from waiting.values()


def _accepted_later(result: Submitted, accepted: Accepted) -> Submitted:
    """Return what became of a report whose doubtful players were decided after it was submitted."""
    doubts = {*map(finding_text, result.errors)}
    findings = tuple(text for text in result.findings_json if text not in doubts)
    return replace(result, status=ACCEPTED, findings_json=findings, accepted=accepted, doubts=())


def _report_files(files: IncomingFiles) -> Iterator[ReportFile]:
    """Yield the files in order; members of archives are read here, just before they are prepared."""
    for file in files.files:
        data: bytes | ArpadError | None
        try:
            data = file.unpack() if file.unpack else None
        except ArpadError as error:
            data = error
        yield ReportFile(file.address, file.name, data)


def _submit_files(
    batch: Batch,
    files: Iterable[ReportFile],
    workers: ReportWorkers,
    *,
    accept: bool = False,
    count: int = 1,
    progress: Progress | None = None,
) -> Iterator[Submitted | NotSubmitted]:
    def store(
        transaction: BatchTransaction, items: Sequence[tuple[ReportFile, Outcome, int]]
    ) -> list[Submitted | NotSubmitted]:
        outcomes = [outcome for _, outcome, _ in items]
        transaction.load((outcome for outcome in outcomes if isinstance(outcome, int)), outcomes)
        return [transaction.submit(*item, accept=accept) for item in items]

    prepared = prepare_in_order(workers, prepare_files, files, batch.options, count)
    return store_in_transactions(batch, prepared, store, progress)
