"""What the integrity screens look at and what they report, with the correction for many tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arpad.studies.history import History, HistoryGame, HistoryList
from arpad.studies.outcome_model import Odds
from arpad.studies.statistics import ALPHA, holm


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason for an officer to look at something."""

    screen: str
    players: tuple[int, ...] = ()
    event: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and names for the sentence of the screen."""

    p: float | None = None
    """How often chance alone would do this, after the correction for all that was looked at; None for a plain rule."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The data of the screens."""

    history: History
    games: Sequence[HistoryGame]
    lists: Sequence[HistoryList]
    odds: Odds
    games_a_day: int


def surviving(signals: Iterable[Signal], family: int = 0) -> list[Signal]:
    """Return the signals of one family that remain after Holm's correction.

    ``family`` is how many cases were tested, if more than there are signals.
    """
    tested = list(signals)
    p_values = [signal.p if signal.p is not None else 0.0 for signal in tested]
    adjusted = holm([*p_values, *[1.0] * max(0, family - len(tested))])
    return [
        Signal(signal.screen, signal.players, signal.event, signal.figures, value)
        for signal, value in zip(tested, adjusted, strict=False)
        if value < ALPHA
    ]
