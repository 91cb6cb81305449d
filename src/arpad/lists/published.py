"""A published list as values: what article 7.12 asks of each player, and the lists that are cut from it.

The day of birth never gets here: a published list shows the year. Rows without a rating are the delisted (7.21) and
the titled unrated (7.22); they stand in lists of their own, and in the canonical text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from arpad.model.rules import DRAUGHTS_LISTS, ListName

TOP = 100
"""How many players the top list shows; who ties with the last one is shown too."""

JUNIOR_YEARS = 20
"""A junior was born in the year of the list minus this, or later."""

SENIOR_YEARS = 50
"""A senior was born in the year of the list minus this, or earlier."""

DRAUGHTS = frozenset(DRAUGHTS_LISTS)


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
    """The category held, on a draughts list."""

    rating: int | None = None
    """The rating, or the capital; None for the delisted and the titled unrated."""

    games: int = 0
    """Rated in the period."""

    k: int | None = None
    born: int | None = None
    """The year only."""

    inactive: bool = False
    delisted: bool = False
    """Fell below the floor with this list."""

    identifiers: tuple[tuple[str, str], ...] = ()
    """Numbers of other bodies: ``("fide", "800101")``, ordered by scheme."""

    def identifier(self, scheme: str) -> str:
        """The number another body knows him by, or nothing."""
        return next((number for name, number in self.identifiers if name == scheme), "")

    @property
    def titled(self) -> bool:
        """Whether he holds a player's title."""
        return bool(self.title or self.women_title)


@dataclass(frozen=True)
class PublishedList:
    """One revision of one list (7.2, 7.22, 7.23b, 7.24)."""

    on_list: ListName
    day: date
    number: int
    """Lists of this name are counted from one; a revision keeps the number of what it corrects."""

    edition: str
    rows: tuple[ListedPlayer, ...]
    revision: int = 1
    valid_to: date | None = None
    """The last day on which it is in force, where the calendar tells."""

    previous: str = ""
    """The digest of the list before it."""

    revises: str = ""
    """The digest of the revision that this one corrects."""

    inactive_leave_federation: bool = False
    """Whether the edition takes inactive players off their federation's list (2009 7.23b)."""

    junior_years: int = JUNIOR_YEARS
    left_off: int = 0
    """How many players of the published list are not in this one, because they asked not to be shown."""

    whole_digest: str = ""
    """The digest that was published, where players are left off."""

    def __post_init__(self) -> None:
        """Rows stand by number, in whatever order they were given."""
        object.__setattr__(self, "rows", tuple(sorted(self.rows, key=attrgetter("player"))))

    @cached_property
    def rated(self) -> tuple[ListedPlayer, ...]:
        """Everybody with a rating, by number."""
        return tuple([row for row in self.rows if row.rating is not None])

    @cached_property
    def ranked(self) -> tuple[ListedPlayer, ...]:
        """Everybody with a rating, the highest first: every other ranking is cut from it."""
        return ranking(self.rated)

    @cached_property
    def schemes(self) -> tuple[str, ...]:
        """The bodies whose numbers somebody in the list has."""
        return tuple(sorted({scheme for row in self.rows for scheme, _ in row.identifiers}))

    @property
    def draughts(self) -> bool:
        """Whether it is a list of capitals and categories."""
        return self.on_list in DRAUGHTS

    @property
    def name(self) -> str:
        """What its files are called: ``standard-2024-03-01-r1``."""
        return f"{self.on_list}-{self.day}-r{self.revision}"


# -------------------------------------------------------------------------------------------- lists cut from it


def ranking(rows: Iterable[ListedPlayer]) -> tuple[ListedPlayer, ...]:
    """The highest first; equals by name, then by number."""
    by_rating: dict[int, list[tuple[str, int, ListedPlayer]]] = {}
    for row in rows:
        by_rating.setdefault(row.rating or 0, []).append((row.name.casefold(), row.player, row))
    return tuple(
        [entry[2] for rating in sorted(by_rating, reverse=True) for entry in sorted(by_rating[rating])]
    )


def ranks(rows: Iterable[ListedPlayer]) -> tuple[int, ...]:
    """The place of each row of a ranking; equal ratings share one."""
    places: list[int] = []
    before: int | None = None
    for place, row in enumerate(rows, start=1):
        places.append(places[-1] if places and row.rating == before else place)
        before = row.rating
    return tuple(places)


def by_federation(published: PublishedList) -> dict[str, tuple[ListedPlayer, ...]]:
    """Every federation's list, by its code; without the inactive where the edition says so (2009 7.23b)."""
    left_out = published.inactive_leave_federation
    found: dict[str, list[ListedPlayer]] = {}
    for row in published.ranked:
        if row.federation:
            mine = found.setdefault(row.federation, [])
            if not (left_out and row.inactive):
                mine.append(row)
    return {code: tuple(found[code]) for code in sorted(found)}


def top(published: PublishedList, most: int = TOP) -> tuple[ListedPlayer, ...]:
    """The best, without the inactive (7.24); who shares the last place is in."""
    best = [row for row in published.ranked if not row.inactive]
    if len(best) <= most:
        return tuple(best)
    last = best[most - 1].rating
    return tuple(row for place, row in enumerate(best) if place < most or row.rating == last)


def women(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """The women's list, without the inactive."""
    return tuple(row for row in published.ranked if row.sex == "F" and not row.inactive)


def juniors(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """The juniors' list, without the inactive; who has no year of birth is not in it."""
    first = published.day.year - published.junior_years
    return tuple(
        row for row in published.ranked if row.born is not None and row.born >= first and not row.inactive
    )


def seniors(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """The seniors' list, without the inactive; who has no year of birth is not in it."""
    last = published.day.year - SENIOR_YEARS
    return tuple(
        row for row in published.ranked if row.born is not None and row.born <= last and not row.inactive
    )


def delisted(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Those who fell below the floor with this list (7.21), by name."""
    return _by_name(row for row in published.rows if row.rating is None and row.delisted)


def titled_unrated(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Titled players without a rating (7.22), by name; who was delisted with this list stands there."""
    return _by_name(row for row in published.rows if row.rating is None and row.titled and not row.delisted)


def _by_name(rows: Iterable[ListedPlayer]) -> tuple[ListedPlayer, ...]:
    return tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.player)))
