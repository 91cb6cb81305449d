"""What people do in a rating office, as values: each with its day and its author, to be played on a real office."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from arpad.demo.events import DemoEvent
from arpad.demo.people import DemoPerson
from arpad.model.rules import ListName

OFFICER, SECRETARY = "Irma Castellani", "Tullio Verdi"


@dataclass(frozen=True, slots=True)
class ImportList:
    """The list with which the office begins: FIDE's text for chess, CSV for draughts."""

    day: date
    on_list: ListName
    data: bytes
    author: str = OFFICER


@dataclass(frozen=True, slots=True)
class RegisterPlayer:
    """A player is added to the register by hand, or gets the number of another body."""

    day: date
    person: DemoPerson
    author: str = SECRETARY


@dataclass(frozen=True, slots=True)
class RegisterEvent:
    """A tournament is announced (0.2)."""

    day: date
    event: DemoEvent
    author: str = SECRETARY


@dataclass(frozen=True, slots=True)
class Submit:
    """A report comes in."""

    day: date
    event: DemoEvent
    author: str = SECRETARY


@dataclass(frozen=True, slots=True)
class SendBack:
    """A report goes back to its arbiter."""

    day: date
    event: DemoEvent
    reason: str
    author: str = OFFICER


@dataclass(frozen=True, slots=True)
class Accept:
    """A report is accepted."""

    day: date
    event: DemoEvent
    author: str = OFFICER


@dataclass(frozen=True, slots=True)
class Publish:
    """A period is closed and its list published; that of 31 December closes a draughts year."""

    day: date
    on_list: ListName
    author: str = OFFICER


@dataclass(frozen=True, slots=True)
class Correct:
    """After publication, another report takes the place of an accepted one."""

    day: date
    event: DemoEvent
    """As corrected; it bears the key of the one it replaces."""

    reason: str
    author: str = OFFICER


@dataclass(frozen=True, slots=True)
class Revise:
    """The lists are computed again with the corrected report."""

    day: date
    event: DemoEvent
    every_list: bool
    """Whether each affected list gets a revision, or only the base of the next one is corrected."""

    reason: str
    author: str = OFFICER


Act: TypeAlias = (
    ImportList | RegisterPlayer | RegisterEvent | Submit | SendBack | Accept | Publish | Correct | Revise
)
