"""Cards to put on other sites (small SVG pictures), and the picture of a player that others show for a shared page."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from html import escape

from arpad.explain.curves import turning_points
from arpad.explain.templates import draw_picture

WIDTH, HEIGHT = 340, 150
_LEFT, _RIGHT = 16, WIDTH - 16
_CURVE = (176, 52, 148, 56)
"""Left, top, width and height of the curve."""

_LONGEST = 30
"""Letters of a heading in its full size."""

STYLE = (
    ":root{color-scheme:light dark}"
    ".b{fill:#fdfdfb;stroke:#c9ced6}.i{fill:#1b222c}.s{fill:#566070}.u{fill:#14573f}.d{fill:#9c1c24}"
    ".c{fill:none;stroke:#14573f;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.e{fill:#14573f}"
    "text{font-family:'Public Sans','Source Sans 3','Segoe UI',system-ui,-apple-system,"
    "'Helvetica Neue',Arial,sans-serif}"
    "@media(prefers-color-scheme:dark){"
    ".b{fill:#191e25;stroke:#3c4550}.i{fill:#e8eaed}.s{fill:#a4adba}.u,.e{fill:#82cfb1}.d{fill:#ff9a9e}"
    ".c{stroke:#82cfb1}}"
)
STYLE_DIGEST = "sha256-" + b64encode(sha256(STYLE.encode()).digest()).decode()
"""By which a content policy allows the style and no other."""

MOST_RATINGS = 4
PLACES = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a card: words on the left, a figure on the right."""

    text: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player on one list, in words."""

    name: str
    about: str
    """The list and its day."""

    rating: str
    change: str
    direction: int
    """Above 0 if the last change was a gain, below 0 if it was a loss."""

    ratings: tuple[int, ...]
    """The ratings of the curve, in order of time."""

    office: str


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament with its first players, in words."""

    name: str
    about: str
    lines: tuple[Line, ...]
    office: str


def player_card(card: PlayerCard) -> str:
    """Return the picture of a player."""
    kind = "u" if card.direction > 0 else "d" if card.direction < 0 else "s"
    body = [
        _heading(card.name),
        _text(_LEFT, 46, card.about, "s", 12),
        _text(_LEFT, 98, card.rating, "i", 42, bold=True),
        _text(_LEFT, 120, card.change, kind, 13),
        _curve(card.ratings),
        _text(_LEFT, 140, card.office, "s", 10),
    ]
    described = ". ".join(part for part in (card.about, card.rating, card.change) if part)
    return _picture(card.name, described, body)


def tournament_card(card: TournamentCard, most: int = 3) -> str:
    """Return the picture of a tournament, or of a ranking, with its first players; it is higher with more of them."""
    lines = card.lines[:most]
    below = 20 * max(len(lines) - 3, 0)
    body = [_heading(card.name), _text(_LEFT, 46, card.about, "s", 12)]
    for number, line in enumerate(lines):
        y = 72 + 20 * number
        body.append(_text(_LEFT, y, _cut(line.text, 34), "i", 14))
        body.append(_text(_RIGHT, y, line.figure, "i", 14, bold=True, anchor="end"))
    body.append(_text(_LEFT, 140 + below, card.office, "s", 10))
    described = ". ".join([card.about, *(f"{line.text} {line.figure}".strip() for line in lines)])
    return _picture(card.name, described, body, HEIGHT + below)


def _picture(title: str, description: str, body: Sequence[str], height: int = HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-labelledby="t d"><title id="t">{_escaped(title)}</title>'
        f'<desc id="d">{_escaped(description)}</desc><style>{STYLE}</style>'
        f'<rect class="b" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="7"/>{"".join(body)}</svg>'
    )


def _heading(text: str) -> str:
    shown = _cut(text, 44)
    size = 18 if len(shown) <= _LONGEST else 18 * _LONGEST // len(shown)
    return _text(_LEFT, 28, shown, "i", size, bold=True)


def _text(x: int, y: int, words: str, kind: str, size: int, *, bold: bool = False, anchor: str = "") -> str:
    weight = ' font-weight="600"' if bold else ""
    side = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x}" y="{y}" font-size="{size}"{weight}{side}>{_escaped(words)}</text>'


def _escaped(text: str) -> str:
    """Return a text for XML, without the signs that XML cannot contain."""
    return escape("".join(letter for letter in text if letter.isprintable()))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _curve(ratings: Sequence[int]) -> str:
    """Return the curve of the ratings; nothing if there are fewer than two."""
    if len(ratings) < 2:  # noqa: PLR2004  one list makes no curve
        return ""
    left, top, width, height = _CURVE
    low, high = min(ratings), max(ratings)
    points = [
        (
            left + width * index // (len(ratings) - 1),
            top + height - height * (rating - low) // max(1, high - low),
        )
        for index, rating in enumerate(ratings)
    ]
    line = " ".join(f"{x},{y}" for x, y in points)
    end_x, end_y = points[-1]
    return f'<polyline class="c" points="{line}"/><circle class="e" cx="{end_x}" cy="{end_y}" r="3.5"/>'


def shared_picture(
    name: str,
    about: str,
    figures: Sequence[tuple[str, str]],
    points: Sequence[tuple[date, int | None]],
    foot: str,
    language: str,
) -> bytes:
    """Return the picture that is shown with a shared address, as a PNG of 1200 by 630 pixels.

    A player's has the ratings and the curve through ``points``; others have figures alone.
    """
    return draw_picture(
        "shared_card",
        {
            "name": name,
            "about": about,
            "figures": figures[:MOST_RATINGS],
            "points": _scaled(points),
            "foot": foot,
            "language": language,
        },
    )


def _scaled(points: Sequence[tuple[date, int | None]]) -> list[list[float]]:
    """Return the rated points between 0 and 1 in both directions."""
    rated = [(day, rating) for day, rating in turning_points(points) if rating is not None]
    if not rated:
        return []
    days = max(1, (rated[-1][0] - rated[0][0]).days)
    low, high = min(rating for _, rating in rated), max(rating for _, rating in rated)
    return [
        [round((day - rated[0][0]).days / days, PLACES), round((rating - low) / max(1, high - low), PLACES)]
        for day, rating in rated
    ]
