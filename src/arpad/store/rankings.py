"""Rankings cut from a published list: everybody, women, juniors, a federation and so on, a page of players a row.

A list never changes once it is entered, so its rankings are made in that moment; a page of the list of a million
players then costs one row. They can be made anew from the lines.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from arpad.lists.canonical import list_from_lines
from arpad.lists.published import PublishedList
from arpad.lists.rankings import FEDERATION, Rankings, compute_rankings
from arpad.store.bulk import add_rows
from arpad.store.lists import lines
from arpad.store.schema import publications, ranking_pages, rankings

# ------------------------------------------------------------------------------------------------------ making


def add_rankings(connection: Connection, publication: int, made: Rankings | None = None) -> None:
    """Enter the rankings of a list whose players are entered; without ``made`` they come from the players' rows."""
    found = made or compute_rankings(_entered(connection, publication))
    pages = [(publication, *page) for page in found.pages]
    add_rows(connection, ranking_pages, ("publication", "cut", "page", "rank", "players"), pages)
    totals = [(publication, *total) for total in found.totals]
    add_rows(connection, rankings, ("publication", "cut", "total"), totals)


def _entered(connection: Connection, publication: int) -> PublishedList:
    """A list from its rows."""
    head = connection.execute(
        select(publications.c.head).where(publications.c.id == publication)
    ).scalar_one()
    return list_from_lines(head, lines(connection, publication).values())


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
