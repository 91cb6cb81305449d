"""How far an unrated player of a tournament that is not over is on the way to a first rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from arpad.model.chess import Entry, Performance
from arpad.regulations.chess.entry_rating import entry_rating, minimum_games
from arpad.regulations.chess.rules import ChessRules


@dataclass(frozen=True, slots=True)
class EntryOutlook:
    """The games that count for a first rating so far, and their value."""

    games: int
    needed: int
    computed: int | None
    """The value of the games; None if none counts."""

    rating: int | None
    """The first rating if nothing more were played; None if a condition is not met."""

    reason: str
    """``published``, or the code of what is missing."""


def entry_outlook(
    entry: Entry,
    earlier: Sequence[Performance],
    rules: ChessRules,
    *,
    last_day: date | None,
    affiliated: bool,
) -> EntryOutlook:
    """Return the way to a first rating: this tournament so far, after the ``earlier`` events that may still count."""
    event = [replace(performance, last_day=last_day) for performance in (*entry.counted, *entry.ignored)]
    if earlier:
        entry = entry_rating([*earlier, *event], rules, affiliated=affiliated)
    needed = minimum_games(entry.counted or (*earlier, *event), rules, affiliated=affiliated)
    return EntryOutlook(entry.games, needed.value, entry.computed, entry.rating, entry.reason)
