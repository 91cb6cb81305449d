"""The explanation of a rating as a JSON document; keys in alphabetical order, decisions last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.explain.documents import step_documents
from arpad.explain.event_documents import outcome_document
from arpad.explain.words import Words
from arpad.lists.explanation import (
    AnyExplainedEvent,
    EventDecision,
    ExplainedChange,
    ExplainedChessEvent,
    ExplainedDraughtsEvent,
    ExplainedEvent,
    ExplainedGame,
    ExplainedSystemEvent,
)
from arpad.model.chess import Entry, Performance
from arpad.model.exact import decimal_text


def explained_change_document(change: ExplainedChange, words: Words) -> dict[str, Any]:
    """Return how a rating changed with one list, its steps in words."""
    category = {} if change.category is None else {"category": change.category}
    return {
        "after": change.after,
        "before": change.before,
        **category,
        "edition": change.edition,
        "entry": None if change.entry is None else _entry(change.entry, change.tranches),
        "events": [_event(event, words) for event in change.events],
        "games": change.games,
        "pooled": [_event(event, words) for event in change.pooled],
        "steps": step_documents(change.steps, words),
    }


def _entry(entry: Entry, tranches: Sequence[tuple[Performance, bool]]) -> dict[str, Any]:
    return {
        "computed": entry.computed,
        "events": [
            {
                "average": _decimal(tranche.average),
                "counts": counts,
                "games": tranche.games,
                "last_day": _day(tranche.last_day),
                "name": tranche.event,
                "score": _decimal(Fraction(tranche.score, 2)),
            }
            for tranche, counts in tranches
        ],
        "games": entry.games,
        "rating": entry.rating,
        "reason": entry.reason,
        "score": str(Fraction(entry.score, 2)),
    }


def _event(event: AnyExplainedEvent, words: Words) -> dict[str, Any]:
    if isinstance(event, ExplainedChessEvent):
        document = _chess_event(event, words)
    elif isinstance(event, ExplainedSystemEvent):
        document = _system_event(event, words)
    else:
        document = _draughts_event(event)
    common = {
        "event": event.id,
        "first_day": _day(event.first_day),
        "games": [_game(game, event, words) for game in event.games],
        "last_day": _day(event.last_day),
        "name": event.name,
        "steps": step_documents(event.steps, words),
    }
    return _sorted(document | common) | {"decisions": [_decision(item) for item in event.decisions]}


def _chess_event(event: ExplainedChessEvent, words: Words) -> dict[str, Any]:
    contribution = event.contribution
    return {
        "edition": event.edition,
        "k": contribution.k if contribution else None,
        "k_applied": contribution.k_applied if contribution else None,
        "place": event.index,
        "points": _decimal(event.points),
        "tranche": None if event.tranche is None else _tranche(event.tranche, words),
    }


def _draughts_event(event: ExplainedDraughtsEvent) -> dict[str, Any]:
    return {"capital": event.capital, "category": event.category, "final": event.final}


def _system_event(event: ExplainedSystemEvent, words: Words) -> dict[str, Any]:
    return {
        "before": event.own, "after": event.final, "printed": event.printed, "edition": event.edition,
        **outcome_document(event.outcome, words),
    }  # fmt: skip


def _tranche(tranche: Performance, words: Words) -> dict[str, Any]:
    return {
        "average": _decimal(tranche.average),
        "games": tranche.games,
        "score": _decimal(Fraction(tranche.score, 2)),
        "steps": step_documents(tranche.steps, words),
    }


def _game(game: ExplainedGame, event: ExplainedEvent, words: Words) -> dict[str, Any]:
    chess = {
        "article": game.article,
        "capped": game.capped,
        "change": _decimal(game.change),
        "difference": game.difference,
    }
    common = {
        "counts": game.counts,
        "expected": _decimal(game.expected),
        "name": game.name,
        "opponent": game.opponent,
        "rating": game.rating,
        "reason": game.reason,
        "round": game.round,
        "score": _decimal(game.score),
        "steps": step_documents(game.steps, words),
    }
    return _sorted(common | chess if isinstance(event, ExplainedChessEvent) else common)


def _decision(decision: EventDecision) -> dict[str, Any]:
    return {
        "decision": decision.id,
        "kind": decision.kind,
        "value": decision.value,
        "day": str(decision.day),
        "author": decision.author,
        "reason": decision.reason,
    }


def _day(day: date | None) -> str:
    return str(day or "")


def _decimal(value: Fraction | None) -> str | None:
    return None if value is None else decimal_text(value)


def _sorted(document: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(document.items()))
