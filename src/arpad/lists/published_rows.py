"""A published list as the rows of FIDE's files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from arpad.lists.published import ListedPlayer, PublishedList
from arpad.model.rules import Fact, Finding, Severity
from arpad.reports.formats.lists.fide_rows import ListRow

FIDE = "fide"


FideRows: TypeAlias = tuple[list[ListRow], tuple[Finding, ...]]
"""The rows of FIDE's files, and findings about players left out of them."""


def fide_rows(published: PublishedList) -> FideRows:
    """Return the rated players as rows of FIDE's files.

    A player's id there is FIDE's number, which pairing programs write into reports. A player without one gets the
    register's number, or is left out with a finding if that number is another player's at FIDE.
    """
    listed = published.rated
    numbers = [_fide_number(row) for row in listed]
    fide_numbers = {number for number in numbers if number}
    rows: list[ListRow] = []
    left_out: list[Finding] = []
    for row, fide in zip(listed, numbers, strict=True):
        number = fide or row.player
        if not fide and number in fide_numbers:
            facts: dict[str, Fact] = {"name": row.name, "number": number}
            left_out.append(Finding(Severity.WARNING, "list-number-taken", facts=facts))
            continue
        rows.append(_fide_row(row, number)._replace(number=None if fide else row.player))
    return rows, tuple(left_out)


def all_rows(published: PublishedList) -> Iterator[ListRow]:
    """Yield all players of a list as rows with all their numbers; ``id`` is FIDE's, or else the register's."""
    for row in published.rows:
        yield _fide_row(row, _fide_number(row) or row.player)._replace(
            number=row.player, identifiers=row.identifiers, delisted=row.delisted
        )


def _fide_number(row: ListedPlayer) -> int:
    for scheme, text in row.identifiers:
        if scheme == FIDE:
            return int(text) if text.isascii() and text.isdigit() else 0
    return 0


def _fide_row(row: ListedPlayer, number: int) -> ListRow:
    _, name, federation, sex, title, women_title, other_titles, _, rating, games, k, born, inactive, _, _ = (
        row
    )
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    return ListRow(
        number, name, federation, sex, title, women_title, other_titles, "", rating, games, k, None, None, None,
        None, None, None, born, flag,
    )  # fmt: skip
