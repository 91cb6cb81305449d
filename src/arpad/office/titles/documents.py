"""Norms on record and checks of applications as documents, for the command line and the API."""

from __future__ import annotations

from typing import Any

from arpad.office.titles.acts import TitleCheck
from arpad.office.titles.rows import RecordedNorm


def recorded_norm_document(norm: RecordedNorm) -> dict[str, Any]:
    """Return a norm on record."""
    return {
        "norm": norm.id,
        "title": str(norm.title),
        "event": norm.event,
        "place": norm.place,
        "first_day": str(norm.first_day),
        "last_day": str(norm.last_day),
        "edition": norm.edition,
        "games": norm.games,
        "normal": norm.normal,
        "special": norm.special,
        "by_bye": norm.by_bye,
        "report": norm.report,
    }


def title_check_document(check: TitleCheck) -> dict[str, Any]:
    """Return whether an application would succeed, article by article."""
    return {
        "title": str(check.title),
        "edition": check.edition,
        "complete": check.complete,
        "peak": check.peak,
        "norms": [norm.id for norm in check.norms],
        "requirements": [
            {
                "requirement": item.name,
                "article": item.article,
                "required": item.required,
                "actual": item.actual,
                "met": item.holds,
                "confidence": str(item.confidence),
            }
            for item in check.requirements
        ],
    }
