"""The results of submitting and accepting reports."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.model.canonical_json import load
from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import to_finding
from arpad.model.rules import LIST_UNDECIDED, Finding, ListName
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
