"""Selections that visitors ask for: a club, a region or an age group of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.list_selection import Selection, choose
from arpad.office.national_categories import categories_on, has_categories
from arpad.store.lists import Publication
from arpad.web.published_lists import Ranking, ranking, selected_ranking
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
    cut = "all" if asked.cut == "top" else asked.cut
    try:
        return choose(
            connection, day, cut=cut, federation=asked.federation, club=asked.club, region=asked.region,
            group=asked.group,
        )  # fmt: skip
    except BadInput as error:
        raise Refused(404, "no-club-here" if error.code == "no-club" else "no-list-here") from None
