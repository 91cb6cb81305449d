"""How far the ratings of simulated worlds are from the truth, as a page: one world list by list, or many seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from statistics import fmean
from typing import TypeAlias

from arpad.explain.charts import IntervalDot, Series, dots, lines
from arpad.explain.words import Words
from arpad.monitor.conclusions import Conclusion, number
from arpad.monitor.report_page import listing
from arpad.monitor.sentences import measured, sentence
from arpad.monitor.simulate import Tried
from arpad.monitor.simulate.run import Distance

KEYS = ("players", "average", "strength", "bias", "error", "scatter")
SEEDS_SHOWN = 20
MOST_ROWS = 200


Told: TypeAlias = Sequence[Tried] | Sequence[Distance]
"""Many worlds, each with its last list; or every list of one."""


def conclusion(years: int, told: Told) -> Conclusion:
    """Return where the ratings end, on average over the worlds."""
    last = [one.last for one in told if isinstance(one, Tried)] or [
        one for one in told if isinstance(one, Distance)
    ][-1:]
    facts = {
        "years": years,
        "error": number(fmean(one.error for one in last), 1),
        "bias": number(fmean(one.bias for one in last), 1),
        "spread": number(fmean(one.spread for one in last), 1),
    }
    return Conclusion("distance", facts)


def heading(told: Told) -> str:
    """Return what the first column is."""
    return "seed" if told and isinstance(told[0], Tried) else "day"


def rows_of(told: Told, say: Words) -> Iterator[tuple[str, ...]]:
    """Return a world or a list a row, in the order of ``KEYS``."""
    for one in told:
        name = str(one.seed) if isinstance(one, Tried) else say.day(one.day)
        found = one.last if isinstance(one, Tried) else one
        yield (
            name, str(found.players), _n(say, found.average), _n(say, found.strength), _n(say, found.bias, signed=True),
            _n(say, found.error), _n(say, found.spread),
        )  # fmt: skip


def body(years: int, told: Told, say: Words) -> str:
    """Return ratings and strengths over time, or the last distance of each world from the truth; and the figures."""
    worlds = [one for one in told if isinstance(one, Tried)][:SEEDS_SHOWN]
    words = escape(sentence(conclusion(years, told), say))
    plot = _worlds(worlds, say) if worlds else _lists([one for one in told if isinstance(one, Distance)], say)
    table = listing((heading(told), *KEYS), list(islice(rows_of(told, say), MOST_ROWS)), say)
    return f"<ul class='told'><li class='quiet'>{words}</li></ul>\n{plot}\n{table}"


def _lists(distances: Sequence[Distance], say: Words) -> str:
    series = [
        Series(say.text("monitor.average"), [one.average for one in distances]),
        Series(say.text("monitor.strength"), [one.strength for one in distances], "soft"),
    ]
    days = [say.day(one.day) for one in distances]
    return lines(say.text("monitor.simulated"), days, series, lambda value: measured(say, value))


def _worlds(tried: Sequence[Tried], say: Words) -> str:
    """Return the bias of each, and how far its ratings scatter around it."""
    found = [(str(one.seed), one.last.bias, one.last.spread) for one in tried]
    return dots(
        say.text("monitor.bias"),
        [IntervalDot(name, bias, bias - spread, bias + spread, 0.0) for name, bias, spread in found],
        lambda value: measured(say, value, signed=True),
    )


def _n(say: Words, value: float, *, signed: bool = False) -> str:
    return measured(say, value, 1, signed=signed)
