"""The ratings of guests on the reference list in force on a day."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date

from sqlalchemy import Connection

from arpad.lists.inputs import Guests
from arpad.model.rules import ListName
from arpad.office.fide.rows import read_numbers, reference_in_force, references
from arpad.office.register.rows import load_people


def rated_guests(
    connection: Connection,
    players: Collection[int],
    on_list: ListName,
    day: date,
    *,
    takes_standard: bool,
) -> Guests | None:
    """Return guests with the ratings of the reference list in force on a day; None if there is none.

    On a rapid or blitz list the standard rating may stand in.
    """
    reference = reference_in_force(references(connection), on_list, day, takes_standard=takes_standard)
    if reference is None:
        return None
    from arpad.lists.reference import rating_column

    numbers = fide_numbers(connection, players)
    columns = ["id", rating_column(on_list)]
    if takes_standard and rating_column(ListName.STANDARD) not in columns:
        columns.append(rating_column(ListName.STANDARD))
    rows = read_numbers(connection, reference.id, numbers.values(), columns).iter_rows()
    ratings = {number: next((figure for figure in figures if figure), None) for number, *figures in rows}
    return Guests(
        {player: ratings.get(numbers.get(player, 0)) for player in sorted(players)},
        reference.source,
        reference.day,
        reference.sha256,
    )


def fide_numbers(connection: Connection, players: Iterable[int]) -> dict[int, int]:
    """Return the FIDE IDs of some players."""
    numbers = {
        player: next((value for scheme, value in identifiers if scheme == "fide"), "")
        for player, (_, _, identifiers) in load_people(connection, players).rows.items()
    }
    return {player: int(number) for player, number in numbers.items() if number.isdigit()}
