"""Titles by rating alone (B.01 1.3)."""

from __future__ import annotations

from arpad.regulations.chess.titles.rules import TitleRules


def titles_by_rating(rating: int, games: int, sex: str, rules: TitleRules) -> tuple[str, ...]:
    """Return the titles that a rating gives, the highest first (B.01 1.3)."""
    values = rules.rating_titles.value
    if games < values.games:
        return ()
    needed = {"FM": values.fm, "CM": values.cm}
    if sex == "w":
        needed |= {"WFM": values.wfm, "WCM": values.wcm}
    return tuple(title for title, least in needed.items() if rating >= least)
