"""The norms that players hold."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection, select

from arpad.office.register.number_rows import all_numbers, merge_targets
from arpad.office.titles.tables import norm_revocations, norms
from arpad.regulations.fide.titles.rules import NormTitle
from arpad.store.bulk import columns_of


@dataclass(frozen=True, slots=True)
class RecordedNorm:
    """A norm on record."""

    player: int
    title: NormTitle
    event: str
    place: str
    first_day: date
    last_day: date
    edition: str
    """The edition of the title regulations under which it was made."""

    games: int
    """As how many games it counts."""

    normal: bool = True
    """Whether the articles on federations were met without exemption."""

    single_days: int = 0
    """Days of the tournament with one round."""

    special: bool = False
    """Whether the tournament is one of those of which an application needs one (B.01 1.5.6)."""

    by_bye: bool = False
    report: int | None = None
    norm: int = 0
    """Its number, once it is on record."""

    @property
    def row(self) -> dict[str, Any]:
        """The values that are stored."""
        return {name: value for name, value in columns_of(self).items() if name != "norm"}


def norms_on_record(connection: Connection, players: Iterable[int] | None = None) -> list[RecordedNorm]:
    """Return the norms in force, of all players or some, by last day."""
    query = _IN_FORCE if players is None else _IN_FORCE.where(norms.c.player.in_(list(players)))
    return [_norm(dict(row)) for row in connection.execute(query).mappings()]


def player_norms(connection: Connection, player: int) -> list[RecordedNorm]:
    """Return the norms of a player, those of merged numbers included."""
    kept = merge_targets(connection).get(player, player)
    return [
        replace(norm, player=kept) for norm in norms_on_record(connection, all_numbers(connection, {kept}))
    ]


def _norm(row: dict[str, Any]) -> RecordedNorm:
    days = {name: date.fromisoformat(row[name]) for name in ("first_day", "last_day")}
    answers = {name: bool(row[name]) for name in ("normal", "special", "by_bye")}
    return RecordedNorm(**{**row, **days, **answers, "title": NormTitle(row["title"])})


_IN_FORCE = (
    select(*(norms.c[field.name] for field in fields(RecordedNorm)[:-1]), norms.c.id.label("norm"))
    .where(norms.c.id.not_in(select(norm_revocations.c.norm)))
    .order_by(norms.c.last_day, norms.c.id)
)
