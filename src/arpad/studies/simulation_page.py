"""How far the ratings of simulated worlds are from the truth, as a page: one world list by list, or many seeds."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import fmean
from typing import TypeAlias

from arpad.explain.charts import IntervalDot, Series, dots, lines
from arpad.explain.words import Words
from arpad.studies.conclusions import Conclusion, measured, number, sentence
from arpad.studies.figures import Figures
from arpad.studies.report_page import listing
from arpad.studies.simulate import Tried
from arpad.studies.simulate.run import Distance
from arpad.studies.statistics import mean_interval

KEYS = ("players", "average", "strength", "bias", "error", "scatter")
SEEDS_SHOWN = 20
MOST_ROWS = 200


Results: TypeAlias = Sequence[Tried] | Sequence[Distance]
"""Many worlds, each with its last list; or every list of one."""


def conclusion(years: int, results: Results) -> Conclusion:
    """Return where the ratings end, on average over the worlds."""
    last = [result.last for result in results if isinstance(result, Tried)] or [
        result for result in results if isinstance(result, Distance)
    ][-1:]
    figures = {name: [getattr(it, name) for it in last] for name in ("bias", "error", "spread")}
    facts = {"years": years, **{name: number(fmean(values), 1) for name, values in figures.items()}}
    if len(last) == 1:
        return Conclusion("distance", facts)
    bias, error = (mean_interval(figures[name]) for name in ("bias", "error"))
    ends = {"low": bias.low, "high": bias.high, "error_low": error.low, "error_high": error.high}
    facts |= {"worlds": len(last), **{name: number(end, 1) for name, end in ends.items()}}
    return Conclusion("distance-worlds", facts)


def distances_of(results: Results, words: Words, most: int) -> Figures:
    """Return a world or a list a row."""
    first = "seed" if results and isinstance(results[0], Tried) else "day"
    return Figures((first, *KEYS), [_row(result, words) for result in results[:most]])


def _row(result: Tried | Distance, words: Words) -> tuple[str, ...]:
    name = str(result.seed) if isinstance(result, Tried) else words.day(result.day)
    figures = result.last if isinstance(result, Tried) else result
    return (
        name, str(figures.players), _n(words, figures.average), _n(words, figures.strength),
        _n(words, figures.bias, signed=True), _n(words, figures.error), _n(words, figures.spread),
    )  # fmt: skip


def body(years: int, results: Results, words: Words) -> str:
    """Return ratings and strengths over time, or the last distance of each world from the truth; and the figures."""
    worlds = [result for result in results if isinstance(result, Tried)][:SEEDS_SHOWN]
    summary = escape(sentence(conclusion(years, results), words))
    plot = (
        _worlds(worlds, words)
        if worlds
        else _lists([result for result in results if isinstance(result, Distance)], words)
    )
    table = listing(distances_of(results, words, MOST_ROWS), words)
    return f"<ul class='told'><li class='quiet'>{summary}</li></ul>\n{plot}\n{table}"


def _lists(distances: Sequence[Distance], words: Words) -> str:
    series = [
        Series(words.text("monitor.average"), [distance.average for distance in distances]),
        Series(words.text("monitor.strength"), [distance.strength for distance in distances], "soft"),
    ]
    days = [words.day(distance.day) for distance in distances]
    return lines(words.text("monitor.simulated"), days, series, lambda value: measured(words, value))


def _worlds(tried: Sequence[Tried], words: Words) -> str:
    """Return the bias of each, and how far its ratings scatter around it."""
    rows = [(str(result.seed), result.last.bias, result.last.spread) for result in tried]
    return dots(
        words.text("monitor.bias"),
        [IntervalDot(name, bias, bias - spread, bias + spread, 0.0) for name, bias, spread in rows],
        lambda value: measured(words, value, signed=True),
    )


def _n(words: Words, value: float, *, signed: bool = False) -> str:
    return measured(words, value, 1, signed=signed)
