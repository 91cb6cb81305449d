"""Acts of the ledger in words: what was done, and what it was about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from arpad.explain.words import Words
from arpad.model.clubs import UnitKind

_NUMBERED = ("report", "player", "decision", "appeal", "arbiter", "club", "norm")
"""Facts that name a row of the office by its number or code."""

_NAMED = ("name", "file", "login", "edition")
"""Facts that are a name themselves, if no number says more."""


def act_name(verb: str, facts: Mapping[str, Any], words: Words) -> str:
    """Return what was done, as “list published”; clubs and regions are entered by the same verb."""
    is_region = verb == "enter-club" and facts.get("kind") == UnitKind.REGION
    key = "site.verb-enter-region" if is_region else f"site.verb-{verb}"
    return words.text(key) if words.has(key) else verb


def act_subject(facts: Mapping[str, Any], words: Words) -> str:
    """Return what an act was about: the list, the report, the player; nothing if its facts do not say."""
    parts = []
    if "list" in facts and "day" in facts:
        day = date.fromisoformat(facts["day"])
        parts.append(words.text("act.list", list=words.text(f"site.list-{facts['list']}"), day=day))
    parts += [words.text(f"act.{name}", number=str(facts[name])) for name in _NUMBERED if facts.get(name)]
    parts += [str(facts[name]) for name in _NAMED if facts.get(name)]
    return ", ".join(parts)
