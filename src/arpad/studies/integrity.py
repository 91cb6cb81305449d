"""Integrity screens: what a rating officer should look at, each with its reason and its figures, never a verdict.

Every statistical screen is one family under Holm's correction, so that an honest season raises a signal in it with a
chance of at most five in a hundred, as far as the model of honest play is right; docs/explanation/monitoring.md has
the figures. The screens of records are plain rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from arpad.model.rules import ListName
from arpad.studies import screens_events, screens_pairs, screens_records
from arpad.studies.history import History, HistoryGame, HistoryList
from arpad.studies.signals import Evidence, Odds, Signal

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
    """Return the signals of all screens, in their order; the most certain signals of each come first.

    ``games_a_day`` is how many games of a day are plausible, by default what the regulations allow on the list.
    """
    limit = games_a_day or GAMES_A_DAY[history.on_list]
    evidence = Evidence(history, games, lists, Odds.of(games), limit)
    signals = [
        *screens_events.improbable(evidence),
        *screens_events.standings(evidence),
        *screens_pairs.screens(evidence),
        *screens_records.screens(evidence),
    ]
    return sorted(signals, key=lambda signal: (SCREENS.index(signal.screen), signal.p or 0.0, signal.players))
