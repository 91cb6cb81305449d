"""Reports on file: who may see and decide about them; the list of them; return, withdraw and reinstate them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.declared import ListChosen, Reading, Reason, ReportNumber, act, query
from arpad.office.office import ActContext
from arpad.office.parts import federations_of
from arpad.office.register.rows import load_people
from arpad.office.reports import rows
from arpad.office.reports.rows import Decision, Filed, all_decisions
from arpad.office.reports.sender_rows import queue_report_mails
from arpad.office.reports.status import overlaps_on_file, report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN, report_statuses
from arpad.office.users import Role, User, arbiter, officer, officer_of
from arpad.store import ledger
from arpad.store.ledger import Act

Status = Annotated[
    Literal["received", "accepted", "returned", "withdrawn", "superseded"],
    Accepts("received", word="report-status"),
]

OF_REPORT = officer_of(
    "decide", lambda connection, given: report_on_file(connection, given["report"]).federation
)
"""The officers of the report's federation."""


def may_see(connection: Connection, user: User, filed: Filed) -> bool:
    """Return whether a user sent a report, or is an officer for its federation."""
    return user.may(Role.OFFICER, filed.federation) or sent_by(connection, user, filed)


def sent_by(connection: Connection, user: User, filed: Filed) -> bool:
    """Return whether a user sent a report."""
    return ledger.act(connection, filed.act).author == user.login


def may_withdraw(connection: Connection, user: User, filed: Filed) -> bool:
    """Return whether a user may withdraw a report: officers, and the sender until it is accepted."""
    waits = filed.status in (RECEIVED, RETURNED)
    return user.may(Role.OFFICER, filed.federation) or (waits and sent_by(connection, user, filed))


def _may_withdraw_it(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    return may_withdraw(connection, user, report_on_file(connection, given["report"]))


@dataclass(frozen=True, slots=True)
class FiledReport:
    """A report on file; errors and warnings are those of the day it arrived."""

    report: int
    status: str
    list: ListName | None
    """None while it is undecided."""

    list_undecided: bool
    name: str
    federation: str
    first_day: str
    last_day: str
    players: int
    rounds: int
    errors: int
    warnings: int
    file: str
    sha256: str
    received: str
    replaces: int | None


@dataclass(frozen=True, slots=True)
class FiledReports:
    """Reports on file."""

    reports: tuple[FiledReport, ...]


@dataclass(frozen=True, slots=True)
class ChangedStatus:
    """A report with the status that it has now."""

    report: int
    status: str


def filed_report(filed: Filed) -> FiledReport:
    """Return a report on file as programs get it."""
    return FiledReport(
        filed.id, filed.status, None if filed.undecided else filed.list, filed.undecided, filed.name,
        filed.federation, str(filed.first_day or ""), str(filed.last_day or ""), filed.players, filed.rounds,
        filed.errors, filed.warnings, filed.file, filed.digest, str(filed.received), filed.replaces,
    )  # fmt: skip


@query(
    "reports", officer("decide"), path="/office/reports", says="reports.none",
    columns=(
        "report", "status", "list", "first_day", "last_day", "name", "players", "rounds", "errors", "warnings", "file",
    ),
)  # fmt: skip
def reports(
    reading: Reading, *, status: Status | None = None, list_: ListChosen | None = None
) -> FiledReports:
    """Show the reports on file."""
    found = [
        filed_report(filed)
        for filed in rows.filed(reading.connection).values()
        if (status is None or filed.status == status)
        and (list_ is None or filed.list == list_)
        and reading.caller.officer_of(filed.federation)
    ]
    return FiledReports(tuple(found))


@act("return", OF_REPORT, says="reports.returned", page="/desk/reports/{report}")
def return_(act: ActContext, report: ReportNumber, *, reason: Reason) -> ChangedStatus:
    """Return a report to its sender."""
    require_status(report_on_file(act.connection, report), RECEIVED)
    act.add(report_statuses, report=report, status=RETURNED)
    queue_report_mails(act.connection, [("returned", report)], reason=reason)
    return ChangedStatus(report, RETURNED)


@act("withdraw", arbiter("submit", _may_withdraw_it), says="reports.withdrawn", page="/desk/reports/{report}")
def withdraw(act: ActContext, report: ReportNumber, *, reason: Reason) -> ChangedStatus:
    """Withdraw a report. A list that rated it changes only by a revision."""
    require_status(report_on_file(act.connection, report), RECEIVED, RETURNED, ACCEPTED)
    act.add(report_statuses, report=report, status=WITHDRAWN)
    return ChangedStatus(report, WITHDRAWN)


@act("reinstate", OF_REPORT, says="reports.reinstated", page="/desk/reports/{report}")
def reinstate(act: ActContext, report: ReportNumber, *, reason: Reason) -> ChangedStatus:
    """Undo the withdrawal or the replacement of a report.

    The report gets the status it had before. Lists that were revised without it rate it again only with a revision
    that names it, or the next list does.
    """
    connection = act.connection
    filed = report_on_file(connection, report)
    require_status(filed, WITHDRAWN, SUPERSEDED)
    statuses = [status for status, _ in rows.history(connection, report)]
    before = [status for status in statuses if status not in (WITHDRAWN, SUPERSEDED)][-1]
    marks = rows.marks(connection, report)
    if overlaps := overlaps_on_file(
        connection, filed, marks, ignore=(report,), statuses=(RECEIVED, ACCEPTED)
    ):
        others = ", ".join(str(finding.facts["report"]) for finding in overlaps)
        raise BadInput("reinstate-held", option="report", report=report, others=others)
    act.add(report_statuses, report=report, status=before)
    act.record(status=before)
    return ChangedStatus(report, before)


_KEYS = {
    "player": ("player", "kept", "dropped", "other"),
    "report": ("report", "superseded", "replaces"),
    "arbiter": ("arbiter",),
    "event": ("event",),
    "decision": ("decision", "appeal"),
}
"""The facts of an act that name something by its number here, by what they name."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """What an act names: numbers by kind, and a federation that it states itself."""

    numbers: Mapping[str, frozenset[int]]
    federation: str = ""


def subjects_of(facts: Mapping[str, Any]) -> Subjects:
    """Return what the facts of an act name."""
    numbers = {
        kind: frozenset(value for key in keys if isinstance(value := facts.get(key), int))
        for kind, keys in _KEYS.items()
    }
    matches = facts.get("matches")
    numbers["player"] |= {
        *_listed(facts, "numbers"),
        *_listed(facts, "newcomers"),
        *(it for it in (matches.values() if isinstance(matches, dict) else ()) if isinstance(it, int)),
    }
    stated = facts.get("federation")
    return Subjects(numbers, stated if isinstance(stated, str) else "")


def _listed(facts: Mapping[str, Any], key: str) -> Iterator[int]:
    values = facts.get(key)
    return (value for value in values if isinstance(value, int)) if isinstance(values, list) else iter(())


def federations_of_acts(connection: Connection, acts: Collection[Act]) -> dict[int, frozenset[str]]:
    """Return the federations of everything that each act names; empty if it names nothing that has one."""
    named = {act.seq: subjects_of(act.facts) for act in acts}
    decided: dict[int, Decision] = {}
    if any(subjects.numbers["decision"] for subjects in named.values()):
        decided = {decision.id: decision for decision in all_decisions(connection)}
    pairs = {seq: [*_pairs(subjects, decided)] for seq, subjects in named.items()}
    known = {
        kind: _federations(
            connection, kind, {number for of_act in pairs.values() for what, number in of_act if what == kind}
        )
        for kind in ("player", "report", "arbiter", "event")
    }
    return {
        seq: frozenset(
            [
                *(known[kind][number] for kind, number in pairs[seq] if number in known[kind]),
                *([subjects.federation] if subjects.federation else []),
                *(it.federation for it in _decided(subjects, decided) if it.federation),
            ]
        )
        for seq, subjects in named.items()
    }


def _decided(subjects: Subjects, decided: Mapping[int, Decision]) -> list[Decision]:
    return [decided[number] for number in subjects.numbers["decision"] if number in decided]


def _pairs(subjects: Subjects, decided: Mapping[int, Decision]) -> Iterator[tuple[str, int]]:
    """Return what an act names, also by a decision, as kinds and numbers; if it names reports, they stand for all."""
    numbers = {kind: set(named) for kind, named in subjects.numbers.items() if kind != "decision"}
    for decision in _decided(subjects, decided):
        numbers["player"] |= {decision.player} if decision.player else set()
        numbers["report"] |= {decision.report} if decision.report else set()
    chosen = {"report": numbers["report"]} if numbers["report"] else numbers
    return ((kind, number) for kind, named in chosen.items() for number in named)


def _federations(connection: Connection, kind: str, numbers: Collection[int]) -> dict[int, str]:
    if not numbers:
        return {}
    match kind:
        case "player":
            return {it: person.federation for it, person in load_people(connection, numbers).items()}
        case "report":
            return {it: filed.federation for it, filed in rows.filed(connection, numbers).items()}
        case _:
            return federations_of(connection, kind)
