"""Rankings of a published list: all players, women, juniors, seniors, each federation, page by page."""

from __future__ import annotations

from typing import NamedTuple

from arpad.lists.published import PublishedList, by_federation, juniors, ranks, seniors, top, women

PAGE = 100
"""Players on a page."""


CUTS = {
    "top": top,
    "all": lambda published: published.ranked,
    "women": women,
    "juniors": juniors,
    "seniors": seniors,
}


FEDERATION = "federation-"


class Rankings(NamedTuple):
    """The rankings of a list, ready to be stored."""

    pages: list[tuple[str, int, int, str]]
    """Cut, page, rank of the first, players; equal ratings share a rank."""

    totals: list[tuple[str, int]]
    """Cut, players."""


def compute_rankings(published: PublishedList) -> Rankings:
    """Return the rankings of a list."""
    cuts = {cut: cut_from(published) for cut, cut_from in CUTS.items()}
    cuts |= {FEDERATION + code: rows for code, rows in by_federation(published).items()}
    rankings = Rankings([], [])
    for cut, rows in cuts.items():
        players, positions = [str(row.player) for row in rows], ranks(rows)
        rankings.totals.append((cut, len(players)))
        for page, first in enumerate(range(0, len(players), PAGE), start=1):
            rankings.pages.append((cut, page, positions[first], " ".join(players[first : first + PAGE])))
    return rankings
