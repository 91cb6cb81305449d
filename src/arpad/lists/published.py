"""A published list as values: its head, what article 7.12 requires for each player, and what is stored of one.

It has the year of birth, never the day. Rows without a rating are the delisted (7.21) and the titled unrated players
(7.22); they have lists of their own, and are in the canonical text. ``lists.cuts`` cuts these lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.model.rules import ListName
from arpad.regulations.rating_system import System
from arpad.regulations.systems import system_of

if TYPE_CHECKING:
    from arpad.reports.formats.lists.fide_rows import ListRow

JUNIOR_YEARS = 20
"""A junior was born in the year of the list minus this, or later."""

EMPTY_STATE = "{}"
FIDE = "fide"


class ListedPlayer(NamedTuple):
    """One row of a published list; a tuple, since there are half a million of them (7.12, 7.1.2)."""

    player: int
    """The register's number."""

    name: str
    federation: str = ""
    sex: str = ""
    """``M`` or ``F``."""

    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    category: str = ""
    """The category held, on a draughts list; on that of a rating system the rating with its marks."""

    rating: int | None = None
    """The rating, or the capital; None for the delisted and the titled unrated."""

    games: int = 0
    """Rated in the period."""

    k: int | None = None
    """The K; on the list of a rating system the change since the list before, None for who was not on it."""

    born: int | None = None
    """The year only."""

    inactive: bool = False
    delisted: bool = False
    """Fell below the floor with this list."""

    identifiers: tuple[tuple[str, str], ...] = ()
    """Numbers of other bodies: ``("fide", "800101")``, ordered by scheme."""

    own: tuple[str, ...] | None = None
    """The system's own columns, in the order of the list's; None on a list that is the same everywhere."""

    @property
    def printed(self) -> str:
        """The rating with its marks, on the list of a rating system: 1742-81, 1500 ± 60."""
        return self.category

    @property
    def change(self) -> int | None:
        """The change of the printed figure since the list before, on the list of a rating system."""
        return self.k

    def identifier(self, scheme: str) -> str:
        """Return the player's number at another body, or an empty text."""
        return next((number for name, number in self.identifiers if name == scheme), "")


@dataclass(frozen=True)
class ListHead:
    """One revision of one list, without its players."""

    on_list: ListName
    day: date
    number: int
    """Lists of this name are counted from one; a revision keeps the number of what it corrects."""

    edition: str
    revision: int = 1
    valid_to: date | None = None
    """The last day on which it is in force; None if no calendar gives it."""

    previous: str = ""
    """The digest of the list before it."""

    revises: str = ""
    """The digest of the revision that this one corrects."""

    inactive_leave_federation: bool = False
    """Whether the edition removes inactive players from their federation's list (2009 7.23b)."""

    junior_years: int = JUNIOR_YEARS
    left_off: int = 0
    """How many players are left off because they asked not to be shown."""

    whole_digest: str = ""
    """The published digest, if players are left off."""

    columns: tuple[str, ...] = ()
    """The own columns of the rating system that computes it."""

    @property
    def system(self) -> System[Any, Any]:
        """The rating system that computes it."""
        return system_of(self.on_list)

    @property
    def name(self) -> str:
        """The name of its files: ``standard-2024-03-01-r1``."""
        return f"{self.on_list}-{self.day}-r{self.revision}"

    def values(self) -> dict[str, Any]:
        """Return the fields of the head by name, for a list with the same head."""
        return {field.name: getattr(self, field.name) for field in fields(ListHead)}


@dataclass(frozen=True)
class PublishedList(ListHead):
    """A list with its players as values; ``lists.published_table`` has them as columns."""

    rows: tuple[ListedPlayer, ...] = ()

    def __post_init__(self) -> None:
        """Sort the rows by number."""
        object.__setattr__(self, "rows", tuple(sorted(self.rows, key=attrgetter("player"))))

    @property
    def ratings(self) -> dict[int, int]:
        """The rating of each player who has one, by number."""
        return {row.player: row.rating for row in self.rows if row.rating is not None}


class StoredPlayer(NamedTuple):
    """One player in one revision: the state, and the line if the player is published."""

    player: int
    rating: int | None
    state: str
    line: str | None


def all_rows(published: PublishedList) -> Iterator[ListRow]:
    """Yield all players of a list as rows of a list file with all numbers; ``id`` is FIDE's, or else the register's."""
    from arpad.reports.formats.lists.fide_rows import ListRow  # few need the readers of files

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
