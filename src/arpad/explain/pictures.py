"""Small pictures as SVG: results of an event, gains, trends, distributions, the movements of a list.

They need no script and take the colours of the page from its classes. Each has a text alternative: the title that the
caller gives, in the reader's language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

WIN, DRAW, LOSS, UNPLAYED = "win", "draw", "loss", "unplayed"
"""The outcomes of a game, which are also the classes of its square."""

SQUARE, GAP, STRIP_HEIGHT = 18, 4, 22
BAR_WIDTH, BAR_HEIGHT = 120, 14
HISTOGRAM_WIDTH, HISTOGRAM_HEIGHT, FOOT = 640, 170, 26
RESULTS_WIDTH = 150
TREND_WIDTH, TREND_HEIGHT, TREND_RANGE = 84, 22, 60
"""The size of a trend, and the points that its height shows at least, so that it does not exaggerate."""

AGES_HEIGHT, SIDE, BOX_WIDTH = 230, 58, 26
MOST_BINS = 40
MOST_TICKS = 4
FEWEST_ON_A_SIDE = 5
"""Bars of gains and of losses: a few players must not fill the picture."""

FEWEST_BINS, PLAYERS_A_BIN = 16, 4
"""How many bars a distribution has at most: one for so many players, but this many are always allowed."""

BIN_SIZES = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One square of a strip."""

    outcome: str
    colour: str
    """``w`` or ``b``; with another sign the square has no border of a colour."""

    text: str
    """The game in words: round, opponent, result."""


def outcome_of(score: Fraction | int, most: Fraction | int, *, played: bool = True) -> str:
    """Return the outcome of a game from the score and the most that a game can give."""
    if not played:
        return UNPLAYED
    return WIN if score == most else LOSS if score == 0 else DRAW


def result_strip(title: str, games: Sequence[PlayedGame]) -> str:
    """Return the results of an event as squares: the height shows the result, the border the colour of the pieces.

    A win fills the square, a draw its lower half, a loss nothing, so that it can be read without colours.
    """
    parts = []
    for index, game in enumerate(games):
        x = index * (SQUARE + GAP) + 2
        frame = {"w": "white", "b": "black"}.get(game.colour, "")
        filled = {WIN: SQUARE, DRAW: SQUARE // 2}.get(game.outcome, 0)
        kind = game.outcome if not filled else ""
        parts.append(f"<g><title>{escape(game.text)}</title>{_square(x, SQUARE, f'{frame} {kind}'.strip())}")
        parts.append(f"{_square(x, filled, game.outcome)}</g>" if filled else "</g>")
    width = max(1, len(games)) * (SQUARE + GAP)
    return _svg("strip", title, width, STRIP_HEIGHT, "".join(parts), fixed=True)


def _square(x: int, height: int, kind: str) -> str:
    y = 2 + SQUARE - height
    return f"<rect class='{kind}' x='{x}' y='{y}' width='{SQUARE}' height='{height}'/>"


def gain_bar(title: str, value: Fraction | int, largest: Fraction | int) -> str:
    """Return a bar, right of the middle for a gain and left of it for a loss; the largest takes all the room."""
    middle = BAR_WIDTH // 2
    length = _share(abs(Fraction(value)), abs(Fraction(largest)), middle - 1)
    start = middle if value >= 0 else middle - length
    kind = "gain" if value > 0 else "fall" if value < 0 else "none"
    body = (
        f"<line class='zero' x1='{middle}' x2='{middle}' y1='0' y2='{BAR_HEIGHT}'/>"
        f"<rect class='{kind}' x='{start}' y='2' width='{length}' height='{BAR_HEIGHT - 4}'/>"
    )
    return _svg("gains", title, BAR_WIDTH, BAR_HEIGHT, body, fixed=True)


def results_bar(title: str, wins: int, draws: int, losses: int) -> str:
    """Return wins, draws and losses as parts of a bar: full, half and empty, so that it can be read without colours."""
    games, x, parts = wins + draws + losses, 0, []
    for kind, count in ((WIN, wins), (DRAW, draws), (LOSS, losses)):
        width = round(Fraction(count * RESULTS_WIDTH, games or 1))
        if width:
            height = BAR_HEIGHT // 2 if kind == DRAW else BAR_HEIGHT - 2
            y = BAR_HEIGHT - 1 - height
            parts.append(
                f"<rect class='{kind}' x='{x + 1}' y='{y}' width='{max(1, width - 2)}' height='{height}'/>"
            )
        x += width
    return _svg("strip results", title, RESULTS_WIDTH, BAR_HEIGHT, "".join(parts), fixed=True)


def trend(title: str, ratings: Sequence[int | None]) -> str:
    """Return the ratings on lists that follow each other as a small curve; None before a player had one.

    Only its ends and the lists with a change are drawn. It counts in whole numbers: a page has a hundred of them.
    """
    known = [(index, rating) for index, rating in enumerate(ratings) if rating is not None]
    if not known:
        return ""
    values = [rating for _, rating in known]
    low, high, last = min(values), max(values), len(values) - 1
    room, steps = 2 * max(high - low, TREND_RANGE), max(1, len(ratings) - 1)
    points = [
        (
            3 + index * (TREND_WIDTH - 6) // steps,
            TREND_HEIGHT // 2 - (2 * rating - low - high) * (TREND_HEIGHT - 6) // room,
        )
        for at, (index, rating) in enumerate(known)
        if at in (0, last) or not values[at - 1] == rating == values[at + 1]
    ]
    kind = "gain" if values[last] > values[0] else "fall" if values[last] < values[0] else "none"
    line = " ".join(f"{x},{y}" for x, y in points)
    x, y = points[-1]
    body = f"<polyline class='{kind}' points='{line}'/><circle class='{kind}' cx='{x}' cy='{y}' r='2.5'/>"
    return _svg("trend", title, TREND_WIDTH, TREND_HEIGHT, body, fixed=True)


@dataclass(frozen=True, slots=True)
class Box:
    """The values of a group: the lowest, three quartiles, the highest."""

    label: str
    text: str
    """The group in words, with its numbers."""

    values: tuple[int, int, int, int, int]


def boxes(title: str, groups: Sequence[Box], mark: tuple[int, int, str] | None = None) -> str:
    """Return groups side by side: a line for all values, a box for the middle half, a bar across for the median.

    The mark is a point in one group: its index, its value and its text.
    """
    if not groups:
        return ""
    values = [value for group in groups for value in group.values] + ([mark[1]] if mark else [])
    span = max(values) - min(values)
    size = next((size for size in BIN_SIZES[3:] if span / size <= MOST_TICKS), BIN_SIZES[-1])
    bottom, top = min(values) // size * size, -(-max(values) // size) * size
    base = AGES_HEIGHT - FOOT
    slot = (HISTOGRAM_WIDTH - SIDE) / len(groups)

    def y(value: int) -> float:
        return round(base - (value - bottom) / max(top - bottom, 1) * (base - 10), 1)

    parts = [
        f"<line class='grid' x1='{SIDE}' x2='{HISTOGRAM_WIDTH}' y1='{y(tick)}' y2='{y(tick)}'/>"
        f"<text x='{SIDE - 6}' y='{y(tick) + 4}' text-anchor='end'>{tick}</text>"
        for tick in range(bottom, top + 1, size)
    ]
    for index, group in enumerate(groups):
        x = round(SIDE + (index + 0.5) * slot, 1)
        lowest, quarter, median, three_quarters, highest = map(y, group.values)
        left = round(x - BOX_WIDTH / 2, 1)
        parts.append(
            f"<g><title>{escape(group.text)}</title>"
            f"<line class='zero' x1='{x}' x2='{x}' y1='{lowest}' y2='{highest}'/>"
            f"<rect class='box' x='{left}' y='{three_quarters}' width='{BOX_WIDTH}' "
            f"height='{round(max(quarter - three_quarters, 1), 1)}'/>"
            f"<line class='median' x1='{left}' x2='{round(left + BOX_WIDTH, 1)}' y1='{median}' y2='{median}'/></g>"
            f"<text x='{x}' y='{AGES_HEIGHT - 8}' text-anchor='middle'>{escape(group.label)}</text>"
        )
    if mark is not None:
        x = round(SIDE + (mark[0] + 0.5) * slot, 1)
        parts.append(
            f"<circle class='here' cx='{x}' cy='{y(mark[1])}' r='6'><title>{escape(mark[2])}</title></circle>"
        )
    return _svg("histogram", title, HISTOGRAM_WIDTH, AGES_HEIGHT, "".join(parts))


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that a distribution points at."""

    value: int
    text: str


def distribution(
    title: str, counts: Mapping[int, int], mark: Mark | None = None, *, least: int = BIN_SIZES[0]
) -> str:
    """Return a histogram of values with their counts; the mark is the bar and the line of one value.

    A few players have wider bars, so that the picture is not a row of needles; no bar is narrower than ``least``.
    """
    if not counts:
        return ""
    low, high = min(counts), max(counts)
    most = min(MOST_BINS, max(FEWEST_BINS, sum(counts.values()) // PLAYERS_A_BIN))
    size = next((s for s in BIN_SIZES if s >= least and (high - low) / s <= most), BIN_SIZES[-1])
    first = low // size
    bins = [0] * (high // size - first + 1)
    for value, count in counts.items():
        bins[value // size - first] += count
    return _histogram(title, bins, first * size, size, mark, lambda _: "bin")


def movements(title: str, changes: Mapping[int, int], bin_size: int = 10) -> str:
    """Return the gains and losses of a list or a draft as a histogram around zero: change → how many players."""
    moved = {change: count for change, count in changes.items() if change}
    if not moved:
        return ""
    furthest = max(map(abs, moved))
    size = max(bin_size, next((s for s in BIN_SIZES if 2 * furthest / s <= MOST_BINS), BIN_SIZES[-1]))
    half = max(FEWEST_ON_A_SIDE, -(-furthest // size))
    bins = [0] * (2 * half)
    for change, count in moved.items():
        # bins of losses and gains are mirrored: -size … -1 and 1 … size
        place = half + (change - 1) // size if change > 0 else half - 1 - (-change - 1) // size
        bins[place] += count
    return _histogram(title, bins, -half * size, size, None, lambda start: "gain" if start >= 0 else "fall")


def _histogram(
    title: str, bins: Sequence[int], start: int, size: int, mark: Mark | None, kind: Callable[[int], str]
) -> str:
    top, base = (32 if mark else 6), HISTOGRAM_HEIGHT - FOOT
    width = HISTOGRAM_WIDTH / len(bins)
    most = max(bins)
    parts = []
    for index, count in enumerate(bins):
        height = _share(count, most, base - top)
        low = start + index * size
        here = mark is not None and low <= mark.value < low + size
        label = (
            f"{low}–{low + size - 1}: {count}"
            if start >= 0
            else f"{_signed(low)} … {_signed(low + size)}: {count}"
        )
        parts.append(
            f"<rect class='{kind(low)}{' here' if here else ''}' x='{round(index * width, 1)}' y='{base - height}' "
            f"width='{round(max(width - 1.5, 1), 1)}' height='{height}'><title>{label}</title></rect>"
        )
    parts.append(f"<line class='zero' x1='0' x2='{HISTOGRAM_WIDTH}' y1='{base}' y2='{base}'/>")
    every = max(1, -(-len(bins) // 6))
    for index in range(0, len(bins) + 1, every):
        anchor = "start" if index == 0 else "end" if index == len(bins) else "middle"
        text = _signed(start + index * size) if start < 0 else str(start + index * size)
        parts.append(
            f"<text x='{round(index * width, 1)}' y='{HISTOGRAM_HEIGHT - 8}' text-anchor='{anchor}'>{text}</text>"
        )
    if mark is not None:
        parts.append(_pointer(mark, start, size, width, base))
    return _svg("histogram", title, HISTOGRAM_WIDTH, HISTOGRAM_HEIGHT, "".join(parts))


def _pointer(mark: Mark, start: int, size: int, width: float, base: int) -> str:
    """Return the line at a value and the words above it, which stay inside the picture."""
    x = round((mark.value - start) / size * width, 1)
    third = HISTOGRAM_WIDTH / 3
    anchor = "start" if x < third else "end" if x > 2 * third else "middle"
    return (
        f"<line class='pointer' x1='{x}' x2='{x}' y1='27' y2='{base}'/>"
        f"<text class='now' x='{x}' y='20' text-anchor='{anchor}'>{escape(mark.text)}</text>"
    )


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def _share(value: Fraction | int, most: Fraction | int, room: int) -> int:
    """Return the length of a value where the largest takes all the room; something is at least one pixel long."""
    if not value or not most:
        return 0
    return max(1, round(Fraction(min(value, most) * room) / most))


def _svg(kind: str, title: str, width: int, height: int, body: str, *, fixed: bool = False) -> str:
    size = f" width='{width}' height='{height}'" if fixed else ""
    return (
        f"<svg class='picture {kind}' viewBox='0 0 {width} {height}'{size} role='img' "
        f"aria-label='{escape(title, quote=True)}'>{body}</svg>"
    )
