"""Store prepared reports and acceptances, many in one transaction, each with an act of its own in the ledger.

The rows are those of submitting and accepting the reports one after the other. What a prepared report may have missed
(a new player of the same name, an alias, another officer's act) is noticed, and the report is prepared again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, TypeVar

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import finding_text, to_finding
from arpad.model.rules import LIST_UNDECIDED, Finding, Severity
from arpad.office.inbox.closed_years import CLOSED_YEAR, with_number
from arpad.office.inbox.find_players import Newcomers, given_numbers, newcomer
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.inbox.prepare_reports import (
    BatchOptions,
    Outcome,
    PreparedReport,
    ReportFile,
    earlier_version,
    prepare_filed,
    prepare_files,
)
from arpad.office.inbox.results import Accepted, NotAccepted, NotSubmitted, Submitted
from arpad.office.office import Office, local_day, signed_by, today, utc
from arpad.office.parts import expected_reports
from arpad.office.register.rows import load_people
from arpad.office.reports import rows
from arpad.office.reports.entrant_rows import DecidedEntrant, ReportWriter
from arpad.office.reports.rows import Filed
from arpad.office.reports.sender_rows import queue_report_mails
from arpad.office.reports.status import ON_FILE, overlap_findings, report_on_file
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN
from arpad.reports.duplicates import GameIndex, Overlap, split_marks
from arpad.reports.entrant_match import Numbers
from arpad.store.bulk import wide_cache
from arpad.store.ledger import LedgerWriter
from arpad.store.settings import read_setting
from arpad.system.batches import batches, gc_paused

Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int], None]
"""Called with the number of reports that are stored."""

REPORTS_PER_TRANSACTION = 480
"""Each transaction writes every page of the index of players again, so larger ones write less."""

_LOG_PAGES = 32_768
"""Pages of the log of SQLite from which on a commit moves them into the file: 128 MiB, 4,000 reports write less."""


@dataclass(slots=True)
class Batch:
    """Reports submitted or accepted together, in one or more transactions; what lasts from one to the next."""

    office: Office
    options: BatchOptions
    reason: str = ""
    games: GameIndex = field(default_factory=GameIndex)
    """The games of the reports on file whose days are between ``first_day`` and ``last_day``."""

    first_day: str = ""
    last_day: str = ""
    newcomers: Newcomers = field(default_factory=Newcomers)
    """The players who were new in this batch, and the aliases."""

    digests: dict[str, int] = field(default_factory=dict)
    """Digests of the bytes submitted in this batch → report."""

    last_own_act: int = -1
    last_other_act: int = 0
    doubtful: dict[int, tuple[PreparedReport, int]] = field(default_factory=dict)
    """The submitted reports that only doubtful players prevent from being accepted, and the last act known to each."""


def start_batch(office: Office, reason: str = "", **options: Any) -> Batch:
    """Return a batch of today; ``options`` are those of ``BatchOptions``."""
    signed_by(office)
    with office.store.reading() as connection:
        return Batch(office, BatchOptions(today(office, connection), **options), reason.strip())


def is_stale(batch: Batch, prepared: PreparedReport, last_act: int, today: date) -> bool:
    """Return whether a report that was prepared when ``last_act`` was the last act may have missed something."""
    given = (value for _, pairs, _ in prepared.numbers for _, value in pairs)
    missed = batch.newcomers.hold(given, last_act) or batch.newcomers.concern(
        prepared.unmatched, prepared.federation, last_act
    )
    return missed or last_act < batch.last_other_act or today != batch.options.today


@contextmanager
def batch_transaction(batch: Batch) -> Iterator[BatchTransaction]:
    """Open a transaction of a batch: all or nothing is stored, and no other process writes meanwhile."""
    office = batch.office
    author, moment = signed_by(office), office.now()
    with office.store.writing() as connection, wide_cache(connection, _LOG_PAGES):
        ledger = LedgerWriter(connection, utc(moment), author, batch.reason)
        if ledger.last != batch.last_own_act:
            batch.last_other_act, batch.first_day, batch.last_day = ledger.last, "", ""
            batch.newcomers, batch.digests = Newcomers(), {}
        transaction = BatchTransaction(batch, connection, ledger, local_day(connection, moment))
        yield transaction
        transaction.write()
        queue_report_mails(connection, transaction.mails)
    batch.last_own_act = ledger.last


def store_in_transactions(
    batch: Batch,
    prepared: Iterable[Item],
    store: Callable[[BatchTransaction, list[Item]], list[Result]],
    progress: Progress | None = None,
    at_once: int | None = None,
) -> Iterator[Result]:
    """Store prepared reports, some hundreds in a transaction; yield the results of each once it is stored."""
    parts = batches(prepared, at_once or REPORTS_PER_TRANSACTION)
    done = 0
    while True:
        with gc_paused():  # also while the results of other processes come in
            items = next(parts, [])
            if not items:
                return
            with batch_transaction(batch) as transaction:
                results = store(transaction, items)
        yield from results
        done += len(items)
        if progress is not None:
            progress(done)


class BatchTransaction:
    """An open transaction of a batch."""

    def __init__(self, batch: Batch, connection: Connection, ledger: LedgerWriter, today: date) -> None:
        """Continue the numbers of the tables."""
        self.batch, self.connection, self.ledger, self.today = batch, connection, ledger, today
        self.rows = ReportWriter(connection)
        self._filed: dict[int, Filed] = {}
        self._home = read_setting(connection, "federation")
        self._expected = expected_reports(connection)
        """What takes a new report, since it was expected: a tournament in progress."""
        self.mails: list[tuple[str, int]] = []
        """The mails to the senders: ``received`` or ``accepted``, and the report."""

    def write(self) -> None:
        """Insert the rows added so far, then the acts, which are sealed with them."""
        self.rows.write()
        self.ledger.write()

    def load(self, reports: Iterable[int], outcomes: Iterable[Outcome]) -> None:
        """Load the reports on file that will be needed, and the games on the days of all these outcomes at once."""
        self._filed |= rows.filed(self.connection, reports)
        prepared = [item for item in outcomes if isinstance(item, PreparedReport) and item.first_day]
        if prepared:
            self._load_games(
                min(item.first_day for item in prepared), max(item.last_day for item in prepared)
            )

    def _on_file(self, number: int) -> Filed:
        if number not in self._filed:
            self.write()
            self._filed[number] = report_on_file(self.connection, number)
        return self._filed[number]

    # ------------------------------------------------------------------------------------------ submitting

    def submit(
        self,
        file: ReportFile,
        outcome: Outcome,
        last_act: int,
        *,
        accept: bool = False,
        verb: str = "submit",
        details: Mapping[str, Any] | None = None,
    ) -> Submitted | NotSubmitted:
        """Store a report that was prepared when ``last_act`` was the last act; accept it if asked and possible."""
        overlaps: dict[int, Overlap] = {}
        filed: dict[int, Filed] = {}
        outcome = self._current(file, outcome, last_act)
        if isinstance(outcome, PreparedReport):
            file = file._replace(data=outcome.data)
            overlaps = self._overlapping(outcome)
            if overlaps:
                self.write()  # so that the database has them with their statuses
            filed = rows.filed(self.connection, overlaps) if overlaps else {}
            earlier = earlier_version(self.connection, filed.values(), self.batch.options.own_author)
            if outcome.replaces is None and earlier is not None:
                outcome = self.prepare(file, replaces=earlier.id)
        if isinstance(outcome, ArpadError):
            return NotSubmitted(file.path, outcome)
        if isinstance(outcome, int):
            report = self._on_file(outcome)
            texts = tuple(dump(finding) for finding in load(report.findings))
            return Submitted(file.path, report.id, report.status, report.list, texts, again=True)
        overlaps.pop(outcome.replaces or 0, None)
        errors = overlap_findings(filed, overlaps)
        texts = (*map(finding_text, errors), *outcome.findings)
        number = self._store(outcome, texts, verb, details or {})
        outcome = outcome._replace(decided=())  # they are stored
        accepted = None
        if accept and not errors and not outcome.error_codes and outcome.first_day:
            accepted = self._accept(number, outcome, outcome.replaces)
        elif accept and not errors and outcome.replaces is None and _only_doubtful(outcome):
            self.batch.doubtful[number] = outcome._replace(data=b""), self.ledger.last
        status = ACCEPTED if accepted else RECEIVED
        return Submitted(
            file.path, number, status, outcome.on_list, texts, accepted=accepted, doubts=outcome.doubts
        )

    def prepare(self, file: ReportFile, *, replaces: int | None = None) -> Outcome:
        """Prepare a file with all that was done until now."""
        self.write()
        options = self.batch.options
        options = replace(options, today=self.today, replaces=replaces or options.replaces)
        return prepare_files(self.connection, [file], options).outcomes[0]

    def _current(self, file: ReportFile, outcome: Outcome, last_act: int) -> Outcome:
        """Return the outcome, or that of preparing the file again if the first one may have missed something."""
        if isinstance(outcome, PreparedReport) and is_stale(self.batch, outcome, last_act, self.today):
            outcome = self.prepare(file._replace(data=outcome.data), replaces=outcome.replaces)
        if isinstance(outcome, PreparedReport):
            return self.batch.digests.get(outcome.digest, outcome)
        return outcome

    def _overlapping(self, prepared: PreparedReport, own: int | None = None) -> dict[int, Overlap]:
        """Return the other reports of the same event, on file or added so far; ``own`` is its number if it is one."""
        if not prepared.first_day or not prepared.marks:
            return {}
        self._load_games(prepared.first_day, prepared.last_day)
        marks = split_marks(prepared.marks)
        overlaps = self.batch.games.overlapping(marks, prepared.first_day, prepared.last_day)
        overlaps.pop(own or 0, None)
        return overlaps

    def _load_games(self, first_day: str, last_day: str) -> None:
        """Load the games of the reports on file with these days, unless they are loaded."""
        batch = self.batch
        if batch.first_day and batch.first_day <= first_day and last_day <= batch.last_day:
            return
        self.write()  # so that the query finds the reports added so far
        batch.first_day = min(first_day, batch.first_day or first_day)
        batch.last_day = max(last_day, batch.last_day)
        batch.games = GameIndex()
        for number, marks, *days in rows.overlapping_reports(
            self.connection, batch.first_day, batch.last_day
        ):
            batch.games.add(number, split_marks(marks), *days)

    def _store(
        self, prepared: PreparedReport, findings: Iterable[str], verb: str, details: Mapping[str, Any]
    ) -> int:
        """Add the rows of a report and its act; return its number."""
        key = prepared.digest
        if prepared.replaces is not None:  # perhaps a report with the same bytes
            key = rows.filing_key(self.connection, key)
        number = self.rows.add_report(
            {
                "digest": key, "data": prepared.data, "file": prepared.file, "received": str(self.today),
                "list": str(prepared.on_list), "name": prepared.name, "city": prepared.city,
                "federation": prepared.federation, "first_day": prepared.first_day, "last_day": prepared.last_day,
                "players": len(prepared.players), "rounds": prepared.rounds, "winner": prepared.winner,
                "games": prepared.marks, "results": prepared.results,
                "facts": prepared.facts, "findings": f"[{','.join(findings)}]", "event": prepared.event,
                "replaces": prepared.replaces, "act": self.ledger.last + 1,
            }
        )  # fmt: skip
        about: dict[str, Any] = {"report": number, "sha256": prepared.digest, "file": prepared.file}
        if prepared.replaces is not None:
            about |= {"replaces": prepared.replaces, **self._withdraw_waiting(prepared.replaces)}
        if prepared.decided:
            about["matches"] = {str(start): player for start, player, *_ in prepared.decided}
            self._add_decisions(number, prepared.decided)
        self.ledger.add(verb, {**about, "list": str(prepared.on_list), **details})
        self.mails.append(("received", number))
        self.batch.digests[prepared.digest] = number
        if prepared.first_day:
            marks = split_marks(prepared.marks)
            self.batch.games.add(number, marks, prepared.first_day, prepared.last_day)
        for expecting in self._expected:
            expecting(prepared, number)
        return number

    def _withdraw_waiting(self, number: int) -> dict[str, int]:
        """Withdraw a replaced report that waits, or two versions would; return the details for the ledger."""
        self.write()
        if report_on_file(self.connection, number).status != RECEIVED:
            return {}
        self.rows.add_status(number, WITHDRAWN, self.ledger.last + 1)
        self._filed.pop(number, None)
        return {"withdrawn": number}

    def _add_decisions(self, number: int, decided: Sequence[DecidedEntrant]) -> None:
        """Add decisions about entrants to the next act."""
        self.rows.add_decisions(number, decided, self.ledger.last + 1)
        self.batch.newcomers.add_aliases(decided, self.ledger.last + 1)

    # ------------------------------------------------------------------------------------------- accepting

    def accept(
        self, number: int, outcome: Outcome, last_act: int, overruled: Collection[str] = ()
    ) -> Accepted | NotAccepted:
        """Accept a report on file unless it has errors, apart from those with an overruled code."""
        if isinstance(outcome, PreparedReport) and is_stale(self.batch, outcome, last_act, self.today):
            self.write()
            (outcome,) = prepare_filed(self.connection, [number], self.batch.options).outcomes
        if isinstance(outcome, BadInput):
            return NotAccepted(number, (outcome.code,), outcome)
        assert isinstance(outcome, PreparedReport)  # noqa: S101  there are no other outcomes of a report on file
        filed = self._on_file(number)
        if filed.status != RECEIVED:  # superseded by another report of this batch
            error = BadInput("report-status", report=number, status=filed.status, accepted=(RECEIVED,))
            return NotAccepted(number, (error.code,), error)
        others = self._overlapping(outcome, number)
        replaces = self.batch.options.replaces or filed.replaces
        if refused := _refused_replacement(filed, replaces, others):
            return refused
        others.pop(replaces or 0, None)
        errors: list[Finding] = []
        if others:
            self.write()  # so that the database has their statuses
            errors = overlap_findings(rows.filed(self.connection, others), others, (ACCEPTED,))
        twice = [finding.facts["report"] for finding in errors if finding.code == ON_FILE]
        if twice and ON_FILE in overruled:
            error = BadInput("same-games-twice", report=number, other=twice[0])
            return NotAccepted(number, (ON_FILE,), error)
        errors += outcome.errors
        if refused := _refusal(filed, outcome, [error for error in errors if error.code not in overruled]):
            return refused
        return self._accept(number, outcome, replaces, overruled)

    def _accept(
        self, number: int, prepared: PreparedReport, replaces: int | None, overruled: Collection[str] = ()
    ) -> Accepted:
        """Add the players and the status of a report, and its act."""
        act, first = self.ledger.last + 1, self.rows.next_player
        given = given_numbers(prepared.numbers)
        unmatched = [place for place, player in enumerate(prepared.players) if player is None]
        newcomers = [
            newcomer(entrant, player, prepared.on_list, given.get(place, ()), self._home)
            for player, (place, entrant) in enumerate(zip(unmatched, prepared.newcomers, strict=True), first)
        ]
        players: list[Any] = [*prepared.players]
        for place, person in zip(unmatched, newcomers, strict=True):
            players[place] = person.id
        self.rows.add_players(newcomers, act)
        self.rows.add_entrants(number, players, prepared.games, act)
        self.rows.add_status(number, ACCEPTED, act)
        self.batch.newcomers.add(newcomers, act)
        ids = [person.id for person in newcomers]
        details: dict[str, Any] = {"report": number, "players": len(players), "newcomers": ids}
        if added := self._add_numbers(number, prepared, players, given, act):
            details["numbers"] = added
        if replaces is not None:
            details |= self._supersede(replaces, act)
        if matches := self.batch.options.matches.get(number):
            details["matches"] = {str(start): player for start, player in matches.items()}
        self._add_decisions(number, prepared.decided)
        if overruled:
            details["overruled"] = sorted(overruled)
        self.ledger.add("accept", details)
        self.mails.append(("accepted", number))
        findings = [to_finding(load(text)) for text in prepared.findings if CLOSED_YEAR in text]
        late = tuple([with_number(finding, number) for finding in findings])
        return Accepted(number, tuple(players), tuple(ids), replaces, late)

    def _add_numbers(
        self,
        report: int,
        prepared: PreparedReport,
        players: Sequence[int],
        given: Mapping[int, Numbers],
        act: int,
    ) -> dict[str, list[str]]:
        """Add numbers of known scheme that matched players lack, and those of unknown scheme of all players.

        Return the former by player, for the ledger.
        """
        unknown = [(players[place], value, report, act) for place, _, value in prepared.numbers if value]
        self.rows.add_unknown_numbers(unknown)
        matched = {players[place]: pairs for place, pairs in given.items() if prepared.players[place]}
        people = load_people(self.connection, matched) if matched else {}
        added = [
            (scheme, value, player)
            for player, pairs in matched.items()
            for scheme, value in pairs
            if not people[player].identifier(scheme)
        ]
        self.rows.add_identifiers(added, act)
        self.batch.newcomers.add_numbers((value for _, value, _ in added), act)
        numbers: dict[str, list[str]] = {}
        for scheme, value, player in added:
            numbers.setdefault(str(player), []).append(f"{scheme} {value}")
        return numbers

    def _supersede(self, number: int, act: int) -> dict[str, int]:
        """Give a replaced report its status; return the details for the ledger."""
        self.write()
        if report_on_file(self.connection, number).status not in (RECEIVED, ACCEPTED, RETURNED):
            return {}
        self.rows.add_status(number, SUPERSEDED, act)
        self._filed.pop(number, None)
        return {"superseded": number}


def _only_doubtful(prepared: PreparedReport) -> bool:
    """Return whether nothing but doubtful players prevents a report from being accepted."""
    return bool(prepared.doubts and prepared.first_day) and not {*prepared.error_codes} - DOUBTS


def _refused_replacement(
    filed: Filed, replaces: int | None, others: Mapping[int, Overlap]
) -> NotAccepted | None:
    """Return why a report cannot be accepted in place of another: they share no games, or it replaces a third one."""
    if replaces in (None, filed.replaces):
        return None
    if filed.replaces is not None:
        error = BadInput("replaces-another", report=filed.id, other=filed.replaces)
    elif replaces not in others:
        error = BadInput("replaces-other-games", report=filed.id, other=replaces)
    else:
        return None
    return NotAccepted(filed.id, (error.code,), error)


def _refusal(filed: Filed, prepared: PreparedReport, errors: Sequence[Finding]) -> NotAccepted | None:
    """Return why a report cannot be accepted.

    Doubtful players, an undecided list and a missing first day cannot be overruled.
    """
    codes = tuple(sorted({finding.code for finding in errors}))
    if prepared.doubts and not {*codes} - DOUBTS:
        numbers = ", ".join(str(match.entrant.number) for match in prepared.doubts)
        error = BadInput("who-not-overruled", report=filed.id, numbers=numbers, codes=", ".join(codes))
        return NotAccepted(filed.id, codes or (error.code,), error)
    if not errors and LIST_UNDECIDED in prepared.error_codes:
        error = BadInput("list-not-overruled", report=filed.id)
        return NotAccepted(filed.id, (LIST_UNDECIDED,), error)
    if not errors and not filed.first_day:
        errors, codes = [Finding(Severity.ERROR, "no-first-day")], ("no-first-day",)
    if not errors:
        return None
    error = BadInput("report-has-errors", report=filed.id, codes=", ".join(codes), findings=tuple(errors))
    return NotAccepted(filed.id, codes, error)
