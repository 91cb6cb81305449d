"""What happened to a player's rating besides tournaments: events on the curve, each with its reason in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any

from arpad.explain.curves import CurveMark
from arpad.explain.words import Words
from arpad.model.rules import Edition, Fact, ListName
from arpad.office.players.history import HistoryEntry
from arpad.regulations.fide.rules import ChessRules, OneOffAdjustment
from arpad.regulations.systems import system_of

PEAK = "peak"


def adjustments(editions: Sequence[Edition[Any]], on_list: ListName) -> dict[date, OneOffAdjustment]:
    """Return the one-off adjustments of a chess list by the day of the list."""
    rules: list[ChessRules] = [edition.on(on_list) for edition in editions if on_list in edition.lists]
    values = [item.one_off_adjustment.value for item in rules if item.one_off_adjustment]
    return {value.on: value for value in values}


def player_marks(
    entries: Sequence[HistoryEntry], lifted: Mapping[date, OneOffAdjustment], words: Words
) -> list[CurveMark]:
    """Return the events on the curve, the earliest first."""
    happened: list[_Happening] = []
    rated_before = bool(entries) and entries[0].rating is not None
    for before, entry in pairwise(entries):
        happened += _between(before, entry, lifted.get(entry.publication.day), rated_before=rated_before)
        rated_before = rated_before or entry.rating is not None
    happened += [_correction(entry) for entry in entries if entry.corrected]
    rated = [entry for entry in entries if entry.rating is not None]
    if len(rated) > 1:
        peak = max(rated, key=lambda entry: entry.rating or 0)
        happened.append(_Happening(PEAK, peak, peak.rating))
    marks = [
        CurveMark(
            each.entry.publication.day,
            each.rating,
            each.kind,
            words.text(
                f"player.mark-{each.kind}", day=each.entry.publication.day, rating=each.rating, **each.facts
            ),
        )
        for each in happened
        if each.rating is not None
    ]
    return sorted(marks, key=lambda mark: mark.day)


@dataclass(frozen=True, slots=True)
class _Happening:
    kind: str
    entry: HistoryEntry
    rating: int | None
    facts: Mapping[str, Fact] = field(default_factory=dict)


def _between(
    before: HistoryEntry, entry: HistoryEntry, adjustment: OneOffAdjustment | None, *, rated_before: bool
) -> Iterator[_Happening]:
    """Yield what happened between two lists."""
    if before.rating is None or entry.rating is None:
        if entry.rating is not None:
            yield _Happening("again" if rated_before else "first", entry, entry.rating)
        elif before.rating is not None:
            capital = system_of(entry.publication.list).has_categories
            yield _Happening("cancelled" if capital else "delisted", before, before.rating)
        return
    if adjustment is not None and entry.rating > before.rating:
        yield _lift(entry, adjustment)
    if entry.inactive != before.inactive:
        yield _Happening("inactive" if entry.inactive else "active", entry, entry.rating)


def _lift(entry: HistoryEntry, adjustment: OneOffAdjustment) -> _Happening:
    if adjustment.below is None:
        return _Happening(
            "lifted-to-standard", entry, entry.rating, {"minus": adjustment.standard_minus or 0}
        )
    facts: dict[str, Fact] = {"below": adjustment.below, "percent": 100 * adjustment.share}
    return _Happening("lifted", entry, entry.rating, facts)


def _correction(entry: HistoryEntry) -> _Happening:
    if entry.rating is None:
        return _Happening("corrected-away", entry, entry.earlier)
    if entry.earlier is None:
        return _Happening("corrected-entry", entry, entry.rating)
    return _Happening("corrected", entry, entry.rating, {"before": entry.earlier})
