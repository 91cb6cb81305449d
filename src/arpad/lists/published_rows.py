"""A published list as rows of any list file."""

from __future__ import annotations

from collections.abc import Iterator

from arpad.lists.published import ListedPlayer, PublishedList
from arpad.reports.formats.lists.fide_rows import ListRow

FIDE = "fide"


def all_rows(published: PublishedList) -> Iterator[ListRow]:
    """Yield all players of a list as rows with all their numbers; ``id`` is FIDE's, or else the register's."""
    for row in published.rows:
        flag = ("w" if row.sex == "F" else "") + ("i" if row.inactive else "")
        yield ListRow(
            _fide_number(row) or row.player, row.name, row.federation, row.sex, row.title, row.women_title,
            row.other_titles, rating=row.rating, games=row.games, k=row.k, born=row.born, flag=flag,
            number=row.player, identifiers=row.identifiers, delisted=row.delisted,
        )  # fmt: skip


def _fide_number(row: ListedPlayer) -> int:
    number = row.identifier(FIDE)
    return int(number) if number.isascii() and number.isdigit() else 0
