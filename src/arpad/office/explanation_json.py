"""How a change came about, as plain data: each event, each game, each step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from arpad.lists.period import ClosedPeriod, Contribution, Event
from arpad.model.chess import GameChange
from arpad.model.json_values import dump, from_step
from arpad.rating.event import Counted, Tally


def chess_story(player: int, period: ClosedPeriod, events: Sequence[Event]) -> str:
    """One player's period as canonical JSON."""
    happened = period.players[player]
    told = []
    contributions = {part.event: part for part in happened.contributions}
    for event in events:
        if player in event.players:
            place = event.players.index(player)
            tally = period.tallies[event.id].players[place]
            told.append(_event(event, place, tally, contributions.get(event.id)))
    entry = happened.entry
    return dump(
        {
            "before": happened.before.rating,
            "after": happened.after.rating,
            "games": happened.games,
            "edition": period.edition,
            "entry": None
            if entry is None
            else {
                "rating": entry.rating, "computed": entry.computed, "reason": entry.reason,
                "games": entry.games, "score": str(Fraction(entry.score, 2)),
            },
            "events": told,
            "steps": [from_step(step) for step in happened.steps],
        }
    )  # fmt: skip


def _event(event: Event, place: int, tally: Tally, part: Contribution | None) -> dict[str, Any]:
    header = event.report.header
    worth = iter(part.games if part else ())
    games = [_game(event, played, worth_of(played, worth)) for played in tally.rounds]
    tranche = tally.tranche
    return {
        "event": event.id,
        "name": header.name,
        "first_day": str(header.first_day or ""),
        "last_day": str(header.last_day or ""),
        "edition": event.edition.id,
        "place": place,
        "k": part.k if part else None,
        "k_applied": part.k_applied if part else None,
        "points": str(part.points) if part else None,
        "steps": [from_step(step) for step in (*(part.steps if part else ()), *tally.removed)],
        "tranche": None
        if part or tranche is None
        else {
            "games": tranche.games, "score": str(Fraction(tranche.score, 2)),
            "average": str(tranche.average), "steps": [from_step(step) for step in tranche.steps],
        },
        "games": games,
    }  # fmt: skip


def worth_of(played: Counted, worth: Any) -> GameChange | None:
    """The change of a game that counts; the changes come in the order of such games."""
    if played.reason or played.opponent_rating is None:
        return None
    found: GameChange | None = next(worth, None)
    return found


def _game(event: Event, played: Counted, change: GameChange | None) -> dict[str, Any]:
    cell = played.cell
    opponent = cell.opponent
    counted = change.rated if change else not played.reason
    return {
        "round": cell.round,
        "opponent": event.players[opponent] if opponent is not None else None,
        "name": event.report.entrants[opponent].name if opponent is not None else "",
        "rating": played.opponent_rating,
        "score": str(Fraction(cell.score, 2)),
        "counts": counted,
        "reason": played.reason or ("" if counted else "too-far"),
        "article": played.article,
        "difference": change.difference if change else None,
        "capped": change.capped if change else None,
        "expected": str(Fraction(change.expected, 100)) if change else None,
        "change": str(Fraction(change.change, 100)) if change else None,
        "steps": [from_step(step) for step in change.steps] if change else [],
    }
