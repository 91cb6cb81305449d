"""Rankings cut from a published list: everybody, women, juniors, a federation and so on, a page of players a row.

A list never changes once it is entered, so its rankings are made in that moment; a page of the list of a million
players then costs one row. They can be made anew from the lines.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from arpad.canonical_list import with_rows
from arpad.published import PublishedList, by_federation, juniors, ranks, seniors, top, women
from arpad.store.many import add_rows, fetched
from arpad.store.schema import publications, ranking_pages, rankings, standings

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


# ------------------------------------------------------------------------------------------------------ making


class Rankings(NamedTuple):
    """The rankings of a list, ready to be entered."""

    pages: list[tuple[str, int, int, str]]
    """Cut, page, rank of the first, players; equal ratings share a rank."""

    totals: list[tuple[str, int]]
    """Cut, players."""


def ranked(published: PublishedList) -> Rankings:
    """The rankings of a list."""
    cuts = {cut: cut_from(published) for cut, cut_from in CUTS.items()}
    cuts |= {FEDERATION + code: rows for code, rows in by_federation(published).items()}
    made = Rankings([], [])
    for cut, rows in cuts.items():
        players, places = [str(row.player) for row in rows], ranks(rows)
        made.totals.append((cut, len(players)))
        for page, first in enumerate(range(0, len(players), PAGE), start=1):
            made.pages.append((cut, page, places[first], " ".join(players[first : first + PAGE])))
    return made


def add_rankings(connection: Connection, publication: int, made: Rankings | None = None) -> None:
    """Enter the rankings of a list whose players are entered; without ``made`` they come from the players' rows."""
    found = made or ranked(_entered(connection, publication))
    pages = [(publication, *page) for page in found.pages]
    add_rows(connection, ranking_pages, ("publication", "cut", "page", "rank", "players"), pages)
    totals = [(publication, *total) for total in found.totals]
    add_rows(connection, rankings, ("publication", "cut", "total"), totals)


def _entered(connection: Connection, publication: int) -> PublishedList:
    """A list from its rows."""
    head = connection.execute(
        select(publications.c.head).where(publications.c.id == publication)
    ).scalar_one()
    query = select(standings.c.line).where(
        standings.c.publication == publication, standings.c.line.is_not(None)
    )
    return with_rows(head, (line for (line,) in fetched(connection, query)))


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
