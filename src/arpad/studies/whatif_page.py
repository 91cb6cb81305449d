"""The page of a what-if: the sentences, the two outcomes side by side, the largest moves."""

from collections.abc import Mapping, Sequence
from html import escape

from arpad.explain.charts import Bar, IntervalDot, bars, dots
from arpad.explain.words import Words
from arpad.studies.conclusions import interval, measured, number, person_text
from arpad.studies.figures import Figures
from arpad.studies.history import HistoryPlayer
from arpad.studies.report_page import listing
from arpad.studies.whatif import Comparison, Outcome, OverWorlds

FIGURE_WORDS = {
    "rated": ("rated", 0),
    "average": ("average", 1),
    "deviation": ("deviation", 1),
    "newcomers": ("newcomers", 0),
    "newcomer_average": ("newcomer-average", 1),
    "left": ("left", 0),
    "drift": ("cohort-a-year", 1),
    "log_loss": ("log-loss", 4),
    "brier": ("brier", 4),
}
"""Figure of an outcome → its word, and its decimals."""

WORLD_SENTENCES = {"average": "moved-worlds", "drift": "drift-worlds", "log_loss": "loss-worlds"}


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
        listing(side_figures(comparison, words), words),
        f"<h2>{escape(words.text('monitor.movers'))}</h2>",
        bars(words.text("monitor.movers"), moves) if moves else "",
        listing(mover_figures(comparison, people), words),
    ]
    return "\n".join(parts)


def comparison_sentences(comparison: Comparison, words: Words) -> tuple[str, str]:
    """Return two sentences: who moves and by how much, who gets a rating and who loses it."""
    facts = {"mean": number(comparison.mean_move, 1), "distance": number(comparison.mean_distance, 1)}
    return (
        words.text("monitor.moved", moved=comparison.moved, both=comparison.both, **facts),
        words.text("monitor.gained", count=len(comparison.gained), lost=len(comparison.lost)),
    )


def mover_figures(comparison: Comparison, people: Mapping[int, HistoryPlayer]) -> Figures:
    """Return the largest moves: the rating as it was and as it would be."""
    rows = [
        (person_text(mover.player, people), _whole(mover.was), _whole(mover.would))
        for mover in comparison.movers
    ]
    return Figures(("player", "was", "would"), rows)


def _whole(value: int | None) -> str:
    return "–" if value is None else str(value)


def side_figures(comparison: Comparison, words: Words) -> Figures:
    """Return the two outcomes, a figure a row."""
    sides: Sequence[Outcome] = (comparison.was, comparison.would)

    def row(title: str, figures: Sequence[float | None], places: int = 0) -> tuple[str, str, str]:
        was, would = ("–" if figure is None else measured(words, figure, places) for figure in figures)
        return title, was, would

    rows = [
        row(words.text(f"monitor.{word}"), [getattr(side, figure) for side in sides], places)
        for figure, (word, places) in FIGURE_WORDS.items()
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
    return Figures(("figure", "was", "would"), rows)


def worlds_body(rows: Sequence[OverWorlds], worlds: int, words: Words) -> str:
    """Return everything below the title of a rule that was tried on several worlds."""
    sentences = "".join(f"<li class='quiet'>{escape(it)}</li>" for it in world_sentences(rows, worlds, words))
    table = world_figures(rows, words)
    intervals = [
        IntervalDot(title, row.change.value, row.change.low, row.change.high, 0.0)
        for row, (title, *_) in zip(rows, table.rows, strict=True)
        if row.figure in {"average", "drift"}
    ]
    plot = dots(
        words.text("monitor.difference"), intervals, lambda value: measured(words, value, 1, signed=True)
    )
    return f"<ul class='told'>{sentences}</ul>\n{plot}\n{listing(table, words)}"


def world_sentences(rows: Sequence[OverWorlds], worlds: int, words: Words) -> list[str]:
    """Return what the worlds say about the average, the drift and the forecasts."""
    return [
        words.text(
            f"conclusion.{WORLD_SENTENCES[row.figure]}",
            worlds=worlds,
            **{
                end: number(getattr(row.change, end), FIGURE_WORDS[row.figure][1])
                for end in ("value", "low", "high")
            },
        )
        for row in rows
        if row.figure in WORLD_SENTENCES
    ]


def world_figures(rows: Sequence[OverWorlds], words: Words) -> Figures:
    """Return each figure over several worlds: on both sides, and its change with the interval."""
    table = []
    for row in rows:
        word, places = FIGURE_WORDS[row.figure]
        sides = (measured(words, side, places or 1) for side in (row.was, row.would))
        change = measured(words, row.change.value, places or 1, signed=True)
        title = words.text(f"monitor.{word}")
        table.append((title, *sides, change, interval(words, row.change, places or 1)))
    return Figures(("figure", "was", "would", "difference", "interval"), table)
