"""A rating list as a value."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from arpad.library.tables import Row, Rows
from arpad.lists.rating_lookup import read_list_rows
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.player_choice import find_player


def read_list(path: str | os.PathLike[str]) -> RatingList:
    """Read a rating list: FIDE's text or XML, a CSV, or a list that Arpad published.

    A combined list has standard, rapid and blitz ratings in each row.
    Raises ``Unreadable``.
    """
    return RatingList([row for row, _ in read_list_rows(Path(path))])


class RatingList(Rows):
    """A rating list, as ``arpad.read_list`` returns it, in the order of the file.

    players: the rows, each with id, name, federation, sex, title, rating, games, k, born and flag
    get(number): the player with a number, or None      find(player): by number or name
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each player
    """

    __slots__ = ("_by_id", "players")
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "id": int, "name": str, "federation": str, "sex": str, "title": str, "rating": int, "games": int, "k": int,
        "rapid_rating": int, "rapid_games": int, "rapid_k": int, "blitz_rating": int, "blitz_games": int,
        "blitz_k": int, "born": str, "flag": str,
    }  # fmt: skip

    def __init__(self, players: Sequence[ListRow]) -> None:
        self.players = tuple(players)
        self._by_id = {player.id: player for player in self.players}

    def __repr__(self) -> str:
        return f"<arpad.RatingList {len(self)} players>"

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[ListRow]:
        return iter(self.players)

    def get(self, identifier: int) -> ListRow | None:
        """Return the player with a number, None if the list has no such player."""
        return self._by_id.get(identifier)

    def find(self, player: int | str) -> ListRow:
        """Return the player with a number or a name."""
        return find_player(self.players, str(player), lambda row: (row.id, str(row.id), row.name))

    def rows(self) -> list[Row]:
        """Return one row for each player."""
        return [
            {name: getattr(row, name) for name in self.COLUMNS}
            | {"born": str(row.born) if row.born else None}
            for row in self.players
        ]
