"""What a visitor asks of a list: a cut, filters, the order, a player to point at; all of it is in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Connection

from arpad.lists.rankings import SORTED, Sort
from arpad.model.errors import BadInput, Missing
from arpad.office.lists.published import ACTIVE, Ranking, ranking, selected_ranking, with_changes
from arpad.office.lists.rows import Publication
from arpad.office.parts import categories_on, has_categories
from arpad.office.rankings.selection import Selection, choose, owned_selection, ranked_players

OURS = "ours"
"""The players whom the office owns."""

MOVERS = "movers"
_LONGEST = 20
_LONGEST_NAME = 60
_HIGHEST = 9999
_RATINGS = ("from", "to")
_DESCENDING_FIRST = frozenset({"rating", "change", "games", "k", "born"})
"""Columns of numbers are sorted from the highest on at the first click."""


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What a visitor asks of a list, as in the address."""

    cut: str = ""
    """Empty for the ranking that is shown first."""

    name: str = ""
    federation: str = ""
    region: str = ""
    club: str = ""
    group: str = ""
    sex: str = ""
    title: str = ""
    least: int | None = None
    most: int | None = None
    sort: str = ""
    """A column, with a leading ``-`` if the highest come first."""

    here: int | None = None
    """A player whom the picture points at."""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> ListQuery:
        """Return what the parameters of an address ask for; values that cannot be meant are left out."""
        codes = {
            name: query.get(name, "").strip()[:_LONGEST].upper() for name in ("federation", "club", "region")
        }
        sex, sort = query.get("sex", "").upper(), query.get("sort", "")
        least, most = (_number(query.get(name, "")) for name in _RATINGS)
        return cls(
            cut=query.get("cut", "")[:_LONGEST], name=" ".join(query.get("name", "").split())[:_LONGEST_NAME], **codes,
            group=query.get("group", "").lower()[:_LONGEST], sex=sex if sex in ("F", "M") else "",
            title=query.get("title", "")[:_LONGEST], least=least, most=most,
            sort=sort if sort.removeprefix("-") in SORTED else "", here=_number(query.get("here", ""), 10**9),
        )  # fmt: skip

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of its address."""
        values: dict[str, Any] = {
            "cut": self.cut, "name": self.name, "federation": self.federation, "region": self.region, "club": self.club,
            "group": self.group, "sex": self.sex, "title": self.title, "from": self.least, "to": self.most,
            "sort": self.sort, "here": self.here,
        }  # fmt: skip
        return {name: str(value) for name, value in values.items() if value not in ("", None)}

    @property
    def key(self) -> str:
        """The name of the ranking, as programs see it."""
        chosen = {name: text for name, text in self.parameters.items() if name not in ("cut", "here")}
        parts = [f"{name}-{text}" for name, text in chosen.items()]
        return "+".join([*parts, *([self.cut or ACTIVE] if self.cut or not chosen else [])])

    @property
    def filters(self) -> bool:
        """Whether it restricts a cut by more than a federation."""
        texts = (self.name, self.region, self.club, self.group, self.sex, self.title)
        return any(texts) or self.least is not None or self.most is not None

    @property
    def is_stored(self) -> bool:
        """Whether the ranking was made with the list: a cut, or a whole federation."""
        return not (self.filters or self.sort or self.cut == OURS or (self.federation and self.cut))

    @property
    def order(self) -> Sort | None:
        """The order that is asked for."""
        return Sort(self.sort.removeprefix("-"), self.sort.startswith("-")) if self.sort else None

    def sorted_by(self, column: str) -> str:
        """Return the parameters of the address that sorts by a column, or the other way round if it does already."""
        first, other = (f"-{column}", column) if column in _DESCENDING_FIRST else (column, f"-{column}")
        return urlencode({**self.parameters, "sort": other if self.sort == first else first})

    def direction(self, column: str) -> str:
        """Return ``ascending`` or ``descending`` if the ranking is sorted by a column, else an empty text."""
        if self.sort.removeprefix("-") != column:
            return "descending" if column == "rating" and not self.sort else ""
        return "descending" if self.sort.startswith("-") else "ascending"


def _number(text: str, most: int = _HIGHEST) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= most else None  # noqa: PLR2004  a billion


def asked_ranking(
    connection: Connection,
    publication: Publication,
    asked: ListQuery,
    page: int,
    before: Publication | None = None,
) -> Ranking:
    """Return a page of the ranking that is asked for, with national categories; refuse one that does not exist.

    ``before`` is the list from which changes are counted.
    """
    if asked.is_stored:
        cut = f"federation-{asked.federation}" if asked.federation else asked.cut or ACTIVE
        stored = ranking(connection, publication, cut, page)
        if stored is None:
            raise Missing("no-list-here")
        ranked = stored
    else:
        try:
            selection = _selection(connection, publication, asked)
            chosen = ranked_players(connection, publication, selection, asked.order, before)
        except BadInput as error:
            raise Missing("no-club-here" if error.code == "no-club" else "no-list-here") from None
        ranked = selected_ranking(connection, publication, chosen, page)
    if before is not None:
        ranked = replace(ranked, rows=with_changes(connection, publication, before, ranked.rows))
    return _with_national(connection, publication, ranked)


def _with_national(connection: Connection, publication: Publication, ranked: Ranking) -> Ranking:
    """Return a ranking with the national categories of its players, if the edition has them."""
    if not has_categories(connection, publication.list, publication.day):
        return ranked
    held = categories_on(connection, publication, {row.player for row in ranked.rows if not row.hidden})
    rows = tuple(row._replace(category=held.get(row.player, "")) for row in ranked.rows)
    return replace(ranked, rows=rows)


def _selection(connection: Connection, publication: Publication, asked: ListQuery) -> Selection:
    """Return the players whom an address chooses; refuse names that do not exist."""
    owned = owned_selection(connection, publication) if asked.cut == OURS else None
    if asked.cut == OURS and owned is None:
        raise BadInput("value-unknown", option="cut", value=OURS, accepted=ACTIVE)
    chosen = choose(
        connection, publication.day, cut=owned.cut if owned else asked.cut or ACTIVE, federation=asked.federation,
        club=asked.club, region=asked.region, group=asked.group,
    )  # fmt: skip
    if owned is not None:
        clubs = [clubs for clubs in (owned.clubs, chosen.clubs) if clubs is not None]
        chosen = replace(
            chosen,
            home=owned.home,
            clubs=frozenset.intersection(*clubs) if clubs else None,
        )
    return replace(
        chosen, name=asked.name, sex=asked.sex, title=asked.title, least=asked.least, most=asked.most
    )
