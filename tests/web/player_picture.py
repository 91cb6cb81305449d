"""The picture of a player's page in the README, drawn from the demo; ``python -m tests.web.player_picture`` writes it.

A drawing, not a photograph: it stays small, and a test sees when its figures are no longer those of the demo.
"""

import tempfile
from datetime import date
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.paths import ROOT

PICTURE = ROOT / "docs" / "player.svg"
PLAYER = 3
WIDTH, HEIGHT = 900, 470
LEFT, RIGHT, TOP, BOTTOM = 76, 800, 250, 420
STEP = 20
INK, SOFT, LINE, GREEN = "#1b2230", "#5a6472", "#dcdfe4", "#14573e"
CARD = 272
LABEL = 'aria-label="The page of a player: ratings and progress" font-family="DejaVu Sans, Arial, sans-serif"'


def drawn(player: dict[str, Any], history: list[dict[str, Any]]) -> str:
    """The page: who it is, the three cards, the chart."""
    who = player["player"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" {LABEL}>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fdfdfc" stroke="{LINE}"/>',
        _text(24, 56, f"{who['name']}, {who['title']}", 30, bold=True, serif=True),
        _text(
            24, 82, f"{who['federation']} · born {who['born']} · FIDE {who['identifiers']['fide']}", 14, SOFT
        ),
    ]
    for place, card in enumerate(player["standings"]):
        left = 24 + place * (CARD + 18)
        note = f"list of {card['day']}" + (" · inactive" if card["inactive"] else "")
        parts += [
            f'<rect x="{left}" y="104" width="{CARD}" height="104" rx="5" fill="#fff" stroke="{LINE}"/>',
            _text(left + 16, 128, card["list"].capitalize(), 13, SOFT),
            _text(left + 16, 168, str(card["rating"]), 34, bold=True, serif=True),
            _text(left + 16, 194, note, 12, SOFT),
        ]
    return "\n".join([*parts, *_chart(history), "</svg>", ""])


def _chart(history: list[dict[str, Any]]) -> list[str]:
    points = [(date.fromisoformat(row["day"]), int(row["rating"])) for row in history]
    low: int = min(rating for _, rating in points) // STEP * STEP
    high: int = -(-max(rating for _, rating in points) // STEP) * STEP
    first, last = points[0][0], points[-1][0]

    def across(day: date) -> int:
        return LEFT + (RIGHT - LEFT) * (day - first).days // max(1, (last - first).days)

    def up(rating: int) -> int:
        return BOTTOM - (BOTTOM - TOP) * (rating - low) // max(1, high - low)

    parts = [
        f'<path d="M{LEFT} {up(rating)}H{RIGHT}" stroke="{LINE}"/>'
        + _text(24, up(rating) + 5, str(rating), 13, SOFT)
        for rating in range(low, high + 1, STEP)
    ]
    path = " ".join(f"{across(day)},{up(rating)}" for day, rating in points)
    parts += [
        f'<polygon points="{LEFT},{BOTTOM} {path} {across(last)},{BOTTOM}" fill="{GREEN}" fill-opacity=".07"/>',
        f'<polyline points="{path}" fill="none" stroke="{GREEN}" stroke-width="3"/>',
        f'<circle cx="{across(last)}" cy="{up(points[-1][1])}" r="5" fill="{GREEN}"/>',
        _text(across(last) + 12, up(points[-1][1]) + 6, str(points[-1][1]), 18, bold=True, serif=True),
    ]
    years = {day.year: day for day, _ in reversed(points)}
    parts += [_text(across(day), BOTTOM + 26, str(year), 13, SOFT) for year, day in sorted(years.items())]
    return parts


def _text(
    left: int, foot: int, text: str, size: int, colour: str = INK, *, bold: bool = False, serif: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    family = ' font-family="DejaVu Serif, Georgia, serif"' if serif else ""
    return f'<text x="{left}" y="{foot}" font-size="{size}" fill="{colour}"{weight}{family}>{escape(text)}</text>'


def written() -> None:
    """Build the demo, ask its API, and write the picture."""
    from litestar.testing import TestClient

    from arpad.demo.build import build
    from arpad.office.office import open_office
    from arpad.web.app import create

    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "demo")
        office = open_office(str(Path(folder) / "demo" / "office.db"))
        with TestClient(create(office)) as client:
            PICTURE.write_text(asked(client), encoding="utf-8")
        office.close()


def asked(client: Any) -> str:
    """The picture from what the API says."""
    player = client.get(f"/api/v1/players/{PLAYER}").json()
    history = client.get(f"/api/v1/players/{PLAYER}/history").json()["history"]
    return drawn(player, [row for row in history if row["list"] == "standard"])


if __name__ == "__main__":
    written()
