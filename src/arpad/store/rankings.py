"""Rankings cut from a published list: everybody, women, juniors, a federation and so on, a page of players a row.

A list never changes once it is entered, so its rankings are made in that moment, in one pass and without holding the
list in memory; a page of the list of a million players then costs one row. They can be made anew from the lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from arpad.store.register import batches
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
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r").replace("\\\\", "\\")


# ------------------------------------------------------------------------------------------------------ making


@dataclass(slots=True)
class _Ranking:
    """A ranking under way, page by page; equal ratings share a rank."""

    cut: str
    total: int = 0
    rank: int = 0
    rating: int = 0
    first: int = 0
    page: int = 0
    players: list[str] = field(default_factory=list)

    def add(self, player: int, rating: int) -> bool:
        """Put a player behind those before him; whether the page is full."""
        self.total += 1
        if rating != self.rating:
            self.rating, self.rank = rating, self.total
        if not self.players:
            self.first = self.rank
        self.players.append(str(player))
        return len(self.players) == PAGE

    def turned(self, publication: int) -> dict[str, Any]:
        """The page as a row; the next one begins."""
        self.page += 1
        row = {
            "publication": publication, "cut": self.cut, "page": self.page, "rank": self.first,
            "players": " ".join(self.players),
        }  # fmt: skip
        self.players = []
        return row


def add_rankings(connection: Connection, publication: int, year: int) -> None:
    """Make the rankings of a list whose players are entered; the year says who is young or old."""
    made: dict[str, _Ranking] = {cut: _Ranking(cut) for cut in CUTS}
    for batch in batches(_pages(connection, publication, year, made)):
        connection.execute(insert(ranking_pages), batch)
    rows = [{"publication": publication, "cut": cut, "total": found.total} for cut, found in made.items()]
    connection.execute(insert(rankings), rows)


def _pages(
    connection: Connection, publication: int, year: int, made: dict[str, _Ranking]
) -> Iterator[dict[str, Any]]:
    for rating, line in _in_order(connection, publication):
        for cut in _cuts_of(line, year):
            found = made.get(cut) or made.setdefault(cut, _Ranking(cut))
            if cut == "top" and found.total >= PAGE and rating != found.rating:
                continue
            if found.add(line.player, rating):
                yield found.turned(publication)
    for found in made.values():
        if found.players:
            yield found.turned(publication)


def _in_order(connection: Connection, publication: int) -> Iterator[tuple[int, Line]]:
    """By rating, then by name, then by number: names are ordered here, never by a database's own alphabet."""
    query = select(standings.c.rating, standings.c.line).where(
        standings.c.publication == publication,
        standings.c.line.is_not(None),
        standings.c.rating.is_not(None),
    )
    rows = connection.execute(
        query.order_by(standings.c.rating.desc()), execution_options={"yield_per": _STREAMED}
    )
    for rating, alike in groupby(rows, key=lambda row: row[0]):
        found = [line_of(row[1]) for row in alike]
        found.sort(key=lambda line: (line.name.casefold(), line.player))
        yield from ((rating, line) for line in found)


def _cuts_of(line: Line, year: int) -> list[str]:
    """The rankings in which somebody stands; who is inactive stands only in the complete ones."""
    found = ["all", FEDERATION + line.federation]
    if line.inactive:
        return found
    found.append("top")
    if line.sex == "F":
        found.append("women")
    if line.born is not None and line.born >= year - JUNIOR_YEARS:
        found.append("juniors")
    if line.born is not None and line.born <= year - SENIOR_YEARS:
        found.append("seniors")
    return found


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
