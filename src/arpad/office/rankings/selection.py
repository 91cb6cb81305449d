"""Choose players of a list: what an address asks for, the members and filters that it means, and their ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

import polars as pl
from sqlalchemy import Connection

from arpad.lists.cuts import RANKED, TITLED_PLAYER, cuts_of, of_age
from arpad.lists.published import ListHead
from arpad.lists.rankings import SORTED, Sort, rank_selected
from arpad.model.age_groups import AgeDay, AgeGroup, group_named, read_groups
from arpad.model.clubs import Unit, UnitKind, clubs_in
from arpad.model.errors import BadInput, Missing
from arpad.model.federations import HOME
from arpad.model.names import fold
from arpad.model.typed_values import check_among
from arpad.office.lists.ownership import foreign_players, ownership
from arpad.office.lists.page_rows import table_with_clubs, with_rating_changes
from arpad.office.lists.published import ACTIVE, Ranking, ranking, selected_ranking, with_changes
from arpad.office.lists.rows import Publication
from arpad.office.parts import categories_on, has_categories, members_on, units_on
from arpad.office.register import number_rows as hidden_players
from arpad.office.settings.acts import with_defaults


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of players inside a cut: the members of clubs, an age group, a federation."""

    cut: str = "all"
    federation: str = ""
    home: str = ""
    """Only players who are not known to be of another federation than this one."""

    clubs: frozenset[str] | None = None
    """Codes of clubs; None if players need not be members."""

    group: AgeGroup | None = None
    age_day: AgeDay = AgeDay.FIDE
    name: str = ""
    """Words of a name, in any spelling."""

    sex: str = ""
    title: str = ""
    """A title, or a draughts category; ``titled`` is any title."""

    least: int | None = None
    most: int | None = None
    """The lowest and the highest rating."""

    def condition(self, head: ListHead) -> pl.Expr:
        """Return the expression that selects the players of a list."""
        conditions = [cuts_of(head)[self.cut]]
        if self.federation:
            conditions.append(pl.col("federation") == self.federation)
        if self.home:
            conditions.append(~foreign_players(self.home))
        if self.clubs is not None:
            conditions.append(pl.col("club").is_in(sorted(self.clubs)))
        if self.group is not None:
            conditions.append(of_age(self.group, head.day.year, self.age_day))
        conditions += [_FOLDED_NAME.str.contains(word, literal=True) for word in fold(self.name)]
        if self.sex:
            conditions.append(pl.col("sex") == self.sex)
        if self.title == TITLED:
            conditions.append(TITLED_PLAYER)
        elif self.title:
            conditions.append(pl.any_horizontal(pl.col(name) == self.title for name in _GRADES))
        if self.least is not None:
            conditions.append(pl.col("rating") >= self.least)
        if self.most is not None:
            conditions.append(pl.col("rating") <= self.most)
        return pl.all_horizontal(conditions)


TITLED = "titled"
_GRADES = ("title", "women_title", "category")
_FOLDED_NAME = pl.col("name").str.normalize("NFKD").str.replace_all(r"[\p{M}'’]", "").str.to_lowercase()


@dataclass(frozen=True, slots=True)
class Choices:
    """The clubs, regions and age groups that can be chosen on the day of a list."""

    units: Mapping[str, Unit]
    """All that exist on the day."""

    groups: tuple[AgeGroup, ...]
    age_day: AgeDay

    def of_kind(self, kind: str) -> list[Unit]:
        """Return the clubs, or the regions, by name."""
        return sorted((unit for unit in self.units.values() if unit.kind == kind), key=lambda unit: unit.name)


def choices(connection: Connection, day: date) -> Choices:
    """Return what can be chosen on a day."""
    settings = with_defaults(connection)
    units = {code: unit for code, unit in units_on(connection, day).items() if unit.is_open(day)}
    return Choices(units, read_groups(settings["age_groups"]), AgeDay(settings["age_day"]))


def choose(
    connection: Connection,
    day: date,
    *,
    cut: str = "all",
    federation: str = "",
    club: str = "",
    region: str = "",
    group: str = "",
) -> Selection:
    """Return the selection of these names on the day of a list; refuse a name that does not exist."""
    available = choices(connection, day)
    check_among(cut, "cut", RANKED)
    age = group_named(available.groups, group)
    if group and age is None:
        accepted = ", ".join(it.code for it in available.groups)
        raise BadInput("value-unknown", option="group", value=group[:20], accepted=accepted)
    codes: frozenset[str] | None = None
    for code, kind in ((region, UnitKind.REGION), (club, UnitKind.CLUB)):
        if not code:
            continue
        unit = available.units.get(code)
        if unit is None or unit.kind != kind:
            raise BadInput("no-club", option=str(kind), code=code[:20])
        own = frozenset({code}) if kind == UnitKind.CLUB else clubs_in(available.units, code)
        codes = own if codes is None else codes & own
    return Selection(cut, federation, clubs=codes, group=age, age_day=available.age_day)


def owned_selection(connection: Connection, publication: Publication) -> Selection | None:
    """Return the active players whom the office owns on a list; None if the list is about all players."""
    owner = ownership(connection, publication.list)
    if owner is None:
        return None
    if owner.rule == HOME:
        return Selection("active", home=owner.home)
    return Selection("active", clubs=frozenset(members_on(connection, publication.day).values()))


def ranked_players(
    connection: Connection,
    publication: Publication,
    selection: Selection,
    sort: Sort | None = None,
    before: Publication | None = None,
) -> pl.DataFrame:
    """Return the players whom a selection chooses, ranked or sorted: rank, player, rating; without hidden players.

    Memberships may be entered later than the list, so these rankings are made on request. ``before`` is the list from
    which changes are counted.
    """
    members = members_on(connection, publication.day, selection.clubs) if selection.clubs is not None else {}
    table = table_with_clubs(connection, publication, members)
    if sort is not None and sort.column == "change":
        if before is None:
            raise BadInput("value-unknown", option="sort", value="change", accepted=", ".join(SORTED))
        table = with_rating_changes(connection, table, before)
    return rank_selected(table, selection.condition(table), hidden_players.hidden(connection), sort)


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
        chosen = replace(chosen, home=owned.home, clubs=frozenset.intersection(*clubs) if clubs else None)
    return replace(
        chosen, name=asked.name, sex=asked.sex, title=asked.title, least=asked.least, most=asked.most
    )
