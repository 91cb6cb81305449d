"""What people do in a rating office, as values: each with its day and its author, to be played on a real office."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar, TypeAlias

from arpad.demo.events import DemoEvent
from arpad.demo.people import DemoPerson
from arpad.model.rules import ListName

OFFICER, SECRETARY = "Irma Castellani", "Tullio Verdi"


@dataclass(frozen=True, slots=True)
class ImportList:
    """The list with which the office begins: FIDE's text for chess, CSV for draughts."""

    author: ClassVar = OFFICER
    day: date
    on_list: ListName
    data: bytes


@dataclass(frozen=True, slots=True)
class RegisterPlayer:
    """A player is added to the register by hand, or gets the number of another body."""

    author: ClassVar = SECRETARY
    day: date
    person: DemoPerson


@dataclass(frozen=True, slots=True)
class Publish:
    """A period is closed and its list published; that of 31 December closes a draughts year."""

    author: ClassVar = OFFICER
    day: date
    on_list: ListName


@dataclass(frozen=True)
class AboutEvent:
    """What is done about a tournament or its report."""

    author: ClassVar = OFFICER
    day: date
    event: DemoEvent
    """As it is corrected, it has the key of the one that it replaces."""

    reason: str = ""


class RegisterEvent(AboutEvent):
    """A tournament is announced (0.2)."""

    author = SECRETARY


class Submit(AboutEvent):
    """A report comes in."""

    author = SECRETARY


class SendBack(AboutEvent):
    """A report goes back to its arbiter."""


class Accept(AboutEvent):
    """A report is accepted."""


class Correct(AboutEvent):
    """After publication, another report takes the place of an accepted one."""


@dataclass(frozen=True)
class Revise(AboutEvent):
    """The lists are computed again with the corrected report."""

    every_list: bool = False
    """Whether each affected list gets a revision, or only the base of the next one is corrected."""


Act: TypeAlias = ImportList | RegisterPlayer | Publish | AboutEvent
