"""Integrity screens: what a rating officer should look at, each with its reason and its figures, never a verdict.

Every statistical screen is one family under Holm's correction, so that an honest season raises a signal in it with a
chance of at most five in a hundred, as far as the model of honest play holds; docs/monitoring.md states what was
measured. The screens of records are plain rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arpad.model.rules import ListName
from arpad.monitor.history import History, HistoryGame, HistoryList
from arpad.monitor.outcome_model import Odds
from arpad.monitor.statistics import ALPHA, holm


@dataclass(frozen=True, slots=True)
class Signal:
    """Something to look at."""

    screen: str
    players: tuple[int, ...] = ()
    event: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and names for the sentence of the screen."""

    p: float | None = None
    """How often chance alone would do this, after the correction for all that was looked at; None for a plain rule."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the screens look at."""

    history: History
    games: Sequence[HistoryGame]
    lists: Sequence[HistoryList]
    odds: Odds
    games_a_day: int


GAMES_A_DAY = {ListName.STANDARD: 3, ListName.RAPID: 15, ListName.BLITZ: 30}

SCREENS = (
    "improbable-series",
    "wide-standings",
    "narrow-standings",
    "one-way-pair",
    "traded-wins",
    "repeated-pair",
    "repeated-matches",
    "closed-circle",
    "above-threshold",
    "two-places",
    "games-a-day",
    "rounds-in-days",
    "implausible-dates",
    "twins",
    "differs-from-earlier",
)


def integrity(
    history: History,
    games: Sequence[HistoryGame],
    lists: Sequence[HistoryList],
    *,
    games_a_day: int | None = None,
) -> list[Signal]:
    """All screens, in their order; the surest signals of each come first.

    ``games_a_day`` is how many games of a day are plausible, by default what the regulations allow on the list.
    """
    from arpad.monitor import (
        screens_events as series,
    )
    from arpad.monitor import (
        screens_pairs as pairs,
    )
    from arpad.monitor import (
        screens_records as records,
    )
    from arpad.monitor import (
        screens_thresholds as thresholds,
    )

    limit = games_a_day or GAMES_A_DAY[history.on_list]
    evidence = Evidence(history, games, lists, Odds.of(games), limit)
    found = [
        *series.improbable(evidence),
        *series.standings(evidence),
        *pairs.screens(evidence),
        *records.screens(evidence),
        *thresholds.screen(evidence),
    ]
    return sorted(found, key=lambda signal: (SCREENS.index(signal.screen), signal.p or 0.0, signal.players))


def surviving(signals: Iterable[Signal], family: int = 0) -> list[Signal]:
    """Those of one family that remain after Holm's correction; ``family``: how many were looked at, if more."""
    made = list(signals)
    p_values = [signal.p if signal.p is not None else 0.0 for signal in made]
    adjusted = holm([*p_values, *[1.0] * max(0, family - len(made))])
    return [
        Signal(signal.screen, signal.players, signal.event, signal.figures, value)
        for signal, value in zip(made, adjusted, strict=False)
        if value < ALPHA
    ]
