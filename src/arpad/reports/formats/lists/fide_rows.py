"""A row of a rating list, and the readers of its fields for all file formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

from arpad.model.people import Birth, birth_year
from arpad.model.rules import ListName
from arpad.reports.formats.trf_players import OLD_TITLES
from arpad.reports.formats.written_values import digits, read_listed_birth

_REMEMBERED = 16_384
"""Cache size of a reader: ratings, years and counts repeat."""

_HIGHEST_RATING, _HIGHEST_K = 9999, 99
"""No real value is higher: the column is shifted."""

_BIRTHS = range(1870, 2100)
"""Years in which somebody on a rating list can be born."""


class ListRow(NamedTuple):
    """One player of a list.

    In a list of one kind (standard, rapid or blitz), ``rating``, ``games`` and ``k`` are of that kind; in a combined
    one they are the standard ones.
    """

    id: int
    name: str = ""
    federation: str = ""
    sex: str = ""
    """``M`` or ``F``."""

    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    """Arbiters', organisers' and trainers' titles, with commas between them."""

    online_title: str = ""
    rating: int | None = None
    games: int | None = None
    k: int | None = None
    rapid_rating: int | None = None
    rapid_games: int | None = None
    rapid_k: int | None = None
    blitz_rating: int | None = None
    blitz_games: int | None = None
    blitz_k: int | None = None
    born: Birth = None
    flag: str = ""
    """``i`` inactive, ``w`` woman, ``wi`` both."""

    number: int | None = None
    """The player's number in the register of the office that published the list, if the file has it."""

    identifiers: tuple[tuple[str, str], ...] | None = None
    """The numbers of other bodies, if the file has them."""

    delisted: bool = False
    """Fell below the floor with this list."""

    @property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """Return the numbers of other bodies: ``id`` is FIDE's, unless it is the register's."""
        if self.identifiers is not None:
            return self.identifiers
        return () if self.number == self.id else (("fide", str(self.id)),)

    def figures(self, name: ListName) -> tuple[int | None, int | None, int | None]:
        """Return rating, games and K of one list in a combined file."""
        if name is ListName.RAPID:
            return self.rapid_rating, self.rapid_games, self.rapid_k
        if name is ListName.BLITZ:
            return self.blitz_rating, self.blitz_games, self.blitz_k
        return self.rating, self.games, self.k

    @property
    def known_sex(self) -> str:
        """Return the sex; old lists have only the flag of women."""
        return self.sex or ("F" if "w" in self.flag else "")

    @property
    def inactive(self) -> bool:
        """Return whether the player is flagged as inactive."""
        return "i" in self.flag


def _id(text: str) -> int:
    number = digits(text)
    if not number:
        raise ValueError(text)
    return number


@lru_cache(maxsize=_REMEMBERED)
def _count(text: str) -> int | None:
    number = digits(text) if text else None
    if text and number is None:
        raise ValueError(text)
    return number


@lru_cache(maxsize=_REMEMBERED)
def _rating(text: str) -> int | None:
    return _at_most(_HIGHEST_RATING, _count(text)) or None


@lru_cache(maxsize=_REMEMBERED)
def _k(text: str) -> int | None:
    return _at_most(_HIGHEST_K, _count(text))


def _at_most(highest: int, number: int | None) -> int | None:
    if number is not None and number > highest:
        raise ValueError(number)
    return number


@lru_cache(maxsize=_REMEMBERED)
def _title(text: str) -> str:
    return OLD_TITLES.get(text.lower(), text)


@lru_cache(maxsize=_REMEMBERED)
def _born(text: str, latest: int | None = None) -> Birth:
    born, readable = read_listed_birth(text, latest)
    if not readable or (born is not None and birth_year(born) not in _BIRTHS):
        raise ValueError(text)
    return born


READERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(ListRow._fields, str),
    **{name: _count for name in ListRow._fields if name.endswith("games")},
    **{name: _k for name in ListRow._fields if name.endswith("k")},
    **{name: _rating for name in ListRow._fields if name.endswith("rating")},
    "id": _id,
    "title": _title,
    "women_title": _title,
    "born": _born,
    "number": _count,
    "identifiers": lambda _: None,
    "delisted": bool,
}
"""The reader of each field; it raises ``ValueError`` if the text cannot be read."""


def readers_until(latest: int | None) -> Mapping[str, Callable[[str], Any]]:
    """Return the readers for a list of a year, which settles births with two digits for their year."""
    return READERS if latest is None else {**READERS, "born": partial(_born, latest=latest)}


def readable(read: Callable[[str], Any], text: str) -> bool:
    """Return whether a reader accepts a text."""
    try:
        read(text.strip())
    except ValueError:
        return False
    return True
