"""A published list as values: what article 7.12 requires for each player, and the lists that are cut from it.

It has the year of birth, never the day. Rows without a rating are the delisted (7.21) and the titled unrated players
(7.22); they have lists of their own, and are in the canonical text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from arpad.model.disciplines import Discipline, discipline_of
from arpad.model.rules import ListName

TOP = 100
"""How many players the top list shows; players who tie with the last one are shown too."""

JUNIOR_YEARS = 20
"""A junior was born in the year of the list minus this, or later."""

SENIOR_YEARS = 50
"""A senior was born in the year of the list minus this, or earlier."""


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
        """Return the player's number at another body, or an empty text."""
        return next((number for name, number in self.identifiers if name == scheme), "")

    @property
    def titled(self) -> bool:
        """Whether the player has a player's title."""
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

    def __post_init__(self) -> None:
        """Sort the rows by number."""
        object.__setattr__(self, "rows", tuple(sorted(self.rows, key=attrgetter("player"))))

    @cached_property
    def rated(self) -> tuple[ListedPlayer, ...]:
        """All players with a rating, by number."""
        return tuple([row for row in self.rows if row.rating is not None])

    @cached_property
    def ranked(self) -> tuple[ListedPlayer, ...]:
        """All players with a rating, the highest first: every other ranking is cut from it."""
        return rank_rows(self.rated)

    @cached_property
    def schemes(self) -> tuple[str, ...]:
        """The bodies whose numbers occur in the list."""
        return tuple(sorted({scheme for row in self.rows for scheme, _ in row.identifiers}))

    @property
    def discipline(self) -> Discipline:
        """Chess or draughts."""
        return discipline_of(self.on_list)

    @property
    def name(self) -> str:
        """The name of its files: ``standard-2024-03-01-r1``."""
        return f"{self.on_list}-{self.day}-r{self.revision}"


# -------------------------------------------------------------------------------------------- lists cut from it


def rank_rows(rows: Iterable[ListedPlayer]) -> tuple[ListedPlayer, ...]:
    """Return the rows by rating, the highest first; equal ratings by name, then by number."""
    by_rating: dict[int, list[tuple[str, int, ListedPlayer]]] = {}
    for row in rows:
        by_rating.setdefault(row.rating or 0, []).append((row.name.casefold(), row.player, row))
    return tuple(
        [entry[2] for rating in sorted(by_rating, reverse=True) for entry in sorted(by_rating[rating])]
    )


def ranks(rows: Iterable[ListedPlayer]) -> tuple[int, ...]:
    """Return the rank of each row of a ranking; equal ratings share one."""
    shared: list[int] = []
    before: int | None = None
    for rank, row in enumerate(rows, start=1):
        shared.append(shared[-1] if shared and row.rating == before else rank)
        before = row.rating
    return tuple(shared)


def by_federation(published: PublishedList) -> dict[str, tuple[ListedPlayer, ...]]:
    """Return the list of each federation by its code; without inactive players if the edition says so."""
    left_out = published.inactive_leave_federation
    federations: dict[str, list[ListedPlayer]] = {}
    for row in published.ranked:
        if row.federation:
            members = federations.setdefault(row.federation, [])
            if not (left_out and row.inactive):
                members.append(row)
    return {code: tuple(federations[code]) for code in sorted(federations)}


def top(published: PublishedList, most: int = TOP) -> tuple[ListedPlayer, ...]:
    """Return the best players without the inactive (7.24); ties with the last one are included."""
    best = [row for row in published.ranked if not row.inactive]
    if len(best) <= most:
        return tuple(best)
    last = best[most - 1].rating
    return tuple(row for index, row in enumerate(best) if index < most or row.rating == last)


def women(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Return the women's list, without the inactive."""
    return tuple(row for row in published.ranked if row.sex == "F" and not row.inactive)


def juniors(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Return the juniors' list, without the inactive and without players of unknown age."""
    first = published.day.year - published.junior_years
    return tuple(
        row for row in published.ranked if row.born is not None and row.born >= first and not row.inactive
    )


def seniors(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Return the seniors' list, without the inactive and without players of unknown age."""
    last = published.day.year - SENIOR_YEARS
    return tuple(
        row for row in published.ranked if row.born is not None and row.born <= last and not row.inactive
    )


def delisted(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Return the players who fell below the floor with this list (7.21), by name."""
    return _by_name(row for row in published.rows if row.rating is None and row.delisted)


def titled_unrated(published: PublishedList) -> tuple[ListedPlayer, ...]:
    """Return titled players without a rating (7.22), by name, except those delisted with this list."""
    return _by_name(row for row in published.rows if row.rating is None and row.titled and not row.delisted)


def _by_name(rows: Iterable[ListedPlayer]) -> tuple[ListedPlayer, ...]:
    return tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.player)))
