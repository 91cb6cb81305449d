"""The large inputs of a list as tables: states, ratings and people.

Each is a mapping like the plain one that a bundle gives without Polars, and a table for the path on columns. ``lines``
writes it as the file of a bundle.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic, TypeVar

import polars as pl

from arpad.lists.canonical import REGISTER_HEAD, identifiers_field, parse_identifiers
from arpad.lists.published import StoredPlayer
from arpad.lists.table import (
    SCHEMA,
    STATE,
    escaped_lines,
    escaped_text,
    has_state,
    state_text,
    table_of,
)
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person
from arpad.regulations.rating_system import System
from arpad.system.text_columns import joined_lines, one_text

Value = TypeVar("Value")


class TableMapping(Mapping[int, Value], Generic[Value]):
    """Values by player, as a table that is sorted by player."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    def _values(self, frame: pl.DataFrame) -> Iterator[Value]:
        """Yield the values of some rows."""
        raise NotImplementedError

    def lines(self) -> bytes:
        """Return the file of a bundle: a line for each player."""
        raise NotImplementedError

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return sha256(self.lines()).hexdigest()

    @cached_property
    def _players(self) -> frozenset[int]:
        return frozenset(self.frame["player"].to_list())

    @cached_property
    def _all(self) -> dict[int, Value]:
        return dict(zip(self.frame["player"].to_list(), self._values(self.frame), strict=True))

    def __getitem__(self, player: int) -> Value:
        return self._all[player]

    def __contains__(self, player: object) -> bool:
        return player in self._players

    def __iter__(self) -> Iterator[int]:
        return iter(self.frame["player"].to_list())

    def __len__(self) -> int:
        return self.frame.height

    def items(self) -> ItemsView[int, Value]:
        """Return all pairs, read at once."""
        return self._all.items()

    def __eq__(self, other: object) -> bool:
        return dict(self.items()) == (dict(other.items()) if isinstance(other, Mapping) else other)

    __hash__ = None  # type: ignore[assignment]


class StateTable(TableMapping[str]):
    """The states of players as canonical JSON: the state columns of a list."""

    def _values(self, frame: pl.DataFrame) -> Iterator[str]:
        yield from frame.select(state_text(frame)).to_series()

    def lines(self) -> bytes:
        """Return player and state of each line."""
        return joined_lines(self.frame, ("player", state_text(self.frame)))

    @staticmethod
    def of(states: Mapping[int, str], system: System[Any, Any]) -> StateTable:
        """Return any states as a table."""
        if isinstance(states, StateTable):
            return states
        rows = (
            StoredPlayer(player, system.stored.rating_of(text), text, None) for player, text in states.items()
        )
        return StateTable.of_list(table_of(rows, system))

    @staticmethod
    def of_list(table: pl.DataFrame) -> StateTable:
        """Return the states of a list's players."""
        return StateTable(table.filter(has_state()).select("player", "rating", *STATE))

    def merged(self, merged: Mapping[int, int], system: System[Any, Any]) -> StateTable:
        """Return the states with those of merged players joined (dropped → kept)."""
        dropped = (
            self.frame.filter(pl.col("player").is_in(list(merged)))["player"].to_list() if merged else ()
        )
        if not dropped:
            return self
        concerned = {*dropped, *(merged[player] for player in dropped)}
        is_concerned = pl.col("player").is_in(concerned)
        states = StateTable(self.frame.filter(is_concerned))
        joined = StateTable.of(system.stored.merge(dict(states.items()), merged), system)
        return StateTable(pl.concat([self.frame.filter(~is_concerned), joined.frame]).sort("player"))


class RatingTable(TableMapping[int]):
    """The ratings of a list: the columns ``player`` and ``rating``."""

    def _values(self, frame: pl.DataFrame) -> Iterator[int]:
        yield from frame["rating"]

    def lines(self) -> bytes:
        """Return player and rating of each line."""
        return joined_lines(self.frame, ("player", "rating"))

    @staticmethod
    def of(ratings: Mapping[int, int]) -> RatingTable:
        """Return any ratings as a table."""
        if isinstance(ratings, RatingTable):
            return ratings
        pairs = {"player": list(ratings), "rating": list(ratings.values())}
        schema = {name: SCHEMA[name] for name in pairs}
        return RatingTable(pl.DataFrame(pairs, schema=schema).sort("player"))


_SHARED = pl.Categorical()
"""The type of a text that many people share: its column has a quarter of the bytes."""

PERSON: dict[str, Any] = {
    "player": pl.Int64, "name": pl.String, "federation": _SHARED, "sex": _SHARED, "born": _SHARED, "title": _SHARED,
    "women_title": _SHARED, "other_titles": _SHARED, "affiliation": _SHARED, "identifiers": pl.String, "died": _SHARED,
}  # fmt: skip
"""The columns of people. ``identifiers`` is the last field of a canonical line; a birth or death is a text."""


class PeopleTable(TableMapping[Person]):
    """The register's facts about players."""

    def _values(self, frame: pl.DataFrame) -> Iterator[Person]:
        for (
            player,
            name,
            federation,
            sex,
            born,
            title,
            women_title,
            other,
            affiliation,
            numbers,
            died,
        ) in frame.select(*PERSON).iter_rows():
            yield Person(
                player, name, federation, sex, to_birth(born), title, women_title, other, affiliation,
                parse_identifiers(numbers), date.fromisoformat(died) if died else None,
            )  # fmt: skip

    def texts(self) -> pl.DataFrame:
        """Return the table with each text in full."""
        return self.frame.with_columns(pl.col(pl.Categorical).cast(pl.String))

    def lines(self) -> bytes:
        """Return ``register.tsv``."""
        plain = [pl.col(name) for name in PERSON]
        escaped = [escaped_text(name) if name in _TEXTS else pl.col(name) for name in PERSON]
        return one_text(REGISTER_HEAD.encode(), escaped_lines(self.frame, plain, escaped))

    @staticmethod
    def of(people: Mapping[int, Person]) -> PeopleTable:
        """Return any people as a table."""
        if isinstance(people, PeopleTable):
            return people
        rows = [
            (
                number, it.name, it.federation, it.sex, from_birth(it.born), it.title, it.women_title,
                it.other_titles, it.affiliation, identifiers_field(it.identifiers), str(it.died or ""),
            )
            for number, it in people.items()
        ]  # fmt: skip
        return PeopleTable(pl.DataFrame(rows, schema=PERSON, orient="row").sort("player"))


_TEXTS = ("name", "federation", "sex", "title", "women_title", "other_titles", "affiliation")
"""The columns that may need escapes; identifiers have theirs already."""
