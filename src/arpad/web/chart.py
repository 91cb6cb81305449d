"""The progress chart: one quiet curve as SVG, drawn by our own hand; the figures stand beside it as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 66, 74, 18, 34
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)
MOST_DOTS = 30


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across or a word below, and where."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A list on the curve."""

    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that the template draws; whole pixels are fine enough."""

    curve: str
    under: str
    dots: tuple[CurvePoint, ...]
    last: CurvePoint
    across: tuple[Tick, ...]
    below: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def progress(points: Sequence[tuple[date, int, str]]) -> Chart | None:
    """The chart of ratings by day, each with its words; None where there is nothing to draw."""
    if len(points) < 2:  # noqa: PLR2004  one list makes no curve
        return None
    low, high = min(p[1] for p in points), max(p[1] for p in points)
    step = next((step for step in STEPS if (high - low) / step <= 4), STEPS[-1])  # noqa: PLR2004  four lines are enough
    bottom, top = low // step * step, -(-high // step) * step
    if bottom == top:
        top += step
    first, last = points[0][0].toordinal(), points[-1][0].toordinal()

    def x(day: date) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * (day.toordinal() - first) // max(1, last - first)

    def y(rating: int) -> int:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (rating - bottom) // (top - bottom)

    dots = [CurvePoint(x(day), y(rating), text) for day, rating, text in points]
    curve = "M" + "L".join(f"{dot.x} {dot.y}" for dot in dots)
    base = HEIGHT - BOTTOM
    turns = [
        dot
        for place, dot in enumerate(dots)
        if place in (0, len(dots) - 1) or points[place][1] != points[place - 1][1]
    ]
    return Chart(
        curve=curve,
        under=f"{curve}L{dots[-1].x} {base}L{dots[0].x} {base}Z",
        dots=tuple(turns[:-1] if len(turns) <= MOST_DOTS else ()),
        last=dots[-1],
        across=tuple(Tick(y(rating), str(rating)) for rating in range(bottom, top + 1, step)),
        below=tuple(_years(points, x)),
    )


def _years(points: Sequence[tuple[date, int, str]], x: Callable[[date], int]) -> list[Tick]:
    years = range(points[0][0].year, points[-1][0].year + 1)
    every = max(1, len(years) // 8)
    marks: list[Tick] = []
    for year in years[::every]:
        day = max(date(year, 1, 1), points[0][0])
        if not marks or x(day) - marks[-1].at > 40:  # noqa: PLR2004  room for four digits
            marks.append(Tick(x(day), str(year)))
    return marks
