"""A draughts list as values: the categories, and the state of each player.

A player's category and the one of the capital are two things: the first remains when the capital falls (tables 11 and
12 speak of promotions only).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from arpad.model.errors import BadInput
from arpad.model.names import as_written

FMJD_MOST = 9999
"""No FMJD rating is higher."""


class Category(StrEnum):
    """The categories of Italian draughts, the lowest first."""

    PROVINCIALE = "provinciale"
    REGIONALE = "regionale"
    NAZIONALE = "nazionale"
    CANDIDATO_MAESTRO = "candidato-maestro"
    MAESTRO = "maestro"

    @property
    def rank(self) -> int:
        """Return the position among the categories, 0 the lowest."""
        return tuple(Category).index(self)


class Title(StrEnum):
    """International titles that table 21 converts; no capital leads to them."""

    GMI = "gmi"
    MI = "mi"
    MF = "mf"


ABBREVIATIONS = {
    "p": Category.PROVINCIALE,
    "r": Category.REGIONALE,
    "n": Category.NAZIONALE,
    "cm": Category.CANDIDATO_MAESTRO,
    "m": Category.MAESTRO,
    "mn": Category.MAESTRO,  # Maestro Nazionale in table 21 is the plain Maestro of table 11
    "maestro-nazionale": Category.MAESTRO,
}


def category_named(text: str) -> Category:
    """Return the category of a name or an abbreviation (``M.N.``, ``CM``, ``candidato maestro``)."""
    return Category(rank_named(text, tuple(Category)))


def title_named(text: str) -> Title:
    """Return the title of an abbreviation (``G.M.I.``, ``mf``)."""
    return Title(rank_named(text, tuple(Title)))


def rank_named(text: str, accepted: Sequence[Category | Title] = (*Category, *Title)) -> Category | Title:
    """Return a category or a title: what the conversions of tables 20 and 21 start from."""
    name = _folded(text)
    rank = ABBREVIATIONS.get(name) or next((it for it in accepted if it == name), None)
    if rank is None or rank not in accepted:
        raise BadInput("unknown-category", given=text, accepted=", ".join(accepted))
    return rank


def _folded(text: str) -> str:
    return "-".join(text.casefold().replace(".", "").replace("_", " ").replace("-", " ").split())


@dataclass(frozen=True, slots=True)
class DraughtsState:
    """A player's state on one draughts list."""

    name: str
    capital: int | None
    """None once a foreign player's capital has been cancelled (table 22)."""

    category: Category
    """The player's category."""

    id: str = ""
    title: Title | None = None
    foreign: bool = False
    last_event: date | None = None
    """The last day of the last event with a game of the player; None if there was none."""

    history_known: bool = True
    """Whether the list has the last event; if not, the first event of the year is unknown."""

    idle_years: int = 0
    """Years in a row, up to the last year's end, without an event."""

    malus: int = 0
    """Points taken so far, as table 18 limits them."""

    fmjd: int | None = None
    """The FMJD rating, from which a foreign player's capital is recomputed."""


def identity(id_: str, name: str) -> str:
    """Return the key of a player: the number if there is one, otherwise the name, however it is written."""
    return f"#{id_.strip()}" if id_.strip() else as_written(name)
