"""What is known of an event beyond its report, as JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date
from typing import Any

from arpad.model.chess import EventKind
from arpad.model.json_values import from_birth, to_birth
from arpad.model.rules import Body, ListName
from arpad.reports.event_facts import FACT_TYPES, EventFacts, KnownPlayer

_FROM_JSON: Mapping[str, Callable[[Any], Any]] = {
    "date | None": date.fromisoformat,
    "ListName | None": ListName,
    "EventKind | None": EventKind,
    "Body | None": Body,
}


def facts_document(facts: EventFacts) -> dict[str, Any]:
    """Facts for JSON; what nobody has said is left out."""
    data: dict[str, Any] = {}
    for item in fields(facts):
        value = getattr(facts, item.name)
        if item.name == "players":
            value = {key: _player_document(player) for key, player in sorted(value.items())}
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, date):
            value = value.isoformat()
        if value is not None and value not in ([], {}):
            data[item.name] = value
    return data


def facts_from(data: Mapping[str, Any]) -> EventFacts:
    """Facts from JSON; what is null is unknown."""
    values: dict[str, Any] = {}
    for name, value in data.items():
        if value is None:
            continue
        if name == "players":
            values[name] = {key: _player_from(player) for key, player in value.items()}
        else:
            values[name] = _value(FACT_TYPES.get(name, ""), value)
    return EventFacts(**values)


def _value(hint: str, value: Any) -> Any:
    if hint in _FROM_JSON:
        return _FROM_JSON[hint](value)
    return tuple(value) if isinstance(value, list) else value


def with_stated(known: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts for JSON with others put over them, field by field and player by player; a null takes one back."""
    joined = {**known, **stated}
    if "players" in known and "players" in stated:
        players = known["players"]
        joined["players"] = players | {
            key: players.get(key, {}) | player for key, player in stated["players"].items()
        }
    return joined


def _player_document(player: KnownPlayer) -> dict[str, Any]:
    data = {name: player_value(name, value) for name, value in player._asdict().items()}
    return {name: value for name, value in data.items() if value not in (None, "", False)}


def player_value(name: str, value: Any) -> Any:
    """Return one fact about a player for JSON."""
    if name == "born":
        return from_birth(value)
    return value.isoformat() if isinstance(value, date) else value


def _player_from(data: Mapping[str, Any]) -> KnownPlayer:
    died = date.fromisoformat(data["died"]) if data.get("died") else None
    return KnownPlayer(**{**data, "born": to_birth(data.get("born", "")), "died": died})
