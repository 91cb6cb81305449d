"""Rating curves over the days of the lists as static SVG: one player with the events of the career, or several players.

The page works with this picture and its table; a script may draw it again from the same lines, with a crosshair.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from itertools import groupby

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 66, 96, 18, 34
RATING_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)
MOST_DOTS = 30
MARK_SIZE = 6
LABEL_HEIGHT = 24
"""How far the ratings at the ends of lines are apart at least."""


@dataclass(frozen=True, slots=True)
class CurveLine:
    """The ratings of one list or one player by day; None while there is no rating."""

    id: str
    name: str
    points: Sequence[tuple[date, int | None]]


@dataclass(frozen=True, slots=True)
class CurveMark:
    """An event on the curve that no tournament explains: a correction, a delisting, an adjustment, the peak."""

    day: date
    rating: int
    """The height at which it is drawn."""

    kind: str
    text: str


def turning_points(points: Sequence[tuple[date, int | None]]) -> list[tuple[date, int | None]]:
    """Return the points at which a line turns: the first and the last of each run of equal ratings."""
    turns: list[tuple[date, int | None]] = []
    for _, run in groupby(points, key=lambda point: point[1]):
        first, *rest = run
        turns += [first, *rest[-1:]]
    return turns


def curve_picture(title: str, lines: Sequence[CurveLine], marks: Sequence[CurveMark] = ()) -> str:
    """Return the curves of some lines; empty if there are not two ratings to draw."""
    rated = [(day, rating) for line in lines for day, rating in line.points if rating is not None]
    if len(rated) < 2:  # noqa: PLR2004  one list makes no curve
        return ""
    scale = _scale(rated)
    parts = [_axes(scale)]
    labels = _label_heights(lines, scale)
    parts += [
        _line(line, place, scale, labels[place], alone=len(lines) == 1) for place, line in enumerate(lines)
    ]
    parts += [_mark(mark, scale) for mark in marks]
    return (
        f"<svg class='chart' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{escape(title, quote=True)}'>"
        f"{''.join(parts)}</svg>"
    )


def curve_data(lines: Sequence[CurveLine], marks: Sequence[CurveMark] = ()) -> dict[str, object]:
    """Return the same curves as values for the script of the page."""
    return {
        "lines": [
            {
                "id": line.id,
                "name": line.name,
                "points": [[str(day), rating] for day, rating in turning_points(line.points)],
            }
            for line in lines
        ],
        "marks": [[str(mark.day), mark.rating, mark.kind, mark.text] for mark in marks],
    }


@dataclass(frozen=True, slots=True)
class _Scale:
    x: Callable[[date], int]
    y: Callable[[int], int]
    ratings: Sequence[int]
    first: date
    last: date


def _scale(rated: Sequence[tuple[date, int]]) -> _Scale:
    low, high = min(rating for _, rating in rated), max(rating for _, rating in rated)
    step = next((step for step in RATING_STEPS if (high - low) / step <= 4), RATING_STEPS[-1])  # noqa: PLR2004  four lines are enough
    bottom, top = low // step * step, -(-high // step) * step
    if bottom == top:
        top += step
    first, last = min(day for day, _ in rated), max(day for day, _ in rated)
    days = max(1, (last - first).days)
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(day: date) -> int:
        return LEFT + width * (day - first).days // days

    def y(rating: int) -> int:
        return HEIGHT - BOTTOM - height * (rating - bottom) // (top - bottom)

    return _Scale(x, y, range(bottom, top + 1, step), first, last)


def _axes(scale: _Scale) -> str:
    parts = []
    for rating in scale.ratings:
        y = scale.y(rating)
        parts.append(f"<line class='grid' x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y}' y2='{y}'/>")
        parts.append(f"<text x='{LEFT - 8}' y='{y + 4}' text-anchor='end'>{rating}</text>")
    parts += [f"<text x='{x}' y='{HEIGHT - 8}'>{year}</text>" for x, year in _years(scale)]
    return "".join(parts)


def _years(scale: _Scale) -> list[tuple[int, int]]:
    years = range(scale.first.year, scale.last.year + 1)
    ticks: list[tuple[int, int]] = []
    for year in years[:: max(1, len(years) // 8)]:
        x = scale.x(max(date(year, 1, 1), scale.first))
        if not ticks or x - ticks[-1][0] > 40:  # noqa: PLR2004  room for four digits
            ticks.append((x, year))
    return ticks


def _label_heights(lines: Sequence[CurveLine], scale: _Scale) -> dict[int, int]:
    """Return the height of the rating at the end of each line; those that would overlap are moved down."""
    last = {
        place: next((rating for _, rating in reversed(line.points) if rating is not None), 0)
        for place, line in enumerate(lines)
    }
    heights: dict[int, int] = {}
    lowest = 0
    for place in sorted(last, key=lambda place: -last[place]):
        heights[place] = lowest = max(scale.y(last[place]) + 6, lowest)
        lowest += LABEL_HEIGHT
    return heights


def _line(line: CurveLine, place: int, scale: _Scale, label_y: int, *, alone: bool) -> str:
    """Return one line, broken where there is no rating, with the last rating beside its end."""
    parts: list[str] = []
    dots: list[tuple[int, int, str]] = []
    end = (0, 0, 0)
    for rated, run in groupby(turning_points(line.points), key=lambda point: point[1] is not None):
        points = [
            (scale.x(day), scale.y(rating or 0), f"{day}: {rating}", rating or 0) for day, rating in run
        ]
        if not rated:
            continue
        path = "M" + "L".join(f"{x} {y}" for x, y, _, _ in points)
        if alone:
            base = HEIGHT - BOTTOM
            parts.append(f"<path class='under' d='{path}L{points[-1][0]} {base}L{points[0][0]} {base}Z'/>")
        parts.append(f"<path class='curve' d='{path}'/>")
        dots += [(x, y, text) for x, y, text, _ in points]
        end = (points[-1][0], points[-1][1], points[-1][3])
    if alone and len(dots) <= MOST_DOTS:
        parts += [
            f"<circle class='dot' cx='{x}' cy='{y}' r='3.5'><title>{text}</title></circle>"
            for x, y, text in dots
        ]
    x, y, rating = end
    if rating:
        label = "" if alone else f"<title>{escape(line.name)}</title>"
        parts.append(f"<circle class='last' cx='{x}' cy='{y}' r='4.5'>{label}</circle>")
        parts.append(f"<text class='now' x='{x + 10}' y='{label_y}'>{rating}</text>")
    return f"<g class='line line-{place}'>{''.join(parts)}</g>"


def _mark(mark: CurveMark, scale: _Scale) -> str:
    """Return a diamond above the curve."""
    x, y = scale.x(mark.day), scale.y(mark.rating) - 12
    shape = f"M{x} {y - MARK_SIZE}L{x + MARK_SIZE} {y}L{x} {y + MARK_SIZE}L{x - MARK_SIZE} {y}Z"
    return f"<path class='mark {mark.kind}' d='{shape}'><title>{escape(mark.text)}</title></path>"
