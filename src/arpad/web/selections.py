"""Selections that visitors ask for: a club, a region or an age group of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.lists.cuts import RANKED
from arpad.model.age_groups import AgeDay, AgeGroup, group_named, read_groups
from arpad.model.clubs import Unit, UnitKind, clubs_in
from arpad.office.national_categories import categories_on, has_categories
from arpad.office.settings import with_defaults
from arpad.store.clubs import units_on
from arpad.store.lists import Publication
from arpad.web.published_lists import Ranking, Selection, ranking, selected_ranking
from arpad.web.refusals import Refused

_LONGEST = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """What a visitor asks of a list, as in the address."""

    cut: str = "top"
    federation: str = ""
    club: str = ""
    region: str = ""
    group: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Asked:
        """Return what the parameters of an address ask for."""
        texts = {name: query.get(name, "").strip()[:_LONGEST] for name in ("federation", "club", "region")}
        cut = query.get("cut", "")
        return cls(
            cut or "top", **{name: text.upper() for name, text in texts.items()},
            group=query.get("group", "").lower()[:_LONGEST],
        )  # fmt: skip

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of its address."""
        texts = {name: getattr(self, name) for name in ("federation", "region", "club", "group")}
        given = {name: text for name, text in texts.items() if text}
        return given if given and self.cut in ("top", "all") else {**given, "cut": self.cut}

    @property
    def key(self) -> str:
        """The name of the ranking, as programs see it."""
        parts = [f"{name}-{text}" for name, text in self.parameters.items() if name != "cut"]
        return "+".join([*parts, *([self.cut] if "cut" in self.parameters else [])])

    @property
    def is_stored(self) -> bool:
        """Whether the ranking was made with the list: a cut, or a whole federation."""
        return not (self.club or self.region or self.group) and not (
            self.federation and "cut" in self.parameters
        )


@dataclass(frozen=True, slots=True)
class Choices:
    """The clubs, regions and age groups that a visitor can choose on the day of a list."""

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


def asked_ranking(connection: Connection, publication: Publication, asked: Asked, page: int) -> Ranking:
    """Return a page of the ranking that is asked for, with national categories; refuse one that does not exist."""
    if asked.is_stored:
        stored = ranking(connection, publication, asked.key, page)
        if stored is None:
            raise Refused(404, "no-list-here")
        return _with_national(connection, publication, stored)
    selection = _selection(connection, publication.day, asked)
    return _with_national(connection, publication, selected_ranking(connection, publication, selection, page))


def _with_national(connection: Connection, publication: Publication, ranked: Ranking) -> Ranking:
    """Return a ranking with the national categories of its players, if the edition has them."""
    if not has_categories(connection, publication.list, publication.day):
        return ranked
    held = categories_on(connection, publication, {row.player for row in ranked.rows if not row.hidden})
    rows = tuple(replace(row, category=held.get(row.player, "")) for row in ranked.rows)
    return replace(ranked, rows=rows)


def _selection(connection: Connection, day: date, asked: Asked) -> Selection:
    available = choices(connection, day)
    group = group_named(available.groups, asked.group)
    cut = "all" if asked.cut == "top" else asked.cut
    if cut not in RANKED or (asked.group and group is None):
        raise Refused(404, "no-list-here")
    codes: frozenset[str] | None = None
    for code, kind in ((asked.region, UnitKind.REGION), (asked.club, UnitKind.CLUB)):
        if not code:
            continue
        unit = available.units.get(code)
        if unit is None or unit.kind != kind:
            raise Refused(404, "no-club-here")
        own = frozenset({code}) if kind == UnitKind.CLUB else clubs_in(available.units, code)
        codes = own if codes is None else codes & own
    return Selection(cut, asked.federation, codes, group, available.age_day)
