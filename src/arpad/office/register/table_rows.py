"""Many players of the register at once, as columns, and the words of their names."""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from datetime import date

import polars as pl
from anyascii import anyascii
from sqlalchemy import Connection, select

from arpad.lists.canonical import escape_number
from arpad.lists.input_tables import PERSON, PeopleTable
from arpad.office.register.name_rows import NAMES, name_rows, sound, written
from arpad.office.register.rows import (
    COLUMNS,
    OF_PEOPLE,
    add_identifiers,
    changes_of_identifiers,
    load_people,
    titled_later,
)
from arpad.office.register.tables import identifier_changes, identifiers, name_keys, player_facts, players
from arpad.store.bulk import fetch_rows, keeps_values
from arpad.store.columns import (
    ENOUGH,
    Snapshot,
    add_columns,
    add_parts,
    differing_parts,
    fetch_columns,
    has_parts,
    indexes_rebuilt,
    is_reading,
    later_rows,
    memoized,
    memoized_in_thread,
    read_snapshot,
)
from arpad.store.damaged_rows import only_in_one
from arpad.system.text_columns import change_texts


def add_people_table(
    connection: Connection, people: pl.DataFrame, numbers: pl.DataFrame, act: int
) -> list[pl.DataFrame]:
    """Add new players, their identifiers and the words of their names; return the rows of both tables.

    ``people`` has the columns ``player`` and those of the facts, births as text; ``numbers`` has ``scheme``, ``value``
    and ``player``.
    """
    facts = [name for name in COLUMNS if name in people.columns]
    blank = {name: "" for name in COLUMNS if name not in facts}
    add_columns(connection, players, people.select(pl.col("player").alias("id"), *facts), **blank, act=act)
    numbers = numbers.select("scheme", "value", "player")
    if changes_of_identifiers(connection):  # some may change hands, which is rare
        add_identifiers(connection, numbers.with_columns(act=pl.lit(act)).rows())
    else:
        with indexes_rebuilt(connection, identifiers, numbers.height):
            add_columns(connection, identifiers, numbers, ("scheme", "value"), act=act)
    add_newcomers(connection, word_table(people))
    people, numbers = (
        it.with_columns(act=pl.lit(act), **{name: pl.lit("") for name in blank}) for it in (people, numbers)
    )
    return [it.select(*growing.schema) for growing, it in zip(REGISTER, (people, numbers), strict=True)]


def add_register_parts(
    connection: Connection, enough: int = ENOUGH, added: Sequence[pl.DataFrame] = ()
) -> None:
    """Copy the players and identifiers who came since the last copy, if they are enough. All acts must be complete.

    ``added`` are those that the last act added (``add_people_table``): they are read again only if others came too.
    """
    later = later_rows(connection, REGISTER, enough, added)
    if later is not None:
        add_parts(connection, REGISTER, later, _names_part(later[0]))


def _names_part(people: pl.DataFrame) -> dict[str, bytes]:
    """Return the part with the names of players, by its name."""
    return {NAMES: name_rows(people.sort("player")).packed()}


def is_copied(connection: Connection) -> bool:
    """Return whether the register is copied in columns, so that it has many players."""
    return has_parts(connection, REGISTER)


def differing_register_parts(connection: Connection) -> list[str]:
    """Return the keys of the parts of the copy that do not have the rows of the register."""
    rows = [fetch_columns(connection, growing.all_rows, growing.schema) for growing in REGISTER]

    def others(after: int, act: int) -> dict[str, bytes]:
        return _names_part(rows[0].filter(pl.col("act").is_between(after, act, closed="right")))

    return differing_parts(connection, dict(zip(REGISTER, rows, strict=True)), others)


def all_players(connection: Connection) -> pl.Series:
    """Return the numbers of all players of the register."""
    return _rows_of(connection, _PLAYERS)["player"]


def load_people_table(
    connection: Connection,
    numbers: pl.Series,
    *,
    on: date | None = None,
    as_of_act: int | None = None,
    without_schemes: Collection[str] = (),
    titled: bool = False,
    merged: Mapping[int, int] | None = None,
) -> PeopleTable:
    """Return the same people as ``load_people``, for thousands of numbers, as a table.

    With ``titled`` also all players who have, or ever had, a player's title; of merged players the one who is kept.
    Players whose facts or identifiers changed since they were registered are few, and loaded one by one.
    """
    if titled:
        with_title = _rows_of(connection, _PLAYERS).filter(_TITLED)
        if as_of_act is not None:
            with_title = with_title.filter(pl.col("act") <= as_of_act)
        later = pl.Series("player", sorted(titled_later(connection, as_of_act)), pl.Int64)
        numbers = pl.concat([numbers, pl.concat([with_title["player"], later])])
    if merged:
        numbers = numbers.replace(merged)
    schemes = frozenset(without_schemes)
    people = _registered_people(connection, numbers, as_of_act, schemes)
    if changed := _changed_players(connection, people):
        loaded = load_people(connection, changed, on=on, as_of_act=as_of_act, without_schemes=schemes)
        people = people.filter(~pl.col("player").is_in(changed))
        people = pl.concat([people, PeopleTable.of(loaded).frame]).sort("player")
    return PeopleTable(people)


_TITLED = (pl.col("title") != "") | (pl.col("women_title") != "")


def _registered_people(
    connection: Connection, numbers: pl.Series, as_of_act: int | None, without_schemes: frozenset[str]
) -> pl.DataFrame:
    """Return players as they were registered, with the identifiers that were known at an act."""
    if as_of_act is None:
        everybody = memoized(connection, without_schemes, lambda: _everybody(connection, without_schemes))
        return _with_numbers(everybody, numbers)
    people = _by_player(_with_numbers(_rows_of(connection, _PLAYERS), numbers))
    return _with_identifiers(people, _rows_of(connection, _IDENTIFIERS), without_schemes, as_of_act)


def _with_numbers(people: pl.DataFrame, numbers: pl.Series) -> pl.DataFrame:
    """Return the people who have one of some numbers; often they are all, and nothing is copied."""
    wanted = people["player"].is_in(numbers.implode())
    return people if wanted.all() else people.filter(wanted)


def _everybody(connection: Connection, without_schemes: frozenset[str]) -> pl.DataFrame:
    """Return all players as they were registered, with all their identifiers."""
    people, numbers = (_rows_of(connection, growing) for growing in REGISTER)
    return _with_identifiers(_by_player(people), numbers, without_schemes)


def _by_player(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows in the order of players, in which most are registered: then nothing is copied."""
    return rows.set_sorted("player") if rows["player"].is_sorted() else rows.sort("player")


def _with_identifiers(
    people: pl.DataFrame,
    numbers: pl.DataFrame,
    without_schemes: Collection[str],
    as_of_act: int | None = None,
) -> pl.DataFrame:
    """Return rows of the register as people, with the identifiers that were known at an act."""
    fields = _identifier_fields(numbers, people, as_of_act, without_schemes)
    # the other columns are not copied
    of_people = people.select("player").join(fields, on="player", how="left", maintain_order="left")
    return people.with_columns(of_people["identifiers"]).select(_AS_PERSON)


_OTHERS = {
    "identifiers": pl.col("identifiers").fill_null(""),
    "died": pl.lit("", PERSON["died"]).alias("died"),
}
_AS_PERSON = [_OTHERS.get(name, pl.col(name)) for name in PERSON]
_PERSON = {"player": pl.Int64, **{name: PERSON[name] for name in COLUMNS}, "act": pl.Int64}
_NUMBER = {"player": pl.Int64, "scheme": pl.String, "value": pl.String, "act": pl.Int64}
_PLAYERS = Snapshot(players, _PERSON, {"player": "id"})
_IDENTIFIERS = Snapshot(identifiers, _NUMBER)
REGISTER = (_PLAYERS, _IDENTIFIERS)
"""The tables of the register of which there are copies in columns."""


def _rows_of(connection: Connection, growing: Snapshot) -> pl.DataFrame:
    """Return all rows of a table; a reading transaction reads them once, and a verification not from the copy."""
    verified = keeps_values(connection)

    def read() -> pl.DataFrame:
        if verified:
            return fetch_columns(connection, growing.all_rows, growing.schema)
        return read_snapshot(connection, growing)()

    return memoized(connection, (growing, verified), read)


def open_register_beside(connection: Connection, without_schemes: frozenset[str], beside: Executor) -> None:
    """Begin to open the copy of the register beside other work of a reading transaction."""
    if is_reading(connection) and not keeps_values(connection):
        for growing in REGISTER:
            memoized_in_thread(connection, (growing, False), read_snapshot(connection, growing), beside)
        memoized_in_thread(
            connection, without_schemes, lambda: _everybody(connection, without_schemes), beside
        )


def _changed_players(connection: Connection, people: pl.DataFrame) -> list[int]:
    """Return the players among these with a later fact, or an identifier that changed hands."""
    changed = {player for query in _CHANGED for (player,) in fetch_rows(connection, query)}
    return people.filter(pl.col("player").is_in(changed))["player"].to_list() if changed else []


_SAME_NUMBER = (identifiers.c.scheme == identifier_changes.c.scheme) & (
    identifiers.c.value == identifier_changes.c.value
)
_CHANGED = (
    select(player_facts.c.player).where(OF_PEOPLE).distinct(),
    select(identifiers.c.player).join(identifier_changes, _SAME_NUMBER),
    select(identifier_changes.c.player).where(identifier_changes.c.player.is_not(None)),
)


def _identifier_fields(
    rows: pl.DataFrame, people: pl.DataFrame, as_of_act: int | None, without_schemes: Collection[str]
) -> pl.DataFrame:
    """Return the identifiers of players as the last field of a canonical line, without those of some schemes."""
    if without_schemes:
        rows = rows.filter(~pl.col("scheme").is_in(list(without_schemes)))
    if as_of_act is not None:
        registered = people.select("player", registered="act")
        rows = rows.join(registered, on="player").filter(
            (pl.col("act") <= as_of_act) | (pl.col("registered") > as_of_act)
        )
    rows = change_texts(rows, ~pl.col("value").str.contains("^[A-Za-z0-9]+$"), escape_number)
    rows = _by_player(rows)  # columns in order are joined in a tenth of the time
    player = rows["player"]
    several = player.eq_missing(player.shift(1)) | player.eq_missing(player.shift(-1))  # of few players
    if not several.any():
        return rows.select("player", _IDENTIFIER.alias("identifiers"))
    single = rows.filter(~several).select("player", _IDENTIFIER.alias("identifiers"))
    rows = rows.filter(several).sort("player", "scheme", "value")
    joined = rows.group_by("player", maintain_order=True).agg(_IDENTIFIER.str.join(" ").alias("identifiers"))
    return pl.concat([single, joined]).sort("player")


_IDENTIFIER = pl.concat_str("scheme", pl.lit("="), "value")


def unknown_players(connection: Connection, numbers: pl.Series) -> list[int]:
    """Return the numbers that no player of the register has."""
    return numbers.filter(~numbers.is_in(all_players(connection).implode())).to_list()


def add_newcomers(connection: Connection, words: pl.DataFrame) -> None:
    """Add the words of players who are not in the index yet (``word_table``)."""
    with indexes_rebuilt(connection, name_keys, words.height):
        add_columns(connection, name_keys, words)


def word_table(named: pl.DataFrame) -> pl.DataFrame:
    """Return the words of the column ``name`` for each ``player``, in order, as ``search_words`` returns them."""
    words = _plain_words(named)
    if words.is_empty():
        return words.select("word", "player")
    distinct = words["word"].unique()
    written_forms, heard_forms = _forms_of(distinct)
    forms = pl.concat([written_forms, "~" + heard_forms])
    texts, places = forms.unique().sort(), (forms.rank("dense") - 1).cast(pl.UInt64)
    # Texts are sorted once each. A row is then one number, its place among them and its player: a tenth of the time.
    rows = words.join(distinct.to_frame().with_row_index("index"), on="word").select("index", "player")
    indexes, players = rows["index"], rows["player"].cast(pl.UInt64)
    both = [places.gather(at) * _ABOVE_NUMBERS + players for at in (indexes, indexes + len(distinct))]
    in_order = pl.concat(both).unique().sort()
    return pl.DataFrame(
        {
            "word": texts.gather(in_order // _ABOVE_NUMBERS),
            "player": (in_order % _ABOVE_NUMBERS).cast(pl.Int64),
        }
    )


_ABOVE_NUMBERS = 1 << 32
"""More than any player's number."""


def heard_words(named: pl.DataFrame) -> pl.DataFrame:
    """Return the words of the column ``name`` by their sound for each ``player``, in no order."""
    words = _plain_words(named)
    if words.is_empty():
        return words.select("word", "player")
    distinct = words["word"].unique()
    heard = pl.DataFrame([distinct, _forms_of(distinct)[1].alias("heard")])
    return words.join(heard, on="word").select(pl.col("heard").alias("word"), "player").unique()


def _forms_of(words: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return words as they are written and by their sound, as ``word_forms`` does: all in one text, which is fast."""
    plain = written("\n".join(words.to_list()))
    as_written, heard = (pl.Series("word", text.split("\n")) for text in (plain, sound(plain)))
    return as_written, heard


def _plain_words(named: pl.DataFrame) -> pl.DataFrame:
    """Return each word of the column ``name`` in plain letters, with its ``player``."""
    letters = "".join(named["name"].filter(named["name"].str.contains(_NOT_ASCII)).unique())
    others = [letter for letter in {*letters} if not letter.isascii()]
    name = pl.col("name")
    if others:
        name = name.str.replace_many(others, [anyascii(letter) for letter in others])
    plain = name.str.to_lowercase().str.replace_all("'", "", literal=True)
    return (
        named.select("player", plain.str.extract_all("[a-z0-9]+").alias("word")).explode("word").drop_nulls()
    )


_NOT_ASCII = r"[^\x00-\x7F]"


def differing_words(connection: Connection, erased: Mapping[int, int]) -> list[str]:
    """Return the words of the index that are not those of the names; ``erased`` is player → act of the erasure."""
    names = select(players.c.id, players.c.name, players.c.act)
    changes = select(player_facts.c.player, player_facts.c.value, player_facts.c.act)
    changes = changes.where(player_facts.c.field == "name")
    named = [
        (player, name)
        for query in (names, changes)
        for player, name, act in fetch_rows(connection, query)
        if act > erased.get(player, 0)
    ]
    expected = word_table(pl.DataFrame(named, schema={"player": pl.Int64, "name": pl.String}, orient="row"))
    rows = fetch_rows(connection, select(name_keys.c.word, name_keys.c.player))
    return only_in_one(pl.DataFrame(rows, schema=expected.schema, orient="row"), expected)
