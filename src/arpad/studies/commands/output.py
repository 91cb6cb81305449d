"""How ``monitor``, ``whatif`` and ``simulate`` print their figures: as tables, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from arpad.cli.common import console, print_json, table
from arpad.cli.grids import Grid
from arpad.explain.words import Words
from arpad.model.declared import document as plain
from arpad.model.exact import decimal_text

if TYPE_CHECKING:
    from arpad.studies.conclusions import Conclusion
    from arpad.studies.figures import Figures
    from arpad.studies.points import PeriodPoints

DECIMALS = 6


def document(value: Any) -> Any:
    """Return values for JSON: exact numbers as decimal strings, measured ones as numbers, days as ISO dates."""
    return plain(value, {float: lambda number: round(number, DECIMALS) if isfinite(number) else None})


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


def answer(
    question: str,
    on_list: str,
    body: dict[str, Any],
    tables: Sequence[Figures],
    conclusions: Sequence[Conclusion],
    words: Words,
    *,
    json: bool,
) -> None:
    """Answer a question of the monitor about a list."""
    if json:
        print_found(f"arpad.monitor-{question}/1", {"list": on_list, **body}, conclusions, words)
    else:
        tell(title(question, on_list, words), tables, conclusions, words)


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
