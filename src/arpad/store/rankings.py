"""Rankings cut from a published list: everybody, women, juniors, a federation and so on, a page of players a row.

A list never changes once it is entered, so its rankings are made in that moment, in one pass; a page of the list of a
million players then costs one row. They can be made anew from the lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, select

from arpad.store.many import add_rows
from arpad.store.schema import ranking_pages, rankings, standings

PAGE = 100
"""Players on a page."""

CUTS = ("top", "all", "women", "juniors", "seniors")
FEDERATION = "federation-"
JUNIOR_YEARS, SENIOR_YEARS = 20, 50
_STREAMED = 10_000


class Line(NamedTuple):
    """A player's canonical line, taken apart."""

    player: int
    name: str
    federation: str
    sex: str
    title: str
    category: str
    rating: int | None
    games: int
    k: int | None
    born: int | None
    inactive: bool


def line_of(text: str) -> Line:
    """A canonical line taken apart."""
    texts = text.split("\t")
    if "\\" in text:
        texts = [_restored(cell) for cell in texts]
    number, name, federation, sex, title, women, _, category, rating, games, k, born, flags, _ = texts
    return Line(
        int(number), name, federation, sex, title or women, category, int(rating) if rating else None,
        int(games), int(k) if k else None, int(born) if born else None, "i" in flags,
    )  # fmt: skip


def _restored(text: str) -> str:
    return _CODED.sub(lambda found: _MEANT.get(found[1], found[1]), text)


_CODED, _MEANT = re.compile(r"\\(.)"), {"t": "\t", "n": "\n", "r": "\r"}


# ------------------------------------------------------------------------------------------------------ making


Placed: TypeAlias = tuple[int, int, str, str, int, bool]
"""What a ranking asks of a player: rating, number, federation, sex, year of birth or 0, inactive."""


@dataclass(slots=True)
class _Ranking:
    """A ranking under way: players in order, and the places at which a rating begins."""

    players: list[int] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    rating: int = 0

    def add(self, player: int, rating: int) -> None:
        """Put a player behind those before him."""
        if rating != self.rating:
            self.rating = rating
            self.begins.append(len(self.players))
        self.players.append(player)

    def pages(self, cut: str) -> Iterator[tuple[str, int, int, str]]:
        """The rows of its pages: cut, page, rank of the first, players; equal ratings share a rank."""
        for page, first in enumerate(range(0, len(self.players), PAGE), start=1):
            rank = self.begins[bisect_right(self.begins, first) - 1] + 1
            yield cut, page, rank, " ".join(map(str, self.players[first : first + PAGE]))


class Rankings(NamedTuple):
    """The rankings of a list, ready to be entered."""

    pages: list[tuple[str, int, int, str]]
    """Cut, page, rank of the first, players."""

    totals: list[tuple[str, int]]
    """Cut, players."""


def ranked(players: Iterable[Placed], year: int) -> Rankings:
    """The rankings of players who come in order; the year of the list says who is young or old.

    Who is inactive stands only in the complete ones; the best end with whoever shares the last place of the first page.
    """
    made: dict[str, _Ranking] = {cut: _Ranking() for cut in CUTS}
    top, everybody, women, juniors, seniors = made.values()
    young, old = year - JUNIOR_YEARS, year - SENIOR_YEARS
    for rating, player, federation, sex, born, inactive in players:
        everybody.add(player, rating)
        cut = FEDERATION + federation
        (made.get(cut) or made.setdefault(cut, _Ranking())).add(player, rating)
        if inactive:
            continue
        if len(top.players) < PAGE or rating == top.rating:
            top.add(player, rating)
        if sex == "F":
            women.add(player, rating)
        if born >= young:
            juniors.add(player, rating)
        elif 0 < born <= old:
            seniors.add(player, rating)
    return Rankings(
        [row for cut, found in made.items() for row in found.pages(cut)],
        [(cut, len(found.players)) for cut, found in made.items()],
    )


def in_order(lines: Iterable[str]) -> Iterator[Placed]:
    """The rated of published lines, the highest first; equals by name, never by a database's own alphabet."""
    by_rating: dict[int, list[tuple[str, int, Placed]]] = {}
    for line in lines:
        texts = line.split("\t")
        if texts[8]:
            if "\\" in line:
                texts = [_restored(cell) for cell in texts]
            rating, player = int(texts[8]), int(texts[0])
            placed = (rating, player, texts[2], texts[3], int(texts[11] or 0), "i" in texts[12])
            by_rating.setdefault(rating, []).append((texts[1].casefold(), player, placed))
    for rating in sorted(by_rating, reverse=True):
        for _, _, placed in sorted(by_rating.pop(rating)):
            yield placed


def add_rankings(connection: Connection, publication: int, year: int, made: Rankings | None = None) -> None:
    """Enter the rankings of a list whose players are entered; without ``made`` they come from the players' rows."""
    found = made or ranked(in_order(_stored(connection, publication)), year)
    pages = [(publication, *page) for page in found.pages]
    add_rows(connection, ranking_pages, ("publication", "cut", "page", "rank", "players"), pages)
    totals = [(publication, *total) for total in found.totals]
    add_rows(connection, rankings, ("publication", "cut", "total"), totals)


def _stored(connection: Connection, publication: int) -> Iterator[str]:
    """The published lines of a list."""
    query = select(standings.c.line).where(
        standings.c.publication == publication, standings.c.line.is_not(None)
    )
    for (line,) in connection.execute(query, execution_options={"yield_per": _STREAMED}):
        yield line


# ----------------------------------------------------------------------------------------------------- reading


def total(connection: Connection, publication: int, cut: str) -> int | None:
    """How many players a ranking has; None where there is no such ranking."""
    query = select(rankings.c.total).where(rankings.c.publication == publication, rankings.c.cut == cut)
    return connection.execute(query).scalar()


def page_of(connection: Connection, publication: int, cut: str, page: int) -> tuple[int, list[int]]:
    """The rank of the first player on a page, and the players on it."""
    query = select(ranking_pages.c.rank, ranking_pages.c.players).where(
        ranking_pages.c.publication == publication, ranking_pages.c.cut == cut, ranking_pages.c.page == page
    )
    found = connection.execute(query).first()
    return (found[0], [int(number) for number in found[1].split()]) if found else (1, [])


def federations(connection: Connection, publication: int) -> list[tuple[str, int]]:
    """Every federation on a list with the number of its players, by its code."""
    query = select(rankings.c.cut, rankings.c.total).where(
        rankings.c.publication == publication, rankings.c.cut > FEDERATION, rankings.c.cut < FEDERATION + "{"
    )
    return sorted((cut.removeprefix(FEDERATION), count) for cut, count in connection.execute(query))
