"""The page of a what-if: the sentences, the two outcomes side by side, the largest moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from arpad.explain.charts import Bar, bars
from arpad.explain.words import Words
from arpad.monitor.conclusions import number
from arpad.monitor.history import HistoryPlayer
from arpad.monitor.report_page import listing
from arpad.monitor.sentences import measured, person_text
from arpad.monitor.whatif import Comparison, Outcome


def body(comparison: Comparison, people: Mapping[int, HistoryPlayer], words: Words) -> str:
    """Return everything below the title."""
    sentences = "".join(
        f"<li class='quiet'>{escape(sentence)}</li>" for sentence in comparison_sentences(comparison, words)
    )
    moves = [
        Bar(person_text(move.player, people), float(move.would - move.was), f"{move.would - move.was:+}")
        for move in comparison.movers
        if move.was is not None and move.would is not None and move.was != move.would
    ]
    parts = [
        f"<ul class='told'>{sentences}</ul>",
        listing(("figure", "was", "would"), side_rows(comparison, words), words),
        f"<h2>{escape(words.text('monitor.movers'))}</h2>",
        bars(words.text("monitor.movers"), moves) if moves else "",
        listing(("player", "was", "would"), mover_rows(comparison, people), words),
    ]
    return "\n".join(parts)


def comparison_sentences(comparison: Comparison, words: Words) -> tuple[str, str]:
    """Return two sentences: who moves and by how much, who gets a rating and who loses it."""
    facts = {"mean": number(comparison.mean_move, 1), "distance": number(comparison.mean_distance, 1)}
    return (
        words.text("monitor.moved", moved=comparison.moved, both=comparison.both, **facts),
        words.text("monitor.gained", count=len(comparison.gained), lost=len(comparison.lost)),
    )


def mover_rows(comparison: Comparison, people: Mapping[int, HistoryPlayer]) -> list[tuple[str, str, str]]:
    """Return the largest moves: the rating as it was and as it would be."""
    return [
        (person_text(mover.player, people), _whole(mover.was), _whole(mover.would))
        for mover in comparison.movers
    ]


def _whole(value: int | None) -> str:
    return "–" if value is None else str(value)


def side_rows(comparison: Comparison, words: Words) -> list[tuple[str, str, str]]:
    """Return the two outcomes, a figure a row."""
    sides: Sequence[Outcome] = (comparison.was, comparison.would)

    def row(title: str, figures: Sequence[float | None], places: int = 0) -> tuple[str, str, str]:
        was, would = ("–" if figure is None else measured(words, figure, places) for figure in figures)
        return title, was, would

    rows = [
        row(words.text("monitor.rated"), [side.rated for side in sides]),
        row(words.text("monitor.average"), [side.average for side in sides], 1),
        row(words.text("monitor.deviation"), [side.deviation for side in sides], 1),
        row(words.text("monitor.newcomers"), [side.newcomers for side in sides]),
        row(words.text("monitor.newcomer-average"), [side.newcomer_average for side in sides], 1),
        row(words.text("monitor.left"), [side.left for side in sides]),
        row(words.text("monitor.cohort-a-year"), [side.drift for side in sides], 1),
        row(words.text("monitor.log-loss"), [side.log_loss for side in sides], 4),
        row(words.text("monitor.brier"), [side.brier for side in sides], 4),
    ]
    rows += [
        row(words.text("monitor.above", bound=bound), [side.above[bound] for side in sides])
        for bound in comparison.was.above
    ]
    rows += [
        row(words.text(f"cause.{cause}"), [float(side.points[cause]) for side in sides], 1)
        for cause in comparison.was.points
        if any(side.points[cause] for side in sides)
    ]
    return rows
