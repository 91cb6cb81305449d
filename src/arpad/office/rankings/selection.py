"""Choose players of a list: by club, region, age group, federation, name, title, rating; members of the list's day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import polars as pl
from sqlalchemy import Connection

from arpad.lists.cuts import RANKED, TITLED_PLAYER, cuts_of, of_age
from arpad.lists.published import ListHead
from arpad.lists.rankings import SORTED, Sort, rank_selected
from arpad.model.age_groups import AgeDay, AgeGroup, group_named, read_groups
from arpad.model.clubs import Unit, UnitKind, clubs_in
from arpad.model.errors import BadInput
from arpad.model.federations import HOME
from arpad.model.names import fold
from arpad.office.lists.ownership import foreign_players, ownership
from arpad.office.lists.ranking_rows import table_with_clubs, with_changes
from arpad.office.lists.rows import Publication
from arpad.office.parts import members_on, units_on
from arpad.office.register import hidden_rows as hidden_players
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
    if cut not in RANKED:
        raise BadInput("value-unknown", option="cut", value=cut[:20], accepted=", ".join(RANKED))
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
        table = with_changes(connection, table, before)
    return rank_selected(table, selection.condition(table), hidden_players.hidden(connection), sort)
