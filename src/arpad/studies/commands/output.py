"""How ``monitor``, ``whatif`` and ``simulate`` print their figures: as tables, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from arpad.cli.common import console, print_json, table
from arpad.cli.grids import Grid
from arpad.explain.words import Words
from arpad.model.exact import decimal_text

if TYPE_CHECKING:
    from arpad.studies.conclusions import Conclusion
    from arpad.studies.figures import Figures
    from arpad.studies.points import PeriodPoints

DECIMALS = 6


def document(value: Any) -> Any:
    """Return values for JSON: exact numbers as decimal strings, measured ones as numbers, days as ISO dates."""
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


def points_document(period: PeriodPoints) -> dict[str, Any]:
    """Return the account of one period; ``unexplained`` must be the integer 0."""
    unexplained = period.unexplained
    return {
        "day": period.day.isoformat(),
        "edition": period.edition,
        "players_before": period.players_before,
        "players_after": period.players_after,
        "before": period.before,
        "after": period.after,
        "change": period.change,
        "causes": {cause: decimal_text(points) for cause, points in period.causes.items()},
        "counts": dict(period.counts),
        "outside": period.outside,
        "unexplained": int(unexplained) if unexplained.denominator == 1 else decimal_text(unexplained),
    }


def conclusion_documents(conclusions: Iterable[Conclusion], words: Words) -> list[dict[str, Any]]:
    """Return conclusions for JSON."""
    from arpad.studies.conclusions import sentence

    return [
        {"key": conclusion.key, "alarm": conclusion.alarm, "text": sentence(conclusion, words)}
        for conclusion in conclusions
    ]


def print_found(schema: str, body: dict[str, Any], conclusions: Sequence[Conclusion], words: Words) -> None:
    """Print the figures and the conclusions as one JSON document."""
    print_json(schema, {**document(body), "conclusions": conclusion_documents(conclusions, words)})


def title(question: str, on_list: str, words: Words) -> str:
    """Return the title: the question and the list."""
    return words.text(f"monitor.title-{question}", list=words.text(f"site.list-{on_list}"))


def tell(title: str, tables: Sequence[Figures], conclusions: Sequence[Conclusion], words: Words) -> None:
    """Print the conclusions, then the figures."""
    from arpad.studies.conclusions import conclusion_sentences

    out = console()
    out.print(title)
    for sentence in conclusion_sentences(conclusions, words):
        out.print(f"  {sentence}")
    for figures in tables:
        if figures.rows:
            out.print(grid(figures, words))


def grid(figures: Figures, words: Words) -> Grid:
    """Return a table of figures as a terminal shows it."""
    from arpad.studies.figures import LEFT

    columns = [(words.text(f"monitor.{key}"), "left" if key in LEFT else "right") for key in figures.keys]
    return table(columns, figures.rows, title=figures.title)
