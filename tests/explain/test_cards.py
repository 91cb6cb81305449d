"""Cards of players and tournaments as pictures."""

from base64 import b64decode
from dataclasses import replace
from hashlib import sha256
from xml.etree import ElementTree as ET

from arpad.explain.cards import (
    STYLE,
    STYLE_DIGEST,
    Line,
    PlayerCard,
    TournamentCard,
    player_card,
    tournament_card,
)

SVG = "{http://www.w3.org/2000/svg}"
PLAYER = PlayerCard(
    "Rossi, Mario FM", "standard, 1 January 2025", "2012", "+12", 1, (1990, 2000, 2012), "Our office"
)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314  our own


def test_a_player_has_rating_change_and_curve_and_is_described_in_words() -> None:
    picture = ET.fromstring(player_card(PLAYER))  # noqa: S314  our own
    assert texts(player_card(PLAYER)) == [
        "Rossi, Mario FM", "standard, 1 January 2025", "2012", "+12", "Our office",
    ]  # fmt: skip
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == "t d"
    assert picture.findtext(f"{SVG}title") == "Rossi, Mario FM"
    assert picture.findtext(f"{SVG}desc") == "standard, 1 January 2025. 2012. +12"
    assert picture.find(f"{SVG}polyline") is not None
    assert picture.find(f"{SVG}circle") is not None


def test_one_list_makes_no_curve() -> None:
    assert "<polyline" not in player_card(replace(PLAYER, ratings=(2012,)))
    assert "<polyline" in player_card(replace(PLAYER, ratings=(2012, 2012)))


def test_what_people_typed_is_escaped_and_cut() -> None:
    card = TournamentCard(
        "</title><script>x</script>" + "y" * 60, "a & b\x07", (Line("<b>1. Rossi", "7 & ½"),) * 5, "'\""
    )
    shown = texts(tournament_card(card))
    assert shown[0].startswith("</title><script>")
    assert shown[0].endswith("…")
    assert shown[1] == "a & b"
    assert shown.count("<b>1. Rossi") == 3


def test_the_policy_allows_the_style_by_its_digest() -> None:
    style = ET.fromstring(player_card(PLAYER)).findtext(f"{SVG}style")  # noqa: S314  our own
    assert style == STYLE
    assert b64decode(STYLE_DIGEST.removeprefix("sha256-")) == sha256(STYLE.encode()).digest()
    assert "prefers-color-scheme:dark" in STYLE
