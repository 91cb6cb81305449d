"""Events and periods of any rating system, rated without a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from arpad.model.rules import Fact, Finding, Step
from arpad.rating.event_question import answer_event, read_file, read_question
from arpad.regulations.outcomes import Pass


@dataclass(frozen=True, slots=True)
class RatedEventPlayer:
    """A player before and after an event.

    ``before`` and ``after`` are states as the question has them, so that ``after``
    can be the next event's ``before``. ``printed`` is the figure of a list and
    ``line`` the same with its marks; both are None without a rating. ``figures``
    explain the change, ``passes`` and ``steps`` derive it.
    """

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    printed: int | None
    line: str | None
    change: int | Fraction | None
    figures: Mapping[str, Fact]
    passes: tuple[Pass, ...] = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """An event, or several periods, rated under an edition of a rating system."""

    system: str
    edition: str
    players: Mapping[str, RatedEventPlayer]
    findings: tuple[Finding, ...]


def rate_event(event: Mapping[str, Any] | Path | str, *, system: str) -> RatedEvent:
    """Rate one event or period under a rating system, without a report.

    The event has the names of the JSON of arpad calc event, or is its file.

    >>> players = {"a": {"rating": 1500, "k": 24}, "b": {"rating": 1700, "fixed": True}}
    >>> event = {"edition": "icu-2013", "players": players, "games": [["a", "b", 1]]}
    >>> rate_event(event, system="icu").players["a"].after
    {'rating': 1518, 'k': 24}
    """
    answer = answer_event(
        read_question(system, read_file(Path(event)) if isinstance(event, str | Path) else event)
    )
    players = {
        name: RatedEventPlayer(
            before=player.before,
            after=player.after,
            printed=player.line.figure if player.line else None,
            line=player.line.text if player.line else None,
            change=player.change,
            figures=player.outcome.figures,
            passes=player.outcome.passes,
            steps=player.outcome.steps,
        )
        for name, player in answer.players.items()
    }
    return RatedEvent(answer.system, answer.edition.id, players, answer.findings)
