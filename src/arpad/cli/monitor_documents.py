"""What ``arpad monitor``, ``whatif`` and ``simulate`` print: JSON documents, exact or measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from arpad.explain.words import Words
from arpad.model.exact import decimal_text

if TYPE_CHECKING:
    from arpad.monitor.conclusions import Conclusion
    from arpad.monitor.points import PeriodPoints

DECIMALS = 6


def document(value: Any) -> Any:
    """Values as JSON: exact numbers as decimal strings, measured ones as numbers, days as ISO dates."""
    if isinstance(value, float):
        return round(value, DECIMALS) if isfinite(value) else None
    if isinstance(value, Fraction):
        return decimal_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: document(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): document(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [document(item) for item in value]
    return value


def points_document(one: PeriodPoints) -> dict[str, Any]:
    """One period's account; ``unexplained`` is the integer 0, as it must be."""
    unexplained = one.unexplained
    return {
        "day": one.day.isoformat(),
        "edition": one.edition,
        "players_before": one.players_before,
        "players_after": one.players_after,
        "before": one.before,
        "after": one.after,
        "change": one.change,
        "causes": {cause: decimal_text(points) for cause, points in one.causes.items()},
        "counts": dict(one.counts),
        "outside": one.outside,
        "unexplained": int(unexplained) if unexplained.denominator == 1 else decimal_text(unexplained),
    }


def conclusion_documents(conclusions: Iterable[Conclusion], words: Words) -> list[dict[str, Any]]:
    """Conclusions for JSON."""
    from arpad.monitor.sentences import sentence

    return [{"key": one.key, "alarm": one.alarm, "text": sentence(one, words)} for one in conclusions]
