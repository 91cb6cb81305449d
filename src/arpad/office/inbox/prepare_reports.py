"""Read, match and check some reports together, in any process; nothing is written.

A prepared report stays valid while the office changes only by accepted reports, unless a new player may be one of its
``unmatched`` entrants.

A report replaces another if its sender says so, if it has the same bytes as a returned or withdrawn report but other
facts, or if it has the games of such a report. Senders who see only their own reports can replace only those.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import finding_text, to_finding
from arpad.model.names import spelled
from arpad.model.rules import Finding, ListName, Severity
from arpad.office.inbox.check_report import (
    CheckedReport,
    check_reports,
    decided_report,
    event_days,
    known_facts,
)
from arpad.office.inbox.closed_years import closed_year_findings
from arpad.office.inbox.entrant_decisions import decided_entrants, joined_matches
from arpad.office.inbox.find_players import ReportToCheck
from arpad.office.inbox.incoming_files import read_file
from arpad.office.inbox.match_players import Match, source_of, unmatched_entrants
from arpad.office.parts import registered_events
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import load_number_rules
from arpad.office.register.number_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.entrant_rows import NEW, DecidedEntrant, decisions_about
from arpad.office.reports.rows import ERROR_JSON, Filed, decisions_in_force
from arpad.office.reports.stated_facts import decided_document
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import RECEIVED, RETURNED, WITHDRAWN
from arpad.reports.duplicates import results_digest
from arpad.reports.entrant_match import Numbers
from arpad.reports.event_facts import EventFacts, facts_document, facts_from, with_stated
from arpad.reports.report import Entrant, Report
from arpad.reports.report_games import ReportGames, games_in_columns
from arpad.reports.stages import read_filed
from arpad.reports.standings import winner
from arpad.store import ledger


class ReportFile(NamedTuple):
    """A file to submit."""

    path: str
    """As people name it; inside an archive, with the name there."""

    name: str
    data: bytes | ArpadError | None
    """The bytes, or why they cannot be read; None for those of the file at the path."""

    report: Report | None = None
    """The report in it, if it was read already."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """What applies to all reports that are submitted or accepted together."""

    today: date
    facts: EventFacts = field(default_factory=EventFacts)
    event: int | None = None
    replaces: int | None = None
    """The report on file that they replace; of an acceptance, the one in whose place it is accepted."""

    own_author: str = ""
    """The sender, if a report can be a new version only of reports by the same sender."""

    matches: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """By report on file: start number → player, as an officer decided."""


class PreparedReport(NamedTuple):
    """A checked report as it will be stored: small, since it may come from another process."""

    file: str
    data: bytes
    digest: str
    on_list: ListName
    name: str
    city: str
    federation: str
    first_day: str
    last_day: str
    rounds: int
    winner: int | None
    marks: bytes
    results: str
    games: ReportGames | None
    """All that its bytes say about games, in columns."""

    facts: str
    findings: tuple[str, ...]
    """Each as canonical JSON."""

    error_codes: tuple[str, ...]
    doubts: tuple[Match, ...]
    """The entrants whose player an officer has to decide, with the candidates."""

    event: int | None
    players: tuple[int | None, ...]
    newcomers: tuple[Entrant, ...]
    """The entrants without a player, in order."""

    replaces: int | None
    numbers: tuple[tuple[int, Numbers, str], ...]
    """Place of an entrant, the numbers of known scheme that nobody has yet, and the number of unknown scheme."""

    unmatched: tuple[tuple[Entrant, Numbers], ...]
    """The entrants who are not certain, with their numbers of known scheme: a new player may be one of them."""

    decided: tuple[DecidedEntrant, ...] = ()
    """Decisions that come with its acceptance, or that it takes over from the report that it replaces."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that prevent acceptance."""
        return stored_errors(self.findings)


def stored_errors(findings: Iterable[str]) -> tuple[Finding, ...]:
    """Return the errors among findings as canonical JSON."""
    errors = (to_finding(load(text)) for text in findings if ERROR_JSON in text)
    return tuple(finding for finding in errors if finding.severity == Severity.ERROR)


Outcome = PreparedReport | int | ArpadError
"""A prepared report, the number of the report on file with the same bytes, or why the file cannot be read."""


class PreparedBatch(NamedTuple):
    """The outcomes in order, and the last act in the ledger when they were prepared."""

    last_act: int
    outcomes: list[Outcome]


class _ReadFile(NamedTuple):
    """A file as it is stored."""

    file: str
    report: Report
    """The whole report in it."""

    data: bytes
    digest: str


def prepare_files(
    connection: Connection, files: Sequence[ReportFile], options: BatchOptions
) -> PreparedBatch:
    """Prepare files that are sent."""
    last_act = ledger.next_seq(connection) - 1
    outcomes: dict[int, Outcome] = {}
    read = _read_files(files, outcomes)
    on_file = _same_bytes(connection, [item.digest for item in read.values()])
    days = None if options.event else {str(item.report.header.first_day) for item in read.values()}
    registered, rules = registered_events(connection, days), load_number_rules(connection)
    sender_facts = replace(options.facts, received=options.facts.received or options.today)
    to_check: dict[int, ReportToCheck] = {}
    versions: dict[int, tuple[int | None, Filed | None]] = {}
    for index, item in read.items():
        same = on_file.get(item.digest)
        try:
            earlier = _replaced_report(connection, same, options)
            if same is not None and earlier is None:
                outcomes[index] = same.id
                continue
            facts = inherited_facts(connection, earlier, options.facts) if earlier else sender_facts
            first_day = str(item.report.header.first_day)
            events = [event for event in registered if options.event or event["first_day"] == first_day]
            facts, event = known_facts(events, item.report, facts, options.event, options.today)
            rules.refuse_unknown(facts.number_scheme)
        except ArpadError as error:
            outcomes[index] = error
            continue
        to_check[index] = ReportToCheck(item.report, facts)
        versions[index] = event, earlier
    texts = _facts_texts(to_check.values())
    checked, matches = _check_versions(connection, to_check, versions)
    for index, entrants in checked.items():
        item, facts_text, (event, earlier) = read[index], texts[id(to_check[index].facts)], versions[index]
        outcomes[index] = _prepared(
            entrants, item.report, item, facts_text, event, earlier.id if earlier else None,
            matches.get(index, {}),
            _late_findings(connection, entrants, item.report, None, earlier.id if earlier else None),
        )  # fmt: skip
    return PreparedBatch(last_act, [outcomes[index] for index in range(len(files))])


def _check_versions(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    versions: Mapping[int, tuple[int | None, Filed | None]],
) -> tuple[dict[int, CheckedReport], dict[int, dict[int, int]]]:
    """Check reports; also return the players that those which replace another take over from it, by start number."""
    checked = check_reports(connection, reports, {})
    matches: dict[int, dict[int, int]] = {}
    for index, (_, earlier) in versions.items():
        if earlier is not None:
            uncertain = {entrant.number for entrant, _ in unmatched_entrants(checked[index].matches)}
            matches[index] = players_taken_over(connection, earlier, reports[index].report, uncertain)
    again = {index: reports[index] for index, players in matches.items() if players}
    return checked | check_reports(connection, again, matches), matches


def _read_files(files: Sequence[ReportFile], outcomes: dict[int, Outcome]) -> dict[int, _ReadFile]:
    """Return the files that can be read, by index; the errors of the others are their outcomes."""
    data_of: dict[int, bytes] = {}
    for index, file in enumerate(files):
        try:
            data_of[index] = _bytes_of(file)
        except ArpadError as error:
            outcomes[index] = error
    read: dict[int, _ReadFile] = {}
    for index, data in data_of.items():
        file = files[index]
        try:
            report = file.report or read_filed(data, file.name)
        except ArpadError as error:
            outcomes[index] = error
        else:
            read[index] = _ReadFile(file.name, report, data, sha256(data).hexdigest())
    return read


def _bytes_of(file: ReportFile) -> bytes:
    if isinstance(file.data, ArpadError):
        raise file.data
    return read_file(file.path) if file.data is None else file.data


def _facts_texts(reports: Iterable[ReportToCheck]) -> dict[int, str]:
    """Return the facts of reports as JSON, by the identity of the facts: they are nearly always the same value."""
    facts_by_id = {id(item.facts): item.facts for item in reports}
    return {identity: dump(facts_document(facts)) for identity, facts in facts_by_id.items()}


def _same_bytes(connection: Connection, digests: Sequence[str]) -> dict[str, Filed]:
    """Return the reports on file that have the bytes with these digests."""
    numbers = rows.by_digests(connection, digests)
    filed = rows.filed(connection, numbers.values())
    return {digest: filed[number] for digest, number in numbers.items()}


def _replaced_report(connection: Connection, same: Filed | None, options: BatchOptions) -> Filed | None:
    """Return the report on file that a report replaces; ``same`` is the one with the same bytes, if any."""
    if same is None:
        return None if options.replaces is None else report_on_file(connection, options.replaces)
    named = options.replaces == same.id and same.status in PUT_ASIDE
    return same if named or is_new_version(connection, same, options.facts, options.own_author) else None


def prepare_filed(connection: Connection, numbers: Sequence[int], options: BatchOptions) -> PreparedBatch:
    """Prepare received reports for acceptance, with what was decided about them."""
    last_act = ledger.next_seq(connection) - 1
    filed, files = rows.filed(connection, numbers), rows.data_of(connection, numbers)
    decided = decisions_in_force(connection)
    entrants = decisions_about(connection, numbers)
    chosen = {number: options.matches.get(number, {}) for number in numbers}
    unknown = unknown_players(connection, chosen)
    targets = merge_targets(connection) if any(chosen.values()) or entrants else {}
    to_check: dict[int, ReportToCheck] = {}
    all_matches: dict[int, dict[int, int]] = {}
    read: dict[int, _ReadFile] = {}
    outcomes: dict[int, Outcome] = {}
    for number in numbers:
        matches = chosen[number]
        try:
            _refuse_report(number, filed.get(number), unknown.intersection(matches.values()))
            report = read_filed(files[number], filed[number].file)
            on_file = filed[number]
            read[number] = _ReadFile(on_file.file, report, b"", on_file.digest)
            item = decided_report(connection, filed[number], decided, report)
            _refuse_matches(number, item.report, matches)
            all_matches[number] = joined_matches(entrants.get(number, {}), matches, targets)
            to_check[number] = item
        except BadInput as error:
            to_check.pop(number, None)
            outcomes[number] = error
    left_off = {it.report for it in decided if it.leaves_off}
    for number, checked in check_reports(connection, to_check, all_matches, left_off=left_off).items():
        on_file, report = filed[number], to_check[number].report
        new = {
            start: player for start, player in chosen[number].items() if start not in entrants.get(number, {})
        }
        late = _late_findings(connection, checked, report, number, on_file.replaces)
        outcomes[number] = _prepared(
            checked, report, read[number], on_file.facts, on_file.event, on_file.replaces, new, late
        )  # fmt: skip
    return PreparedBatch(last_act, [outcomes[number] for number in numbers])


def with_newcomers(prepared: PreparedReport, matches: Mapping[int, int]) -> PreparedReport | None:
    """Return a prepared report after some doubtful entrants were decided to be new; None if it must be prepared again.

    An entrant in doubt is checked as a new player is, so nothing but the doubts goes; unless there is a number, which
    says more about the player.
    """
    doubtful = {match.entrant.number: match for match in prepared.doubts if match.player is None}
    decided = {number: match for number, match in doubtful.items() if number in matches}
    if any(matches.values()) or decided.keys() != matches.keys():
        return None
    if any(match.entrant.id or match.numbers for match in decided.values()):
        return None
    gone = {finding_text(match.finding) for match in decided.values() if match.finding is not None}
    findings = tuple(text for text in prepared.findings if text not in gone)
    entrants = {number: match.entrant for number, match in decided.items()}
    return prepared._replace(
        findings=findings,
        error_codes=tuple(error.code for error in stored_errors(findings)),
        doubts=tuple(match for match in prepared.doubts if match.entrant.number not in decided),
        unmatched=tuple(pair for pair in prepared.unmatched if pair[0].number not in decided),
        decided=decided_entrants(prepared.federation, entrants, matches),
    )


def _refuse_report(number: int, report: Filed | None, unknown: set[int]) -> None:
    if report is None:
        raise BadInput("no-report", report=number)
    require_status(report, RECEIVED)
    if unknown:
        raise BadInput("no-player", player=min(unknown))


def _refuse_matches(number: int, report: Report, matches: Mapping[int, int]) -> None:
    """Refuse matches of start numbers that a report does not have."""
    if start_numbers := matches.keys() - report.places.keys():
        raise BadInput("match-nobody", number=min(start_numbers), report=number)


def unknown_players(connection: Connection, matches: Mapping[int, Mapping[int, int]]) -> set[int]:
    """Return the players that decided matches name and the register does not have."""
    chosen = {player for by_number in matches.values() for player in by_number.values() if player}
    return chosen - register.load_people(connection, chosen).keys() if chosen else set()


def _late_findings(
    connection: Connection, checked: CheckedReport, report: Report, number: int | None, replaces: int | None
) -> list[Finding]:
    """Return the findings about a closed year of a checked report; ``number`` if it is on file."""
    players = [match.player for match in checked.matches]
    return closed_year_findings(connection, checked.on_list, report, players, number, replaces)


def _prepared(
    checked: CheckedReport,
    report: Report,
    read: _ReadFile,
    facts: str,
    event: int | None,
    replaces: int | None,
    decided: Mapping[int, int],
    late: Sequence[Finding],
) -> PreparedReport:
    """Return a checked report as it will be stored, with the findings about a closed year.

    Of a long event, ``report`` has only the rounds that officers chose.
    """
    header, matches = report.header, checked.matches
    about = {start: report.entrants[report.places[start]] for start in decided}
    findings = (*checked.findings, *late)
    return PreparedReport(
        read.file, read.data, read.digest, checked.on_list,
        header.name, header.city, header.federation, *event_days(report),
        len(report.round_numbers), winner(report), checked.marks,
        results_digest(report) if read.data else "",  # a report on file has it already
        games_in_columns(read.report),
        facts,
        tuple(map(finding_text, findings)),
        tuple([finding.code for finding in findings if finding.severity == Severity.ERROR]),
        tuple([match for match in matches if match.undecided]),
        event,
        tuple([match.player for match in matches]),
        tuple([match.entrant for match in matches if match.player is None]),
        replaces,
        tuple(
            [
                (place, match.numbers, match.unknown_number)
                for place, match in enumerate(matches)
                if match.numbers or match.unknown_number
            ]
        ),
        unmatched_entrants(matches),
        decided_entrants(source_of(report), about, decided),
    )  # fmt: skip


PUT_ASIDE = (RETURNED, WITHDRAWN)
"""The statuses after which a report can be submitted again."""


def inherited_facts(connection: Connection, before: Filed, sender_facts: EventFacts) -> EventFacts:
    """Return the facts of a report that replaces another: the sender's, and those the office knew of the first.

    It arrived when the first version did, the event was registered when it was, and officers' decisions still apply.
    """
    earlier = facts_from(load(before.facts))
    decided = decided_document(decisions_in_force(connection), before.id)
    stated = {name: value for name, value in decided.items() if value is not None}
    facts = facts_from(with_stated(facts_document(sender_facts), stated))
    return replace(
        facts,
        received=facts.received or earlier.received or before.received,
        registered=facts.registered or earlier.registered,
    )


def players_taken_over(
    connection: Connection, before: Filed, report: Report, uncertain: Collection[int]
) -> dict[int, int]:
    """Return who the entrants are whom the replaced report has under the same start number and name.

    What an officer decided about it holds, and who the ``uncertain`` ones were when it was accepted.
    """
    decided = decisions_about(connection, [before.id]).get(before.id, {})
    accepted = rows.players_of(connection, before.id)
    if not decided and not accepted:
        return {}
    earlier = read_filed(rows.data(connection, before.id), before.file)
    players = {number: decision.player or NEW for number, decision in decided.items()}
    for entrant, player in zip(earlier.entrants, accepted, strict=False):
        if entrant.number in decided or entrant.number in uncertain:
            players[entrant.number] = player
    names = {entrant.number: spelled(entrant.name) for entrant in earlier.entrants}
    return {
        entrant.number: players[entrant.number]
        for entrant in report.entrants
        if entrant.number in players and names[entrant.number] == spelled(entrant.name)
    }


def is_new_version(connection: Connection, before: Filed, sender_facts: EventFacts, own_author: str) -> bool:
    """Return whether a report with the same bytes is filed again: the first was put aside, and the facts differ.

    ``own_author`` is a sender who can replace only their own reports; empty if any report can be replaced.
    """
    if before.status not in PUT_ASIDE or not _may_replace(connection, before, own_author):
        return False
    earlier, now = load(before.facts), facts_document(sender_facts)
    return any(earlier.get(name) != value for name, value in now.items())


def earlier_version(connection: Connection, overlapping: Iterable[Filed], own_author: str) -> Filed | None:
    """Return the latest report with the same games that was put aside, if any; ``own_author`` as above."""
    put_aside = [
        report
        for report in overlapping
        if report.status in PUT_ASIDE and _may_replace(connection, report, own_author)
    ]
    return max(put_aside, key=lambda report: report.id, default=None)


def _may_replace(connection: Connection, report: Filed, own_author: str) -> bool:
    return not own_author or ledger.act(connection, report.act).author == own_author
