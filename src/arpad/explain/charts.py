"""Charts as static SVG: lines over time, points with intervals, bars of causes.

They need no script and take the colours of the page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import TypeAlias

Write: TypeAlias = Callable[[float], str]
"""How the page's language writes a number at the axis."""

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 12, 30


@dataclass(frozen=True, slots=True)
class Series:
    """One series; all series of a chart have equally many values."""

    name: str
    values: Sequence[float]
    kind: str = "main"
    """``main`` or ``soft``."""


@dataclass(frozen=True, slots=True)
class IntervalDot:
    """A value with its interval, and the expected value."""

    label: str
    value: float
    low: float
    high: float
    expected: float
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A signed amount."""

    label: str
    value: float
    text: str


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round numbers between two ends."""
    span = max(high - low, 1e-9)
    raw = span / count
    power = 10.0 ** floor(log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)
    first = floor(low / step) * step
    values = []
    value = first
    while value <= high + step / 2:
        if value >= low - step / 2:
            values.append(round(value, 6))
        value += step
    return values


def _scale(low: float, high: float, start: float, end: float, value: float) -> float:
    return round(start + (value - low) / max(high - low, 1e-9) * (end - start), 1)


def _frame(title: str, body: str, height: int = HEIGHT) -> str:
    return (
        f"<svg class='plot' viewBox='0 0 {WIDTH} {height}' role='img' aria-label='{escape(title, quote=True)}'>"
        f"<title>{escape(title)}</title>{body}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f"<text x='{x}' y='{y}' text-anchor='{anchor}'>{escape(words)}</text>"


def _grid(low: float, high: float, write: Write) -> str:
    parts = []
    for tick in ticks(low, high):
        if not low <= tick <= high:
            continue
        y = _scale(low, high, HEIGHT - BOTTOM, TOP, tick)
        parts.append(f"<line class='grid' x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y}' y2='{y}'/>")
        parts.append(_text(LEFT - 6, y + 4, write(tick), "end"))
    return "".join(parts)


def lines(title: str, labels: Sequence[str], series: Sequence[Series], write: Write) -> str:
    """Return a chart of series over time; the last value of each is named at its end."""
    values = [value for line in series for value in line.values]
    low, high = min(values), max(values)
    margin = max((high - low) * 0.08, 1e-6)
    low, high = low - margin, high + margin
    count = len(labels)

    def x(index: int) -> float:
        return _scale(0, max(1, count - 1), LEFT, WIDTH - RIGHT, index)

    parts = [_grid(low, high, write)]
    for index in sorted({0, count // 2, count - 1}):
        anchor = "start" if index == 0 else "end" if index == count - 1 else "middle"
        parts.append(_text(x(index), HEIGHT - 8, labels[index], anchor))
    for line in series:
        points = " ".join(
            f"{x(index)},{_scale(low, high, HEIGHT - BOTTOM, TOP, value)}"
            for index, value in enumerate(line.values)
        )
        parts.append(f"<polyline class='{line.kind}' points='{points}'/>")
        end = _scale(low, high, HEIGHT - BOTTOM, TOP, line.values[-1])
        parts.append(_text(WIDTH - RIGHT, end - 5, line.name, "end"))
    return _frame(title, "".join(parts))


def dots(title: str, values: Sequence[IntervalDot], write: Write) -> str:
    """Return a chart of values with intervals, and a bar at each expected value."""
    low = min(min(dot.low, dot.expected) for dot in values)
    high = max(max(dot.high, dot.expected) for dot in values)
    margin = max((high - low) * 0.06, 1e-6)
    low, high = low - margin, high + margin
    step = (WIDTH - LEFT - RIGHT) / len(values)
    parts = [_grid(low, high, write)]

    def y(value: float) -> float:
        return _scale(low, high, HEIGHT - BOTTOM, TOP, value)

    for index, dot in enumerate(values):
        at = round(LEFT + step * (index + 0.5), 1)
        half = round(min(16.0, step / 2 - 2), 1)
        kind = "alarm" if dot.alarm else "main"
        parts.append(
            f"<line class='soft' x1='{at - half}' x2='{at + half}' y1='{y(dot.expected)}' y2='{y(dot.expected)}'/>"
        )
        parts.append(f"<line class='{kind}' x1='{at}' x2='{at}' y1='{y(dot.low)}' y2='{y(dot.high)}'/>")
        parts.append(f"<circle class='{kind}' cx='{at}' cy='{y(dot.value)}' r='3.5'/>")
        parts.append(_text(at, HEIGHT - 8, dot.label))
    return _frame(title, "".join(parts))


def bars(title: str, amounts: Sequence[Bar]) -> str:
    """Return a chart of amounts to the left and right of zero, one row each; the label is above its bar."""
    row, aside = 48, 110
    height = row * len(amounts)
    furthest = max((abs(bar.value) for bar in amounts), default=1.0) or 1.0
    below = max((-bar.value for bar in amounts if bar.value < 0), default=0.0)
    above = max((bar.value for bar in amounts if bar.value > 0), default=0.0)
    room = (WIDTH - aside) / ((below + above) / furthest or 1.0)
    zero = round(below / furthest * room, 1)
    parts = [f"<line class='grid' x1='{zero}' x2='{zero}' y1='0' y2='{height}'/>"]
    for index, bar in enumerate(amounts):
        top = row * index
        long = round(abs(bar.value) / furthest * room, 1)
        start = zero if bar.value >= 0 else round(zero - long, 1)
        parts.append(_text(0, top + 17, bar.label, "start"))
        parts.append(f"<rect class='main' x='{start}' y='{top + 25}' width='{long}' height='14'/>")
        parts.append(_text(WIDTH, top + 37, bar.text, "end"))
    return _frame(title, "".join(parts), height)
