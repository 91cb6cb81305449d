"""The players of an office as a file for pairing programs.

It is FIDE's combined text or XML with national numbers and ratings, or a CSV with clubs.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import parse_identifiers
from arpad.lists.input_tables import PERSON, PeopleTable
from arpad.lists.reference import LISTS, SCHEMA, rating_column
from arpad.model.errors import BadInput
from arpad.model.rules import Finding, ListName
from arpad.office.clubs.rows import members_on, units_on
from arpad.office.fide.rows import read_numbers, reference_in_force, references
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.in_force import publication_in_force
from arpad.office.lists.ownership import not_owned, ownership
from arpad.office.office import Office, today
from arpad.office.register.merge_rows import hidden, merge_targets
from arpad.office.register.table_rows import all_players, load_people_table
from arpad.publishing.pairing_players import FORMATS, write_players
from arpad.system.atomic_files import atomic_write

_FIGURES = ("rating", "games", "k")
_NO_LIST = {"player": pl.Int64, **dict.fromkeys(_FIGURES, pl.Int32), "inactive": pl.Boolean}


def export_players(
    office: Office,
    path: Path,
    *,
    day: date | None = None,
    scheme: str = "",
    unrated: bool = False,
) -> tuple[int, tuple[Finding, ...]]:
    """Write the players of the lists in force on a day; return how many, and findings about what was left out.

    The ending of the path says the format. National numbers are those of a ``scheme``, by default the register's.
    ``unrated`` also writes the players of the register who are on no list.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise BadInput("players-format", name=path.name, accepted=", ".join(f".{it}" for it in FORMATS))
    with office.store.reading() as connection:
        players = pairing_players(
            connection, day or today(office, connection), scheme=scheme, unrated=unrated
        )
    with atomic_write(path) as stream:
        findings = write_players(players, stream, kind)
    return players.height, findings


def pairing_players(
    connection: Connection, day: date, *, scheme: str = "", unrated: bool = False
) -> pl.DataFrame:
    """Return the players as ``publishing.pairing_players`` writes them, our own first, then by name."""
    figures = _own_figures(connection, day)
    numbers = figures["player"] if not unrated else all_players(connection)
    gone = {*hidden(connection), *merge_targets(connection)}
    people = load_people_table(connection, numbers, on=day).texts()
    people = people.filter(~pl.col("player").is_in(list(gone)) & (pl.col("died") == ""))
    people = people.join(figures, on="player", how="left", maintain_order="left")
    others = _others(connection, people, day)
    texts = people["identifiers"].to_list()
    identifiers = [dict(parse_identifiers(text)) for text in texts]
    fide = [number if (number := held.get("fide", "")).isdigit() else "" for held in identifiers]
    numbers = people["player"]
    national = [held.get(scheme, "") for held in identifiers] if scheme else list(map(str, numbers))
    clubs = members_on(connection, day)
    names = {code: unit.name for code, unit in units_on(connection, day).items()}
    codes = [clubs.get(player, "") for player in people["player"]]
    people = people.with_columns(
        pl.Series("fide", fide, pl.String),
        pl.Series("national_number", national, pl.String),
        pl.Series("club", codes, pl.String),
        pl.Series("club_name", [names.get(code, "") for code in codes], pl.String),
        pl.col("player").is_in(list(others)).alias("guest"),
        pl.col("born").str.slice(0, 4),
    )
    people = people.join(_fide_figures(connection, fide, day), on="fide", how="left", maintain_order="left")
    return people.sort("guest", "name", "player")


def _others(connection: Connection, people: pl.DataFrame, day: date) -> set[int]:
    """Return the players whom none of the three lists owns."""
    table = PeopleTable(people.select(*PERSON))
    owners = [ownership(connection, on_list) for on_list in LISTS]
    sets = [set(not_owned(connection, owner, table, day)) for owner in owners]
    return set.intersection(*sets)


def _own_figures(connection: Connection, day: date) -> pl.DataFrame:
    """Return rating, games and K of each player on the three lists in force, and whether the player is inactive."""
    joined = pl.DataFrame(schema={"player": pl.Int64})
    for on_list in LISTS:
        publication = publication_in_force(lists.all_publications(connection, on_list), day)
        columns = ("player", "listed", *_FIGURES, "inactive")
        table = (
            read_table(connection, publication.id, columns).filter("listed").drop("listed")
            if publication
            else pl.DataFrame(schema=_NO_LIST)
        )
        table = table.rename({name: f"own_{on_list}_{name}" for name in (*_FIGURES, "inactive")})
        joined = joined.join(table, on="player", how="full", coalesce=True)
    rated = [
        pl.col(f"own_{on_list}_rating").is_not_null() & ~pl.col(f"own_{on_list}_inactive")
        for on_list in LISTS
    ]
    active = pl.any_horizontal([flag.fill_null(value=False) for flag in rated])
    return (
        joined.with_columns(inactive=~active)
        .drop(f"own_{on_list}_inactive" for on_list in LISTS)
        .sort("player")
    )


def _fide_figures(connection: Connection, numbers: list[str], day: date) -> pl.DataFrame:
    """Return FIDE's ratings, games and K by FIDE ID, from the reference list in force."""
    reference = reference_in_force(references(connection), ListName.STANDARD, day)
    names = [rating_column(on_list).removesuffix("rating") + name for on_list in LISTS for name in _FIGURES]
    schema: Mapping[str, pl.DataType] = {name: SCHEMA[name] for name in names}
    if reference is None:
        return pl.DataFrame(schema={"fide": pl.String, **schema})
    asked = [int(number) for number in numbers if number]
    rows = read_numbers(connection, reference.id, asked, ["id", *names])
    return rows.with_columns(pl.col("id").cast(pl.String)).rename({"id": "fide"})
