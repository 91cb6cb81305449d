"""Rankings cut from a published list: everybody, women, juniors, a federation and so on, a page of players a row.

A list never changes once it is entered, so its rankings are made in that moment, in one pass; a page of the list of a
million players then costs one row. They can be made anew from the lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
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
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r").replace("\\\\", "\\")


# ------------------------------------------------------------------------------------------------------ making


_Placed: TypeAlias = tuple[str, int, str, str, int, bool]
"""What a ranking asks of a player: name, number, federation, sex, year of birth, inactive; equals are sorted by it."""


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

    def pages(self, publication: int, cut: str) -> Iterator[tuple[int, str, int, int, str]]:
        """The rows of its pages: publication, cut, page, rank of the first, players; equal ratings share a rank."""
        for page, first in enumerate(range(0, len(self.players), PAGE), start=1):
            rank = self.begins[bisect_right(self.begins, first) - 1] + 1
            yield publication, cut, page, rank, " ".join(map(str, self.players[first : first + PAGE]))


def add_rankings(
    connection: Connection, publication: int, year: int, lines: Iterable[str] | None = None
) -> None:
    """Make the rankings of a list whose players are entered; the year says who is young or old.

    ``lines`` are the published ones, where whoever enters the list has them at hand.
    """
    made: dict[str, _Ranking] = {cut: _Ranking() for cut in CUTS}
    for rating, alike in _stored(connection, publication) if lines is None else _given(lines):
        _place(rating, sorted(alike), year, made)
    pages = (row for cut, found in made.items() for row in found.pages(publication, cut))
    add_rows(connection, ranking_pages, ("publication", "cut", "page", "rank", "players"), pages)
    totals = [(publication, cut, len(found.players)) for cut, found in made.items()]
    add_rows(connection, rankings, ("publication", "cut", "total"), totals)


def _place(rating: int, alike: list[_Placed], year: int, made: dict[str, _Ranking]) -> None:
    """Everybody with a rating, in order, into the rankings in which they stand.

    Who is inactive stands only in the complete ones; the best end with whoever shares the last place of the first page.
    """
    top, everybody, women, juniors, seniors = (made[cut] for cut in CUTS)
    young, old = year - JUNIOR_YEARS, year - SENIOR_YEARS
    best = len(top.players) < PAGE
    for _, player, federation, sex, born, inactive in alike:
        everybody.add(player, rating)
        cut = FEDERATION + federation
        (made.get(cut) or made.setdefault(cut, _Ranking())).add(player, rating)
        if inactive:
            continue
        if best:
            top.add(player, rating)
        if sex == "F":
            women.add(player, rating)
        if born >= young:
            juniors.add(player, rating)
        elif 0 < born <= old:
            seniors.add(player, rating)


def _given(lines: Iterable[str]) -> Iterator[tuple[int, list[_Placed]]]:
    """The rated by rating, the highest first."""
    by_rating: dict[int, list[_Placed]] = {}
    for line in lines:
        rating, placed = _placed(line)
        if rating:
            by_rating.setdefault(int(rating), []).append(placed)
    for number in sorted(by_rating, reverse=True):
        yield number, by_rating.pop(number)


def _stored(connection: Connection, publication: int) -> Iterator[tuple[int, list[_Placed]]]:
    """The same from the store; names are ordered here, never by a database's own alphabet."""
    query = select(standings.c.rating, standings.c.line).where(
        standings.c.publication == publication,
        standings.c.line.is_not(None),
        standings.c.rating.is_not(None),
    )
    rows = connection.execute(
        query.order_by(standings.c.rating.desc()), execution_options={"yield_per": _STREAMED}
    )
    for rating, alike in groupby(rows, key=lambda row: row[0]):
        yield rating, [_placed(row[1])[1] for row in alike]


def _placed(line: str) -> tuple[str, _Placed]:
    """The rating of a canonical line, and what a ranking asks of the player."""
    texts = line.split("\t")
    if "\\" in line:
        texts = [_restored(cell) for cell in texts]
    return texts[8], (
        texts[1].casefold(), int(texts[0]), texts[2], texts[3], int(texts[11] or 0), "i" in texts[12],
    )  # fmt: skip


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
