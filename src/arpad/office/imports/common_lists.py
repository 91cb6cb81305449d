"""Read a list that every office keeps into register and list: a chess list, or the capitals of draughts as CSV.

A million rows of a chess list pass through as tables: the register gets all players, the list those with a rating. What
the list does not contain is read from its K if the K tells it (``lists.imported_history``, reading 6): with K 10 the
player has reached 2400, with the newcomers' K the first games are still to be played. The columns are shown as they
were read, so that somebody who takes a list over sees that a column was read as another one, before anything is stored.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import canonical_lines, is_canonical
from arpad.lists.imported_table import imported_table
from arpad.lists.list_file import SCHEMA, read_list_tables
from arpad.lists.published import ListedPlayer, PublishedList, StoredPlayer
from arpad.lists.table import table_of
from arpad.model.draughts import Category, DraughtsState
from arpad.model.errors import BadInput, Unreadable
from arpad.model.federations import known_federation
from arpad.model.json_values import from_birth, from_capital
from arpad.model.names import spelled, stored_column, stored_form
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.editions.acts import edition_on
from arpad.office.office import ActContext
from arpad.office.register import rows as register
from arpad.office.register import table_rows as register_table
from arpad.office.register.number_rows import ImportedRows, Progress
from arpad.office.register.search_rows import same_name
from arpad.regulations.rubele.categories import base_capital
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from arpad.reports.formats.lists import draughts_list_csv as capital_lists
from arpad.reports.formats.lists.draughts_list_csv import ListedCapital
from arpad.reports.formats.lists.fide_list import open_list
from arpad.reports.formats.lists.layouts import Reading
from arpad.reports.formats.trf_players import TITLES
from arpad.store.settings import read_setting

_HEAD = 4096
"""Bytes at the beginning of a canonical text that contain its list and day."""

_HIGHEST = 1 << 31
"""All numbers of the register are lower."""

_FACTS = ("name", "federation", "sex", "title", "women_title", "other_titles")


def import_chess_rows(
    act: ActContext, path: Path, on_list: ListName, day: date, progress: Progress, reading: Reading
) -> ImportedRows:
    """Store all players of a list in the register, and return the list."""
    connection = act.connection
    edition = edition_on(connection, on_list, day)
    _refuse_other_list(path, on_list, day)
    read = _read(path, on_list, progress, reading)
    rows, unknown = _with_federations(read, read_setting(connection, "federation"))
    of_file = pl.col("identifiers").is_not_null()
    listed = rows.filter(of_file).select("row", "identifiers").explode("identifiers").drop_nulls()
    fide = rows.filter(~of_file & pl.col("number").ne_missing(pl.col("id"))).select(
        "row", pl.lit("fide").alias("scheme"), pl.col("id").cast(pl.String).alias("value")
    )
    numbers = pl.concat([listed.unnest("identifiers"), fide]).sort("row", maintain_order=True)
    _refuse_twice(rows, numbers)
    rows = _match(connection, rows, numbers).with_columns(
        pl.when(pl.col("name") == "").then(pl.col("id").cast(pl.String)).otherwise("name").alias("name")
    )
    numbers = numbers.join(rows.select("row", "player", "fresh"), on="row", maintain_order="left")
    old = ~pl.col("fresh")
    changed = _update(connection, rows.filter(old), numbers.filter(old), day, act.seq)
    newcomers = rows.filter("fresh")
    added = register_table.add_people_table(connection, newcomers, numbers.filter("fresh"), act.seq)
    table = imported_table(rows, day, edition.on(on_list))
    month = _month(path, reading)
    return ImportedRows(
        table, edition.id, rows.height, newcomers.height, changed, month=month, no_federations=unknown, read=read,
        added=added,
    )  # fmt: skip


def _with_federations(rows: pl.DataFrame, home: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return rows without the codes in the column of federations that are no federations', and these codes."""
    codes = {code: known_federation(code, home) for code in rows["federation"].unique() if code}
    changed = {code: known for code, known in codes.items() if code != known}
    if not changed:
        return rows, ()
    federations = pl.col("federation").replace(list(changed), list(changed.values()))
    return rows.with_columns(federations), tuple(sorted(code for code in changed if not changed[code]))


def _read(path: Path, on_list: ListName, progress: Progress, reading: Reading) -> pl.DataFrame:
    """Return the rows of a file, with their positions as ``row``."""
    tables = [pl.DataFrame(schema=SCHEMA)]
    count = 0
    for table in read_list_tables(path, on_list, reading):
        tables.append(table)
        count += table.height
        progress(count)
    rows = pl.concat(tables).with_row_index("row")
    return rows.with_columns(stored_column(rows["name"]))


def _month(path: Path, reading: Reading) -> date | None:
    """Return the month in the header of FIDE's text, as in ``SEP14``; None if the file names none."""
    try:
        with open_list(path, reading) as rows:
            return rows.month
    except Unreadable:
        return None


def _refuse_other_list(path: Path, on_list: ListName, day: date) -> None:
    """Refuse the canonical text of another list than the one that is named."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if is_canonical(head):
        fields = dict(
            line.split("\t", 1) for line in head.decode("utf-8", "replace").split("\n") if "\t" in line
        )
        if (fields.get("list"), fields.get("date")) != (str(on_list), str(day)):
            raise BadInput(
                "list-of-another", list=str(on_list), day=day, found=fields.get("list", ""), of=fields.get("date", "")
            )  # fmt: skip


def _refuse_twice(rows: pl.DataFrame, numbers: pl.DataFrame) -> None:
    """Refuse a list with two rows of the same number."""
    unnumbered = rows.select("row", pl.col("id").alias("value")).join(numbers, on="row", how="anti")
    own = rows.select("row", pl.col("number").alias("value")).drop_nulls()
    blank = pl.lit("").alias("scheme")
    keys = pl.concat(
        [numbers, *(it.select("row", blank, pl.col("value").cast(pl.String)) for it in (unnumbered, own))]
    ).unique()
    repeated = keys.filter(pl.struct("scheme", "value").is_duplicated())
    if repeated.is_empty():
        return
    later = repeated.sort("row").filter(~pl.struct("scheme", "value").is_first_distinct())
    row = rows.row(later["row"][0], named=True)
    raise BadInput("player-listed-twice", player=f"{row['name']} ({row['id']})")


def _match(connection: Connection, rows: pl.DataFrame, numbers: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the ``player`` of each, and whether the player is new to the register (``fresh``)."""
    rows = rows.join(_by_number(connection, numbers), on="row", how="left", maintain_order="left")
    unknown = rows.filter(pl.col("player").is_null())
    people = register.load_people(connection, unknown.filter(pl.col("number") < _HIGHEST)["number"].to_list())
    numbered = unknown.filter(pl.col("number").is_in(list(people)))
    schemes = numbers.join(numbered, on="row", how="semi").group_by("row").agg("scheme")
    schemes_of = dict(schemes.iter_rows())
    same = [
        row
        for row, name, number in numbered.select("row", "name", "number").iter_rows()
        if _same_person(name, schemes_of.get(row, ()), people[number])
    ]
    rows = rows.with_columns(
        pl.when(pl.col("row").is_in(same)).then("number").otherwise("player").alias("player")
    ).with_columns(pl.col("player").is_null().alias("fresh"))
    newcomers = rows.filter("fresh").select("row", "number")
    free = _free_numbers(newcomers["number"].to_list(), people, register.next_player(connection))
    given = newcomers.select("row", pl.Series("given", free, pl.Int64))
    rows = rows.join(given, on="row", how="left", maintain_order="left")
    return rows.with_columns(pl.coalesce("player", "given").alias("player")).drop("given")


def _by_number(connection: Connection, numbers: pl.DataFrame) -> pl.DataFrame:
    """Return the players who have one of the numbers of a row: ``row``, ``player``."""
    holders = [pl.DataFrame(schema={"scheme": pl.String, "value": pl.String, "player": pl.Int64})]
    for (scheme,), values in numbers.group_by("scheme"):
        players = register.by_identifier(connection, str(scheme), values["value"])
        columns = {"scheme": scheme, "value": list(players), "player": list(players.values())}
        holders.append(pl.DataFrame(columns, schema=holders[0].schema))
    matched = numbers.join(pl.concat(holders), on=["scheme", "value"], maintain_order="left")
    return matched.unique("row", keep="first", maintain_order=True).select("row", "player")


def _same_person(name: str, schemes: Iterable[str], person: Person) -> bool:
    """Return whether a row of a list with our own numbers is about the player who has its number here."""
    other = set(schemes) & {scheme for scheme, _ in person.identifiers}
    return not other and spelled(name) == spelled(person.name)


def _free_numbers(wanted: Iterable[int | None], taken: Container[int], next_new: int) -> list[int]:
    """Return the numbers of newcomers: the one that the list gives, if it is free here; otherwise the next number."""
    free: list[int] = []
    given: set[int] = set()
    for number in wanted:
        usable = number is not None and number < _HIGHEST and number not in taken and number not in given
        player = number if number is not None and usable else next_new
        next_new = max(next_new, player + 1)
        given.add(player)
        free.append(player)
    return free


def _update(connection: Connection, old: pl.DataFrame, numbers: pl.DataFrame, day: date, act: int) -> int:
    """Add what a list says and the register does not, as facts since the list's day; ignore blanks."""
    if old.is_empty():
        return 0
    known = register_table.load_people_table(connection, old["player"]).texts()
    both = old.select("row", "player", *_FACTS, "born").join(known, on="player", suffix="_known")
    facts = pl.concat(
        [
            both.filter((pl.col(name) != "") & _is_news(name)).select(
                "row", pl.lit(order).alias("order"), "player", pl.lit(name).alias("field"), pl.col(name).alias("value")
            )
            for order, name in enumerate((*_FACTS, "born"))
        ]
    ).sort("row", "order")  # fmt: skip
    held = known.select("player", pl.col("identifiers").str.split(" ").alias("scheme")).explode("scheme")
    held = held.with_columns(pl.col("scheme").str.extract("^([^=]*)="))
    new = numbers.join(held, on=["player", "scheme"], how="anti").sort("row", maintain_order=True)
    changes = facts.select("player", "field", "value", pl.lit(day))
    register.add_facts(connection, changes.rows(), act)
    register.add_identifiers(connection, new.select("scheme", "value", "player", pl.lit(act)).rows())
    return facts["player"].n_unique()


def _is_news(name: str) -> pl.Expr:
    """Return whether a fact differs from the register's; the year of a known day of birth does not."""
    listed, known = pl.col(name), pl.col(f"{name}_known")
    return (listed != known) & ~known.str.starts_with(listed + "-") if name == "born" else listed != known


SHOWN = ("id", "number", "name", "federation", "sex", "title", "women_title", "rating", "games", "k", "born")
"""The columns that a preview shows, in the order of a list."""

EXAMPLES = 3
LOWEST, HIGHEST = 400, 2900
"""Hardly anybody has a rating outside."""

YOUNGEST, OLDEST = 4, 105


@dataclass(frozen=True, slots=True)
class ColumnRead:
    """A column of a list: how many of its cells are filled, empty and odd, with its first values."""

    column: str
    filled: int
    empty: int
    odd: int
    examples: tuple[str, ...]
    odd_examples: tuple[str, ...]


def columns_read(rows: pl.DataFrame, day: date, home: str) -> tuple[ColumnRead, ...]:
    """Return the columns of a list that have a value anywhere; the name and the rating in any case."""
    found = (_column(name, rows[name], day, home) for name in SHOWN)
    return tuple(it for it in found if it.filled or it.column in {"name", "rating"})


def _column(name: str, cells: pl.Series, day: date, home: str) -> ColumnRead:
    texts = cells.cast(pl.String)
    filled = texts.filter((texts != "").fill_null(value=False))
    odd = filled.filter(~_is_usual(name, filled, day, home))
    return ColumnRead(
        name, filled.len(), cells.len() - filled.len(), odd.len(), tuple(filled.head(EXAMPLES)),
        tuple(odd.unique(maintain_order=True).head(EXAMPLES)),
    )  # fmt: skip


def _is_usual(name: str, texts: pl.Series, day: date, home: str) -> pl.Series:
    """Return of each value of a column whether it is what the column usually has."""
    match name:
        case "name":
            return texts.str.contains(r"^\D*\p{L}\D*\p{L}\D*$")
        case "federation":
            return texts.is_in([code for code in texts.unique() if known_federation(code, home)])
        case "sex":
            return texts.str.to_lowercase().is_in(["m", "f", "w"])
        case "title" | "women_title":
            return texts.str.to_uppercase().is_in(sorted(TITLES))
        case "rating":
            return texts.cast(pl.Int32).is_between(LOWEST, HIGHEST)
        case "born":
            year = texts.str.extract(r"(\d{4})").cast(pl.Int32)
            return year.is_between(day.year - OLDEST, day.year - YOUNGEST).fill_null(value=False)
    return pl.Series(values=[True]).new_from_index(0, texts.len())


SCHEMES = ("fid", "fmjd", "fsi", "fide")
"""The bodies whose numbers identify a player of a list, the federation of draughts first."""


def import_draughts_rows(
    act: ActContext, path: Path, on_list: ListName, day: date, progress: Progress, last_event: date | None
) -> ImportedRows:
    """Store all players of a list in the register and on the list."""
    connection = act.connection
    edition = edition_on(connection, on_list, day)
    rules = edition.on(on_list)
    rows = capital_lists.read_rows(
        path.read_bytes(), {base_capital(category, rules): category for category in Category}
    )
    home = read_setting(connection, "federation")
    unknown = {
        row.federation for row in rows if row.federation and not known_federation(row.federation, home)
    }
    rows = tuple(
        replace(
            row,
            federation=known_federation(row.federation, home),
            standing=replace(row.standing, name=stored_form(row.standing.name)),
        )
        for row in rows
    )
    standings = _dated([row.standing for row in rows], day, last_event)
    first_new = register.next_player(connection)
    by_player = _by_player(connection, rows, first_new)
    newcomers = [_person(row, player) for player, row in by_player.items() if player >= first_new]
    register.add_people(connection, [(person, act.seq) for person in newcomers])
    old = {player: row for player, row in by_player.items() if player < first_new}
    changed = _change_capitals(connection, old, day, act.seq)
    shown = {player: _shown(row, player) for player, row in by_player.items()}
    lines = canonical_lines(PublishedList(on_list, day, 1, edition.id, rows=tuple(shown.values())))
    states = {
        player: from_capital(replace(standing, id=str(player)))
        for standing, player in zip(standings, by_player, strict=True)
    }
    table = table_of((StoredPlayer(p, shown[p].rating, states[p], lines[p]) for p in states), RUBELE)
    progress(len(rows))
    undated = sum(not standing.history_known for standing in standings)
    return ImportedRows(
        table, edition.id, len(rows), len(newcomers), changed, undated, tuple(sorted(unknown))
    )


def _by_player(
    connection: Connection, rows: Sequence[ListedCapital], first_new: int
) -> dict[int, ListedCapital]:
    """Return the rows by the register's number: of the player known by number or name, or a new one."""
    holders = _by_identifiers(connection, rows)
    by_player: dict[int, ListedCapital] = {}
    next_new = first_new
    for row in rows:
        name = row.standing.name
        player = holders.get(row.identifiers) if row.identifiers else _only_namesake(connection, name)
        if player is None:
            player, next_new = next_new, next_new + 1
        if player in by_player:
            raise BadInput("player-listed-twice", player=name)
        by_player[player] = row
    return by_player


def _dated(standings: Sequence[DraughtsState], day: date, last_event: date | None) -> list[DraughtsState]:
    """Return the standings, with the stated last event if the list has none."""
    if last_event is None:
        return list(standings)
    if last_event > day:
        raise BadInput("last-event-late", day=last_event, list_day=day)
    if all(standing.history_known for standing in standings):
        raise BadInput("last-event-listed")
    return [
        standing if standing.history_known else replace(standing, last_event=last_event, history_known=True)
        for standing in standings
    ]


def _by_identifiers(
    connection: Connection, rows: Sequence[ListedCapital]
) -> dict[tuple[tuple[str, str], ...], int]:
    """Return the players that the register has under one of their identifiers: identifiers → player."""
    holders = register.holders_of(connection, {pair for row in rows for pair in _known_numbers(row)})
    return {
        row.identifiers: holders[held[0]]
        for row in rows
        if (held := [pair for pair in _known_numbers(row) if pair in holders])
    }


def _known_numbers(row: ListedCapital) -> list[tuple[str, str]]:
    """Return the numbers of a player by which the register may know the player, the surest first."""
    known = (pair for pair in row.identifiers if pair[0] in SCHEMES)
    return sorted(known, key=lambda pair: SCHEMES.index(pair[0]))


def _person(row: ListedCapital, player: int) -> Person:
    numbers = tuple(pair for pair in row.identifiers if pair[0] in SCHEMES)
    return Person(player, row.standing.name, row.federation, row.sex, row.born, identifiers=numbers)


def _shown(row: ListedCapital, player: int) -> ListedPlayer:
    """Return the row of the list as it is stored."""
    standing = row.standing
    return ListedPlayer(
        player, standing.name, row.federation, row.sex, str(standing.title or ""), category=standing.category,
        rating=standing.capital, games=row.games, born=row.born, identifiers=row.identifiers,
    )  # fmt: skip


def _change_capitals(connection: Connection, old: Mapping[int, ListedCapital], day: date, act: int) -> int:
    """Add federation, sex, birth and identifiers that the register lacks."""
    people = register.load_people(connection, old)
    held = register.holders_of(connection, [pair for row in old.values() for pair in row.identifiers])
    facts: list[tuple[int, str, str, date]] = []
    numbers: list[tuple[str, str, int, int]] = []
    for player, row in old.items():
        person, listed = people[player], _person(row, player)
        facts += [
            (player, name, getattr(listed, name), day)
            for name in ("federation", "sex")
            if getattr(listed, name) and not getattr(person, name)
        ]
        if listed.born and not person.born:
            facts.append((player, "born", from_birth(listed.born), day))
        numbers += [
            (scheme, number, player, act)
            for scheme, number in listed.identifiers
            if not person.identifier(scheme) and (scheme, number) not in held
        ]
    register.add_facts(connection, facts, act)
    register.add_identifiers(connection, numbers)
    return len({player for player, *_ in facts} | {player for _, _, player, _ in numbers})


def _only_namesake(connection: Connection, name: str) -> int | None:
    same = same_name(connection, name)
    return same[0].id if len(same) == 1 else None
