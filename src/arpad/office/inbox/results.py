"""The results of submitting and accepting reports."""

from collections.abc import Sequence
from dataclasses import dataclass

from arpad.model.canonical_json import load
from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import to_finding
from arpad.model.rules import LIST_UNDECIDED, Finding, ListName
from arpad.office.inbox.entrant_decisions import MatchedEntrant, matched_entrant
from arpad.office.inbox.match_players import Match
from arpad.office.inbox.prepare_reports import stored_errors


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted report: the players in the order of the entrants, and those who are new to the register."""

    report: int
    players: tuple[int, ...]
    newcomers: tuple[int, ...]
    superseded: int | None = None
    late: tuple[Finding, ...] = ()
    """The findings about an event of a closed year of draughts."""


@dataclass(frozen=True, slots=True)
class NotAccepted:
    """A report that stays in the inbox, with the codes of its errors."""

    report: int
    codes: tuple[str, ...]
    error: BadInput


@dataclass(frozen=True, slots=True)
class Submitted:
    """A report on file, with the findings of the checks."""

    path: str
    """The file, as people name it."""

    report: int
    status: str
    list: ListName
    findings_json: tuple[str, ...]
    """Each finding as canonical JSON."""

    again: bool = False
    """Whether the same bytes were on file already, so that nothing was done."""

    accepted: Accepted | None = None
    doubts: tuple[Match, ...] = ()
    """The entrants whose player an officer has to decide, with the candidates."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return tuple(to_finding(load(text)) for text in self.findings_json)

    @property
    def list_undecided(self) -> bool:
        """Whether nothing says on which list it counts."""
        return any(error.code == LIST_UNDECIDED for error in self.errors)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that prevent acceptance."""
        return stored_errors(self.findings_json)


@dataclass(frozen=True, slots=True)
class NotSubmitted:
    """A file that could not be read and is not on file."""

    path: str
    error: ArpadError


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report on file, with the findings of the checks and the entrants whose player an officer has to decide."""

    file: str
    report: int
    status: str
    list: ListName | None
    """None while it is undecided."""

    list_undecided: bool
    again: bool
    """Whether the same bytes were on file already, so that nothing was done."""

    findings: tuple[Finding, ...]
    doubts: tuple[MatchedEntrant, ...]
    players: tuple[int, ...] | None = None
    """The players, if it was accepted at once."""

    newcomers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class FileError:
    """Why a file could not be read."""

    code: str
    message: ArpadError


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that could not be read and is not on file."""

    file: str
    error: FileError


@dataclass(frozen=True, slots=True)
class SentCounts:
    """How many files became what."""

    files: int
    received: int
    again: int
    unreadable: int
    errors: int
    accepted: int
    newcomers: int


@dataclass(frozen=True, slots=True)
class SentReports:
    """What became of each file that was sent."""

    reports: tuple[SentReport | UnreadFile, ...]
    summary: SentCounts


def sent_report(result: Submitted) -> SentReport:
    """Return a submitted report as programs get it."""
    accepted = result.accepted
    return SentReport(
        result.path, result.report, result.status, None if result.list_undecided else result.list,
        result.list_undecided, result.again, result.findings,
        tuple(matched_entrant(match) for match in result.doubts),
        accepted.players if accepted else None, accepted.newcomers if accepted else None,
    )  # fmt: skip


def sent_counts(results: Sequence[Submitted | NotSubmitted]) -> SentCounts:
    """Return how many files became what."""
    submitted = [result for result in results if isinstance(result, Submitted)]
    new = [result for result in submitted if not result.again]
    accepted = [result.accepted for result in new if result.accepted is not None]
    return SentCounts(
        files=len(results),
        received=len(new),
        again=len(submitted) - len(new),
        unreadable=len(results) - len(submitted),
        errors=sum(bool(result.errors) for result in new),
        accepted=len(accepted),
        newcomers=sum(len(report.newcomers) for report in accepted),
    )


def sent_reports(results: Sequence[Submitted | NotSubmitted]) -> SentReports:
    """Return what became of files as programs get it."""
    reports = (
        sent_report(it)
        if isinstance(it, Submitted)
        else UnreadFile(it.path, FileError(it.error.code, it.error))
        for it in results
    )
    return SentReports(tuple(reports), sent_counts(results))
