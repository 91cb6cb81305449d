"""Values of the core as canonical JSON, and back: integers as they are, fractions as text, keys in order."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

from arpad.model.canonical_json import dump, load
from arpad.model.chess import EventKind, Performance, PlayerState
from arpad.model.draughts import Category, Title
from arpad.model.draughts import DraughtsState as Capital
from arpad.model.people import Birth
from arpad.model.rules import Fact, Finding, Severity, Step

# ------------------------------------------------------------------------------------- facts, steps, findings


def from_fact(value: Fact) -> Any:
    """Return a fact for JSON; dates and fractions are marked."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, date):
        return {"day": value.isoformat()}
    if isinstance(value, tuple):
        return [from_fact(item) for item in value]
    return {"exact": str(value)} if isinstance(value, Fraction) else str(value)


def to_fact(value: Any) -> Any:
    """Return a fact from JSON."""
    if isinstance(value, Mapping):
        return date.fromisoformat(value["day"]) if "day" in value else Fraction(value["exact"])
    return tuple(to_fact(item) for item in value) if isinstance(value, list) else value


def from_step(step: Step) -> list[Any]:
    """Return a step for JSON."""
    facts = {name: from_fact(fact) for name, fact in step.facts.items()}
    return [step.article, step.quantity, from_fact(step.value), facts]


def to_step(data: list[Any]) -> Step:
    """Return a step from JSON."""
    article, quantity, value, facts = data
    return Step(article, quantity, to_fact(value), {name: to_fact(fact) for name, fact in facts.items()})


def from_finding(finding: Finding) -> dict[str, Any]:
    """Return a finding for JSON; what it does not say is left out."""
    document = {name: value for name in _PLAIN if (value := getattr(finding, name)) not in (None, "")}
    facts = {name: from_fact(fact) for name, fact in finding.facts.items()}
    return {**document, "facts": facts} if facts else document


_PLAIN = tuple(item.name for item in fields(Finding) if item.name != "facts")


def finding_text(finding: Finding) -> str:
    """Return a finding as canonical JSON."""
    return dump(from_finding(finding))


def to_finding(data: Mapping[str, Any]) -> Finding:
    """Return a finding from JSON."""
    facts = {name: to_fact(fact) for name, fact in data.get("facts", {}).items()}
    return Finding(**{**data, "severity": Severity(data["severity"]), "facts": facts})


# -------------------------------------------------------------------------------------------------- standings


def from_birth(born: Birth) -> str:
    """Return a birth as text: a day, a year, or empty."""
    return "" if born is None else str(born)


@lru_cache(maxsize=50_000)  # few days for many players, and the same on the next list
def to_birth(text: str) -> Birth:
    """Return a birth from text."""
    return None if not text else int(text) if text.isdecimal() else date.fromisoformat(text)


def from_state(standing: PlayerState) -> str:
    """Return a player's state on a chess list; what is as usual is left out."""
    data = {
        "delisted": standing.delisted or None, "entered": _day(standing.entered), "entry": standing.entry,
        "games": standing.games or None, "inactive": standing.inactive or None, "k": standing.k,
        "last_list": _day(standing.last_list), "peak": standing.peak or None, "rating": standing.rating,
        "tranches": [_tranche_document(tranche) for tranche in standing.tranches] or None,
    }  # fmt: skip
    return dump({name: value for name, value in data.items() if value is not None})


def pool_text(tranches: Iterable[Performance]) -> str:
    """Return the pending events of a player as canonical JSON."""
    return dump([_tranche_document(tranche) for tranche in tranches])


@lru_cache(maxsize=20_000)  # most pools are the same on the next list, which verifying reads next
def to_pool(text: str) -> tuple[Performance, ...]:
    """Return the pending events of a player from text."""
    return tuple(_to_tranche(tranche) for tranche in load(text))


def _tranche_document(it: Performance) -> dict[str, Any]:
    """Return a pending event for JSON."""
    return (
        {
            "edition": it.edition, "event": it.event, "games": it.games, "kind": str(it.kind),
            "last_day": str(it.last_day) if it.last_day else None, "opponents": it.opponents,
            "opponents_total": str(it.opponents_total), "rated_games": it.rated_games, "rated_score": it.rated_score,
            "score": it.score, "steps": [from_step(step) for step in it.steps],
            "team_championship": it.team_championship,
        }
    )  # fmt: skip


def to_state(player: int, text: str) -> PlayerState:
    """Return a player's state from text."""
    data = load(text)
    for name in ("entered", "last_list"):
        if name in data:
            data[name] = date.fromisoformat(data[name])
    data["tranches"] = tuple(_to_tranche(tranche) for tranche in data.get("tranches", []))
    return PlayerState(player, **data)


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _to_tranche(data: dict[str, Any]) -> Performance:
    last = data["last_day"]
    changed = {
        "kind": EventKind(data["kind"]),
        "opponents_total": Fraction(data["opponents_total"]),
        "last_day": date.fromisoformat(last) if last else None,
        "steps": tuple(to_step(step) for step in data["steps"]),
    }
    return Performance(**(data | changed))


def from_capital(standing: Capital) -> str:
    """Return a player's state on a draughts list."""
    data = {item.name: getattr(standing, item.name) for item in fields(standing)}
    data["last_event"] = _day(standing.last_event)
    return dump({name: value for name, value in data.items() if value not in (None, "", 0, False)} | {
        "history_known": standing.history_known, "capital": standing.capital,
    })  # fmt: skip


def to_capital(text: str) -> Capital:
    """Return a player's state from text."""
    data = load(text)
    if "last_event" in data:
        data["last_event"] = date.fromisoformat(data["last_event"])
    if "title" in data:
        data["title"] = Title(data["title"])
    return Capital(**(data | {"category": Category(data["category"])}))
