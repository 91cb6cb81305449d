"""What every check of an article looks at, and how it says what it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arpad.model.chess import EventKind
from arpad.model.rules import Fact, Finding, ListName, Severity
from arpad.regulations.chess.event_kind import Meetings
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Entrant, Report
from arpad.reports.time_control import TimeControl

_SHOWN = 10
"""How many start numbers a finding about many players names."""


@dataclass(frozen=True)
class Case:
    """A report under an edition, with whatever is known: what every check of an article looks at."""

    report: Report
    facts: EventFacts
    edition: str
    rules: ChessRules
    on_list: ListName
    met: Meetings
    control: TimeControl
    ratings: tuple[int | None, ...]
    """By place among the entrants; None for the unrated."""

    lists: Mapping[ListName, ChessRules] = field(default_factory=dict)
    """What the edition sets for each list that had begun; without it, only ``on_list`` is known."""

    @property
    def kind(self) -> EventKind:
        """The kind of the tournament."""
        return self.met.kind

    @property
    def playing(self) -> tuple[int | None, ...]:
        """The ratings of those who were paired at least once."""
        return tuple(self.ratings[place] for place in self.met.places)

    @property
    def highest(self) -> int | None:
        """The highest rating of the field; None where nobody is rated."""
        return max((rating for rating in self.ratings if rating is not None), default=None)

    @property
    def rated(self) -> int:
        """How many participants are rated."""
        return sum(1 for rating in self.playing if rating is not None)

    @property
    def any_unrated(self) -> bool:
        """Whether an unrated player takes part."""
        return None in self.playing

    @property
    def days(self) -> int | None:
        """How many days the event lasted, the first and the last included."""
        first, last = self.report.header.first_day, self.report.header.last_day
        return None if first is None or last is None or last < first else (last - first).days + 1


def error(code: str, article: str = "", /, **about: Fact) -> Finding:
    """The event or the game cannot be rated so, or the file contradicts itself."""
    return _finding(Severity.ERROR, code, article, about)


def warning(code: str, article: str = "", /, **about: Fact) -> Finding:
    """Somebody should look at it."""
    return _finding(Severity.WARNING, code, article, about)


def info(code: str, article: str = "", /, **about: Fact) -> Finding:
    """Something that could not be checked, or was taken for granted."""
    return _finding(Severity.INFO, code, article, about)


_PLACE = ("line", "column", "player", "round")


def _finding(severity: Severity, code: str, article: str, about: Mapping[str, Fact]) -> Finding:
    where = {name: value for name in _PLACE if isinstance(value := about.get(name), int)}
    facts = {name: value for name, value in about.items() if name not in _PLACE}
    return Finding(severity, code, article, **where, facts=facts)


def some(entrants: Iterable[Entrant]) -> tuple[Fact, ...]:
    """The start numbers of the first few, and an ellipsis where there are more."""
    numbers: list[Fact] = [entrant.number for entrant in entrants]
    return tuple(numbers[:_SHOWN]) + (("…",) if len(numbers) > _SHOWN else ())
