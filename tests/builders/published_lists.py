"""A small published list with one of each kind of player, and its cuts as values."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import polars as pl

from arpad.lists.canonical import identifiers_field, parse_line
from arpad.lists.published import ListedPlayer, PublishedList, all_rows
from arpad.lists.published_table import ListTable
from arpad.lists.table import SCHEMA, line_texts
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_rows import ListRow

MARCHESI = ListedPlayer(
    1, "Marchesi, Leonardo", "ITA", "M", "IM", other_titles="FI,NA", rating=2431, games=9, k=10, born=1985,
    identifiers=(("fide", "800101"), ("fsi", "A-12")),
)  # fmt: skip
BORTOLOTTI = ListedPlayer(
    2, "Bortolotti, Elena", "ITA", "F", women_title="WGM", rating=2287, games=0, k=20, born=1992,
    identifiers=(("fide", "800102"),),
)  # fmt: skip
KETTUNEN = ListedPlayer(3, "Kettunen, Aarne", "FIN", "M", "FM", rating=2287, k=20, born=1979, inactive=True)
LINDQVIST = ListedPlayer(4, "Lindqvist, Saga", "SWE", "F", rating=1897, games=7, k=40, born=2004)
ZANARDELLI = ListedPlayer(5, "Zanardelli, Pietro", "ITA", "M", rating=1897, games=7, k=40, born=2003)
OLDER = ListedPlayer(6, "D’Asburgo Lorena, Ottokar", "ITA", "M", rating=1500, games=1, k=20)
GONE = ListedPlayer(7, "Guerrini, Amedeo", "ITA", "M", games=5, born=1949, delisted=True)
TITLED = ListedPlayer(8, "Öztürk, Ela", "TUR", "F", women_title="WFM", born=1990)
INACTIVE_WOMAN = ListedPlayer(9, "Tarantelli, Nora", "ITA", "F", rating=1765, k=20, born=2005, inactive=True)

CHESS = PublishedList(
    ListName.STANDARD,
    date(2024, 3, 1),
    number=12,
    edition="fide-2022",
    rows=(MARCHESI, BORTOLOTTI, KETTUNEN, LINDQVIST, ZANARDELLI, OLDER, GONE, TITLED, INACTIVE_WOMAN),
    valid_to=date(2024, 3, 31),
    previous="ab" * 32,
)
REVISED = replace(CHESS, revision=2, revises="cd" * 32)

DRAUGHTS = PublishedList(
    ListName.ITALIANA,
    date(2024, 12, 31),
    number=2,
    edition="rubele-2021",
    rows=(
        ListedPlayer(
            11, "Rondine, Ada", "ITA", "F", category="maestro", rating=4120, games=20, born=1971,
            identifiers=(("fid", "77"),),
        ),
        ListedPlayer(12, "Scoiattolo, Bice", "ITA", "F", category="provinciale", rating=312, games=7, born=2011),
        ListedPlayer(13, "Tasso, Ciro", "ITA", "M", "mf", category="candidato-maestro", rating=3000, games=0),
    ),
)  # fmt: skip


def table_of_list(published: PublishedList) -> ListTable:
    """Return a list of values as a table."""
    columns = [name for name in ListedPlayer._fields if name not in {"identifiers", "own"}]
    frame = pl.DataFrame(
        [row[: len(columns)] for row in published.rows],
        schema={name: SCHEMA[name] for name in columns},
        orient="row",
    ).with_columns(
        listed=pl.lit(value=True),
        own=pl.lit(None, pl.String),
        identifiers=pl.Series(
            [identifiers_field(sorted(row.identifiers)) for row in published.rows], dtype=pl.String
        ),
    )
    return ListTable(**published.values(), frame=frame)


def list_of_table(table: ListTable) -> PublishedList:
    """Return the list as values."""
    return PublishedList(**table.values(), rows=tuple(listed_players(table.frame)))


def listed_players(table: pl.DataFrame) -> Iterator[ListedPlayer]:
    """Yield the listed players as values, in the order of the table."""
    for line in line_texts(table):
        yield parse_line(line)


def players_in(published: PublishedList, name: str) -> tuple[ListedPlayer, ...]:
    """The players of a cut of a list, in their order."""
    table = table_of_list(published)
    return tuple(listed_players(table.ranked[table.cuts[name]]))


def federation_lists(published: PublishedList) -> dict[str, tuple[ListedPlayer, ...]]:
    """The list of each federation."""
    table = table_of_list(published)
    return {code: tuple(listed_players(table.ranked[rows])) for code, rows in table.federations.items()}


def fide_rows(published: PublishedList) -> list[ListRow]:
    """The rows of FIDE's files: the rated, with the register's number only if it is the id."""
    return [
        row._replace(identifiers=None, number=row.number if row.id == row.number else None)
        for row in all_rows(published)
        if row.rating is not None
    ]
