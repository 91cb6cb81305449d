"""What is known of an event beyond its report, as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from typing import Any

from arpad.facts import EventFacts, KnownPlayer
from arpad.model import ListName
from arpad.store.values import from_birth, to_birth

_DAYS = ("registered", "received")


def facts_document(facts: EventFacts) -> dict[str, Any]:
    """Facts for JSON; what nobody has said is left out."""
    data: dict[str, Any] = {}
    for item in fields(facts):
        value = getattr(facts, item.name)
        if item.name == "players":
            value = {key: _player_document(player) for key, player in sorted(value.items())}
        elif item.name == "suspended_federations":
            value = list(value)
        elif isinstance(value, date):
            value = value.isoformat()
        if value is not None and value not in ([], {}):
            data[item.name] = value
    return data


def facts_from(data: Mapping[str, Any]) -> EventFacts:
    """Facts from JSON."""
    values = dict(data)
    for name in _DAYS:
        if name in values:
            values[name] = date.fromisoformat(values[name])
    if "list" in values:
        values["list"] = ListName(values["list"])
    values["suspended_federations"] = tuple(values.get("suspended_federations", ()))
    values["players"] = {key: _player_from(player) for key, player in values.get("players", {}).items()}
    return EventFacts(**values)


def _player_document(player: KnownPlayer) -> dict[str, Any]:
    data = player._asdict() | {"born": from_birth(player.born), "died": str(player.died or "")}
    return {name: value for name, value in data.items() if value not in (None, "", False)}


def _player_from(data: Mapping[str, Any]) -> KnownPlayer:
    died = date.fromisoformat(data["died"]) if data.get("died") else None
    return KnownPlayer(**{**data, "born": to_birth(data.get("born", "")), "died": died})
