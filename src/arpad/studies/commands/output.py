"""How ``monitor``, ``whatif`` and ``simulate`` print their figures: as tables, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from arpad.cli.common import console, print_json, table
from arpad.cli.grids import Grid
from arpad.explain.words import Words
from arpad.model.declared import document as plain

if TYPE_CHECKING:
    from arpad.studies.answers import MonitorAnswer
    from arpad.studies.conclusions import Conclusion
    from arpad.studies.figures import Figures

DECIMALS = 6


def document(value: Any) -> Any:
    """Return values for JSON: exact numbers as decimal strings, measured ones as numbers, days as ISO dates."""
    return plain(value, {float: lambda number: round(number, DECIMALS) if isfinite(number) else None})


def print_answer(
    question: str, answer: MonitorAnswer, words: Words, *, json: bool, on_list: str = ""
) -> None:
    """Print an answer of the monitor: as JSON, or its conclusions and tables below the question."""
    if not json:
        list_name = words.text(f"site.list-{on_list}") if on_list else ""
        title = words.text(f"monitor.title-{question}", list=list_name)
        tell(title, answer.tables, answer.conclusions, words)
        return
    from arpad.studies.conclusions import sentence

    about = {"list": on_list} if on_list else {}
    told = [{"key": it.key, "alarm": it.alarm, "text": sentence(it, words)} for it in answer.conclusions]
    more = {} if question == "points" else {"conclusions": told}
    print_json(f"arpad.monitor-{question}/1", {**about, **document(answer.body), **more})


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
