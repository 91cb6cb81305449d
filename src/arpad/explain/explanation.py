"""The explanation of a rating as a JSON document; keys in alphabetical order, decisions last."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from arpad.explain.documents import step_documents
from arpad.explain.event_documents import outcome_document
from arpad.explain.words import Words
from arpad.lists.explanation import (
    AnyExplainedEvent,
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
    document = {
        **_fields(change, ("before", "after", "edition", "games", "steps"), words),
        "entry": None if change.entry is None else _entry(change.entry, change.tranches, words),
        "events": [_event(event, words) for event in change.events],
        "pooled": [_event(event, words) for event in change.pooled],
    }
    return _sorted(document if change.category is None else document | {"category": change.category})


def _entry(entry: Entry, tranches: Sequence[tuple[Performance, bool]], words: Words) -> dict[str, Any]:
    events = [
        _sorted(_fields(tranche, _OF_TRANCHE, words) | {"name": tranche.event, "counts": counts})
        for tranche, counts in tranches
    ]
    score = str(Fraction(entry.score, 2))
    return _sorted(_fields(entry, _OF_ENTRY, words) | {"events": events, "score": score})


def _event(event: AnyExplainedEvent, words: Words) -> dict[str, Any]:
    document = _fields(event, (*_OF_EVENT, *_OF_KIND[type(event)]), words) | {"event": event.id}
    document["games"] = [_game(game, event, words) for game in event.games]
    if isinstance(event, ExplainedChessEvent):
        contribution, tranche = event.contribution, event.tranche
        document |= {
            "k": contribution.k if contribution else None,
            "k_applied": contribution.k_applied if contribution else None,
            "place": event.index,
            "tranche": tranche and _fields(tranche, ("average", "games", "score", "steps"), words),
        }
    elif isinstance(event, ExplainedSystemEvent):
        document |= {"before": event.own, "after": event.final, **outcome_document(event.outcome, words)}
    decided = ("kind", "value", "day", "author", "reason")
    decisions = [{"decision": item.id, **_fields(item, decided, words)} for item in event.decisions]
    return _sorted(document) | {"decisions": decisions}


def _game(game: ExplainedGame, event: ExplainedEvent, words: Words) -> dict[str, Any]:
    chess = _OF_CHESS_GAME if isinstance(event, ExplainedChessEvent) else ()
    return _sorted(_fields(game, (*_OF_GAME, *chess), words))


_OF_TRANCHE = ("average", "games", "last_day", "score")
_OF_ENTRY = ("computed", "games", "rating", "reason")
_OF_EVENT = ("first_day", "last_day", "name", "steps")
_OF_KIND = {
    ExplainedChessEvent: ("edition", "points"),
    ExplainedDraughtsEvent: ("capital", "category", "final"),
    ExplainedSystemEvent: ("edition", "printed"),
}
_OF_GAME = ("counts", "expected", "name", "opponent", "rating", "reason", "round", "score", "steps")
_OF_CHESS_GAME = ("article", "capped", "change", "difference")


def _fields(value: object, names: Iterable[str], words: Words) -> dict[str, Any]:
    """Return some attributes for JSON; the score of a performance is in half-points."""
    document = {name: getattr(value, name) for name in names}
    if isinstance(value, Performance):
        document["score"] = Fraction(value.score, 2)
    for name, item in document.items():
        if isinstance(item, Fraction):
            document[name] = decimal_text(item)
        elif name == "steps":
            document[name] = step_documents(item, words)
        elif name.endswith("day"):
            document[name] = str(item or "")
    return document


def _sorted(document: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(document.items()))
