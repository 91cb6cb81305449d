"""How far the ratings of simulated worlds are from the truth, as a page: one world list by list, or many seeds."""

from collections.abc import Sequence
from html import escape

from arpad.explain.charts import IntervalDot, Series, dots, lines
from arpad.explain.words import Words
from arpad.studies.conclusions import Conclusion, measured, number, sentence
from arpad.studies.figures import Figures
from arpad.studies.report_page import listing
from arpad.studies.simulate import Tried
from arpad.studies.simulate.run import Distance
from arpad.studies.statistics import Interval, mean_interval

KEYS = ("players", "average", "strength", "bias", "error", "scatter")
SEEDS_SHOWN = 20
MOST_ROWS = 200


def over_worlds(worlds: Sequence[Tried]) -> dict[str, Interval]:
    """Return each figure of the last lists on average, with its 95 % interval."""
    return {
        name: mean_interval([getattr(world.last, name) for world in worlds])
        for name in ("bias", "error", "spread")
    }


def conclusion(years: int, worlds: Sequence[Tried]) -> Conclusion:
    """Return where the ratings end, on average over the worlds."""
    figures = over_worlds(worlds)
    facts = {"years": years, **{name: number(it.value, 1) for name, it in figures.items()}}
    if len(worlds) == 1:
        return Conclusion("distance", facts)
    bias, error = figures["bias"], figures["error"]
    ends = {"low": bias.low, "high": bias.high, "error_low": error.low, "error_high": error.high}
    facts |= {"worlds": len(worlds), **{name: number(end, 1) for name, end in ends.items()}}
    return Conclusion("distance-worlds", facts)


def distances_of(worlds: Sequence[Tried], words: Words, most: int) -> Figures:
    """Return a world a row, or each list of the only one."""
    rows = [(str(world.seed), world.last) for world in worlds]
    if len(worlds) == 1:
        rows = [(words.day(distance.day), distance) for distance in worlds[0].distances]
    first = "day" if len(worlds) == 1 else "seed"
    return Figures((first, *KEYS), [_row(name, distance, words) for name, distance in rows[:most]])


def _row(name: str, distance: Distance, words: Words) -> tuple[str, ...]:
    return (
        name, str(distance.players), _n(words, distance.average), _n(words, distance.strength),
        _n(words, distance.bias, signed=True), _n(words, distance.error), _n(words, distance.spread),
    )  # fmt: skip


def body(years: int, worlds: Sequence[Tried], words: Words) -> str:
    """Return ratings and strengths over time, or the last distance of each world from the truth; and the figures."""
    summary = escape(sentence(conclusion(years, worlds), words))
    plot = _lists(worlds[0].distances, words) if len(worlds) == 1 else _worlds(worlds[:SEEDS_SHOWN], words)
    table = listing(distances_of(worlds, words, MOST_ROWS), words)
    return f"<ul class='told'><li class='quiet'>{summary}</li></ul>\n{plot}\n{table}"


def _lists(distances: Sequence[Distance], words: Words) -> str:
    series = [
        Series(words.text("monitor.average"), [distance.average for distance in distances]),
        Series(words.text("monitor.strength"), [distance.strength for distance in distances], "soft"),
    ]
    days = [words.day(distance.day) for distance in distances]
    return lines(words.text("monitor.simulated"), days, series, lambda value: measured(words, value))


def _worlds(worlds: Sequence[Tried], words: Words) -> str:
    """Return the bias of each, and how far its ratings scatter around it."""
    ends = [(str(world.seed), world.last.bias, world.last.spread) for world in worlds]
    return dots(
        words.text("monitor.bias"),
        [IntervalDot(name, bias, bias - spread, bias + spread, 0.0) for name, bias, spread in ends],
        lambda value: measured(words, value, signed=True),
    )


def _n(words: Words, value: float, *, signed: bool = False) -> str:
    return measured(words, value, 1, signed=signed)
