"""What an erasure leaves of a row or an act as it was, so that it stays proved after a name was erased from it.

The record of an act (``store.written_rows``) has two digests of a row that may name a player: one of all values, which
an erasure takes out, since a name could be guessed from it, and one of the values that an erasure must not change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from arpad.model.canonical_json import dump, load
from arpad.store.declared_tables import META, rows_of

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


def lasting_columns(table: str) -> list[str]:
    """Return the columns that an erasure leaves as they are, for a table in which it changes whole values only."""
    rows = rows_of(table)
    if any(rows.erased.values()) or rows.also_lasts:
        raise ValueError(table)
    return [name for name in _all_names(table) if name not in rows.erased]


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
