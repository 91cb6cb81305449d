"""Preview a list to take over: players who are new, changed or gone, and own ratings that it replaces."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import polars as pl

from arpad.model.json_values import from_birth
from arpad.model.people import Person
from arpad.office.imports.rows import facts_added, newcomers_of
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import IMPORTED
from arpad.office.office import ActContext
from arpad.office.register.rows import load_people

_RATED = {"player": pl.Int64, "name": pl.String, "rating": pl.Int32}


@dataclass(frozen=True)
class ImportPreview:
    """The effects of an import as tables of players; each has ``player`` and ``name``."""

    before: Publication | None
    """The list before it, if there is one."""

    new: pl.DataFrame
    """Players who are new to the register."""

    changed: pl.DataFrame
    """Facts that the register gets from the list: ``field``, ``before``, ``after``."""

    leaving: pl.DataFrame
    """Players with a ``rating`` on the list before, who have none on this one."""

    replaced: pl.DataFrame
    """Players whose rating is replaced: ``before``, ``after``."""

    @property
    def own(self) -> bool:
        """Whether the ratings that are replaced are the office's own."""
        return self.before is not None and self.before.kind != IMPORTED


def preview_of(act: ActContext, table: pl.DataFrame, before: Publication | None, day: date) -> ImportPreview:
    """Return what the import of a list did, before its act is over."""
    rated = (
        table.filter("listed").select("player", "name", pl.col("rating").alias("after")).drop_nulls("after")
    )
    held = _rated(act, before)
    both = held.join(rated.select("player", "after"), on="player", how="left", maintain_order="left")
    leaving = both.filter(pl.col("after").is_null()).drop("after")
    other = pl.col("after").is_not_null() & (pl.col("after") != pl.col("rating"))
    replaced = both.filter(other).select("player", "name", pl.col("rating").alias("before"), "after")
    return ImportPreview(before, newcomers_of(act.connection, act.seq), _changed(act, day), leaving, replaced)


def _rated(act: ActContext, publication: Publication | None) -> pl.DataFrame:
    """Return the rated players of the list before, the best first."""
    if publication is None:
        return pl.DataFrame(schema=_RATED)
    columns = ("player", "listed", "name", "rating")
    table = read_table(act.connection, publication.id, columns).drop_nulls("rating")
    return table.sort("rating", "player", descending=[True, False]).select(list(_RATED))


def _changed(act: ActContext, day: date) -> pl.DataFrame:
    facts = facts_added(act.connection, act.seq)
    people = load_people(act.connection, facts["player"].unique(), on=day, as_of_act=act.seq - 1)
    values = [_value(people[player], field) for player, field in facts.select("player", "field").iter_rows()]
    names = [people[player].name for player in facts["player"]]
    return facts.select(
        "player",
        pl.Series("name", names, pl.String),
        "field",
        pl.Series("before", values, pl.String),
        "after",
    )


def _value(person: Person, field: str) -> str:
    return from_birth(person.born) if field == "born" else str(getattr(person, field) or "")
