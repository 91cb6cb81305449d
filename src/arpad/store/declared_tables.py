"""How a table is declared: its columns, what is said about its rows, and which verbs write them.

The tables of the machinery stand in ``store.schema``, those of a feature in its ``tables`` module. Each registers
itself here when it is imported. A command loads those that it needs; whatever walks over all tables asks here, and the
rest is loaded then.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.schema import SchemaItem

from arpad.model.canonical_json import dump, load
from arpad.model.rules import LISTS, parse_own_name


def day(value: str) -> date:
    """Return a day."""
    if len(value) != len("2018-01-01"):
        raise ValueError(value)
    return date.fromisoformat(value)


def day_or_nothing(value: str | None) -> object:
    """Return a day, or nothing."""
    return day(value) if value else value


def list_name(value: str) -> str:
    """Return the name of a list; raise an exception for a text that no list can have as its name."""
    return value if value in LISTS else parse_own_name(value)


def list_or_nothing(value: str | None) -> object:
    """Return the name of a list, or nothing."""
    return None if value is None else list_name(value)


def json_object(value: str) -> None:
    """Read a JSON object."""
    if not isinstance(json.loads(value), dict):
        raise TypeError(value)


def among(*accepted: str) -> Callable[[str], object]:
    """Return the check for one of some texts."""
    return accepted.index


def birth(value: str) -> object:
    """Return a day or a year of birth."""
    from arpad.model.json_values import to_birth  # only ``verify`` asks for it

    return to_birth(value)


NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
META = MetaData(naming_convention=NAMING)
BY_CODE = Text().with_variant(Text(collation="C"), "postgresql")
"""Sorted by code point, so that the beginnings of words are found by a range on both databases."""


# ---------------------------------------------------------------------------------------------------- columns


def act() -> Column[int]:
    """Return the column with the number of the act that added a row.

    The ledger's row is written last, hence a check at the end of the transaction. SQLite then looks for the rows that
    waited for it, hence an index, or each act would read every table.
    """
    target = ForeignKey("ledger.seq", deferrable=True, initially="DEFERRED")
    return Column("act", Integer, target, nullable=False, index=True)


def row_id() -> Column[int]:
    """Return the column with the number of a row, which Arpad counts itself."""
    return Column("id", Integer, primary_key=True, autoincrement=False)


def number(name: str) -> Column[int]:
    """Return a column of numbers."""
    return Column(name, Integer, nullable=False, autoincrement=False)


def text(name: str, *, null: bool = False) -> Column[str]:
    """Return a column of texts."""
    return Column(name, Text, nullable=null)


def texts(*names: str) -> list[Column[str]]:
    """Return several columns of texts."""
    return [text(name) for name in names]


def unique_text(name: str) -> Column[str]:
    """Return a column of texts that are all different."""
    return Column(name, Text, nullable=False, unique=True)


def data(name: str) -> Column[bytes]:
    """Return a column of bytes."""
    return Column(name, LargeBinary, nullable=False)


def to(name: str, target: str, *, null: bool = False) -> Column[int]:
    """Return a column that refers to the rows of a table, as ``players.id``."""
    return Column(name, Integer, ForeignKey(target), nullable=null)


# ----------------------------------------------------------------------------------------------- tables and rows


class Kind(Enum):
    """What happens to the rows of a table."""

    KEPT = "kept"
    """Append-only, by trigger; every row is proved by the act that wrote it."""

    CHANGING = "changing"
    """Replaced and deleted, only by acts, and proved by them: accounts, and other things that people rely on."""

    DERIVED = "derived"
    """Can be computed again: from the register, the lists and the reports."""

    PASSING = "passing"
    """Proved by no act, and following from nothing: sign-ins, limits, the queue, followers."""


Check = Callable[[Any], object]
"""Raises an exception for a value without the form of its column."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What is said about the rows of a table."""

    kind: Kind = Kind.KEPT
    named_by: str = ""
    """How the details of an act name the rows that it writes, so that the ledger does not hide them.

    They have the value of one of these columns, or, after an equals sign, one of these keys.
    """

    erased: Mapping[str, Callable[[Any], str] | None] = field(default_factory=dict)
    """The columns that an erasure may change, and what of each lasts; None if nothing does."""

    also_lasts: Callable[[Sequence[Any]], Any] | None = None
    """What else of a row lasts, from its cells."""

    counted: bool = False
    """Whether the key says who a player is: what lasts is how many rows each player got by an act."""

    forms: Mapping[str, Check] = field(default_factory=dict)
    """The columns whose texts have a form."""

    earlier: tuple[str, ...] = ()
    """Columns that refer to an earlier row of the same table."""

    owner: str = ""
    """The table with whose rows these come, by the same act; the key of the owner begins theirs."""

    removed_by: str = ""
    """The key of an act's details with the owners whose rows the act deletes."""

    line_hashes: Callable[[bytes], bytes] | None = None
    """The hashes of the lines in a block of another body's list, from which an erasure takes whole lines."""

    uncovered: tuple[str, ...] = ()
    """Columns that change without an act, or follow from nothing."""

    exported: bool | None = None
    """Whether an export has them as they are; by default if they are kept."""

    @property
    def proved(self) -> bool:
        """Whether acts prove every row."""
        return self.kind in {Kind.KEPT, Kind.CHANGING}


_ROWS: dict[str, Rows] = {}
CHAIN = frozenset({"ledger", "act_rows"})
"""The tables that prove the others."""


def table(name: str, rows: Rows, *parts: SchemaItem, **options: Any) -> Table:
    """Declare a table."""
    _ROWS[name] = rows
    return Table(name, META, *parts, **options)


def ended(name: str, column: str, target: str) -> Table:
    """Declare a table that refers to the rows of another one which an act revoked, undid or removed; they stay."""
    key: Column[int] = Column(column, Integer, ForeignKey(target), primary_key=True)
    return table(name, Rows(named_by=column), key, act())


DeclaredTable: TypeAlias = Table
"""What a feature declares; acts add rows to it."""

_LOADERS: list[Callable[[], None]] = []


def load_with(load: Callable[[], None]) -> None:
    """Say which function imports the tables of all features; the office does."""
    _LOADERS[:] = [load]


def whole_schema() -> MetaData:
    """Return the tables of all features."""
    if not _LOADERS:
        raise RuntimeError("import arpad.office.office first: it knows the tables of the features")
    _LOADERS[0]()
    return META


def rows_of(name: str) -> Rows:
    """Return what is said about the rows of a table."""
    return _ROWS[name]


def is_kept(name: str) -> bool:
    """Return whether a table is append-only."""
    return name in _ROWS and _ROWS[name].kind is Kind.KEPT


def is_proved(name: str) -> bool:
    """Return whether acts prove every row of a table."""
    return name in _ROWS and name not in CHAIN and _ROWS[name].proved


def is_erasable(name: str) -> bool:
    """Return whether an erasure takes something from a table."""
    return name in _ROWS and bool(_ROWS[name].erased or _ROWS[name].counted)


def is_counted(name: str) -> bool:
    """Return whether only the number of each player's rows in a table lasts."""
    return name in _ROWS and _ROWS[name].counted


def all_tables() -> tuple[str, ...]:
    """Return the names of all tables, in an order that their foreign keys allow."""
    return tuple(str(stored.name) for stored in whole_schema().sorted_tables)


def kept_tables() -> tuple[str, ...]:
    """Return the append-only tables."""
    return tuple(filter(is_kept, all_tables()))


def proved_tables() -> tuple[str, ...]:
    """Return the tables of which every row is proved by the act that wrote it."""
    return tuple(filter(is_proved, all_tables()))


def derived_tables() -> frozenset[str]:
    """Return the tables that can be computed again."""
    return frozenset(name for name in all_tables() if _ROWS[name].kind is Kind.DERIVED)


def erasable_tables() -> frozenset[str]:
    """Return the tables from which an erasure takes something."""
    return frozenset(filter(is_erasable, all_tables()))


def counted_tables() -> frozenset[str]:
    """Return the tables of whose rows only the number lasts."""
    return frozenset(filter(is_counted, all_tables()))


def owned_tables(kind: Kind) -> dict[str, str]:
    """Return the tables of a kind whose rows come with those of another one, each with that one."""
    found = {name: _ROWS[name] for name in all_tables()}
    return {name: rows.owner for name, rows in found.items() if rows.owner and rows.kind is kind}


def exported_tables() -> tuple[str, ...]:
    """Return the tables that an export has as they are."""
    return tuple(
        name
        for name in all_tables()
        if (_ROWS[name].kind is Kind.KEPT if _ROWS[name].exported is None else _ROWS[name].exported)
    )


def not_covered() -> tuple[str, ...]:
    """Return every table and column of which ``verify`` says that it does not cover it."""
    found = {name: _ROWS[name] for name in all_tables()}
    passing = {name for name, rows in found.items() if rows.kind is Kind.PASSING}
    columns = {f"{name}.{column}" for name, rows in found.items() for column in rows.uncovered}
    return tuple(sorted(passing | columns))


# ------------------------------------------------------------------------------------------- columns added later


@dataclass(frozen=True, slots=True)
class AddedColumns:
    """The columns that a migration added to one proved table (``store.migrated_rows``)."""

    revision: str
    """The schema that has them first."""

    table: str
    values: Mapping[str, Callable[[Mapping[str, Any]], Any]]
    """Column → its value in a row of before, from the other values of the row."""


ADDED: list[AddedColumns] = []
"""One for each migration and table."""


def added_columns(revision: str, name: str, **values: Callable[[Mapping[str, Any]], Any]) -> None:
    """Declare the columns that a migration added to a table, each with its value in a row of before."""
    ADDED.append(AddedColumns(revision, name, values))
    ADDED.sort(key=lambda columns: columns.revision)


# ---------------------------------------------------------------------------------------------- verbs that write


INIT = "init"
"""The verb of the first act."""

ERASE = "erase"
"""The verb of an erasure: only it changes rows of append-only tables, as their ``erased`` allows."""


@dataclass(frozen=True, slots=True)
class VerbTables:
    """The tables of a verb."""

    writes: frozenset[str] = frozenset()
    deletes: frozenset[str] = frozenset()
    names_none: str = ""
    """A key of the details of acts that write many rows and name none of them."""


_VERBS: dict[str, VerbTables] = {}


def writes(verb: str, tables: str, *, names_none: str = "") -> None:
    """Declare that acts of a verb add rows to tables, and delete rows of those with a minus.

    In a table that is not append-only they may also change rows. A feature may declare its own tables for the verb of
    another one. An act that writes another table is refused, and ``verify`` names one.
    """
    known, names = _VERBS.get(verb, VerbTables()), tables.split()
    _VERBS[verb] = VerbTables(
        known.writes | {name for name in names if name[0] != "-"},
        known.deletes | {name[1:] for name in names if name[0] == "-"},
        known.names_none or names_none,
    )


def verbs() -> frozenset[str]:
    """Return the verbs of all acts."""
    whole_schema()
    return frozenset(_VERBS)


def tables_of(verb: str) -> VerbTables:
    """Return the tables that acts of a verb may write; none if there is no such verb."""
    whole_schema()
    return _VERBS.get(verb, VerbTables())


def refuse_undeclared(verb: str, written: Collection[str], deleted: Collection[str]) -> None:
    """Raise if an act writes a table that its verb does not declare."""
    missing = _undeclared(verb, _VERBS.get(verb, VerbTables()), written, deleted)
    if missing or verb not in _VERBS:  # another feature may declare it
        missing = _undeclared(verb, tables_of(verb), written, deleted)
    if missing or verb not in _VERBS:
        raise AssertionError(f'add to the tables of the feature: writes("{verb}", "{" ".join(missing)}")')


def _undeclared(
    verb: str, declared: VerbTables, written: Collection[str], deleted: Collection[str]
) -> list[str]:
    """Return the tables that an act writes and its verb does not declare."""
    changed = set(filter(is_erasable, written)) if verb == ERASE else set()
    missing = sorted({*written} - declared.writes - changed)
    return [*missing, *(f"-{name}" for name in sorted({*deleted} - declared.deletes))]


# -------------------------------------------------------------------------------------------------- JSON of an act

_PERSONAL = frozenset({"born", "died", "name", "value", "club"})
"""Keys whose texts may say who a player is."""

_NOT_PERSONAL = frozenset("edition kind list lists mode status".split())
"""Keys whose texts never do."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def is_lasting(key: str, text: str) -> bool:
    """Return whether an erasure leaves the text of a key as it is: digests, names of lists, days that are no births."""
    if key in _NOT_PERSONAL or _DIGEST.fullmatch(text):
        return True
    return key not in _PERSONAL and _DAY.fullmatch(text) is not None


def lasting_json(value: Any, key: str = "") -> Any:
    """Return a JSON value without the texts that an erasure may change; all numbers stay."""
    if isinstance(value, str):
        return value if is_lasting(key, value) else ""
    if isinstance(value, list):
        return [lasting_json(item, key) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: facts_of_players(item)
        if name == "players" and isinstance(item, dict)
        else lasting_json(item, name)
        for name, item in value.items()
    }


def facts_of_players(facts: Mapping[str, Any]) -> list[str]:
    """Return the facts about the entrants of a report without births, and without the keys, which may be numbers."""
    return sorted(
        dump({name: it for name, it in own.items() if name not in _PERSONAL}) for own in facts.values()
    )


def act_digest(details: str) -> bytes:
    """Return the digest of the lasting values of an act's details."""
    return sha256(dump(lasting_json(load(details))).encode()).digest()


# ------------------------------------------------------------------------------------------------- rows of tables


@cache
def _places(table: str, names: tuple[str, ...]) -> tuple[tuple[int, Callable[[Any], str] | None], ...]:
    """Return which cells of a row last, by place, each with what lasts of it, None for all of it."""
    erased = rows_of(table).erased
    return tuple(
        (at, erased.get(name)) for at, name in enumerate(names) if erased.get(name, True) is not None
    )


@cache
def _all_names(table: str) -> tuple[str, ...]:
    return tuple(column.name for column in META.tables[table].columns)


def lasting_values(
    table: str, row: Sequence[Any], reduced: str | None = None, names: tuple[str, ...] = ()
) -> list[Any]:
    """Return the values of a row with the named columns, or all, that an erasure leaves as they are.

    ``reduced`` is what lasts of the only value of which a part does, if it is known.
    """
    values = [
        row[at] if reduce is None else reduce(row[at]) if reduced is None else reduced
        for at, reduce in _places(table, names or _all_names(table))
    ]
    also_lasts = rows_of(table).also_lasts
    return [*values, also_lasts(row)] if also_lasts else values


@cache
def player_column(table: str) -> int:
    """Return the place of the player among the columns of a counted table."""
    return _all_names(table).index("player")
