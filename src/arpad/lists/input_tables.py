"""The large inputs of a list as tables: states, ratings and people.

Each is a mapping like the plain one that a bundle gives without Polars, and a table for the path on columns. ``lines``
writes it as the file of a bundle.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from datetime import date
from functools import cached_property
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any, Generic, TypeVar

import polars as pl

from arpad.lists.canonical import identifiers_field, parse_identifiers
from arpad.lists.standings import StandingRow
from arpad.lists.table import SCHEMA, STATE, has_state, state_text, table_of
from arpad.model.disciplines import Discipline
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person
from arpad.system.text_columns import change_texts, joined_lines

Value = TypeVar("Value")

_FEW = 5_000
"""Values up to which all are read when one is needed: a single one costs as much as some hundreds."""


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
    def _index(self) -> dict[int, int]:
        return {player: row for row, player in enumerate(self.frame["player"].to_list())}

    @cached_property
    def _all(self) -> dict[int, Value]:
        return dict(zip(self.frame["player"].to_list(), self._values(self.frame), strict=True))

    def __getitem__(self, player: int) -> Value:
        if len(self) <= _FEW:
            return self._all[player]
        return next(self._values(self.frame.slice(self._index[player], 1)))

    def __contains__(self, player: object) -> bool:
        return player in self._index

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
    def of(states: Mapping[int, str], discipline: Discipline) -> StateTable:
        """Return any states as a table."""
        if isinstance(states, StateTable):
            return states
        rows = (
            StandingRow(player, discipline.rating_of(text), text, None) for player, text in states.items()
        )
        return StateTable.of_list(table_of(rows, discipline))

    @staticmethod
    def of_list(table: pl.DataFrame) -> StateTable:
        """Return the states of a list's players."""
        return StateTable(table.filter(has_state()).select("player", "rating", *STATE))

    def merged(self, merged: Mapping[int, int], discipline: Discipline) -> StateTable:
        """Return the states with those of merged players joined (dropped → kept)."""
        dropped = (
            self.frame.filter(pl.col("player").is_in(list(merged)))["player"].to_list() if merged else ()
        )
        if not dropped:
            return self
        concerned = {*dropped, *(merged[player] for player in dropped)}
        is_concerned = pl.col("player").is_in(concerned)
        states = StateTable(self.frame.filter(is_concerned))
        joined = StateTable.of(discipline.merge_states(dict(states.items()), merged), discipline)
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


PERSON: dict[str, Any] = {
    "player": pl.Int64, "name": pl.String, "federation": pl.String, "sex": pl.String, "born": pl.String,
    "title": pl.String, "women_title": pl.String, "other_titles": pl.String, "affiliation": pl.String,
    "identifiers": pl.String, "died": pl.String,
}  # fmt: skip
"""The columns of people. ``identifiers`` is the last field of a canonical line; a birth or death is a text."""


class PeopleTable(TableMapping[Person]):
    """The register's facts about players."""

    def __init__(self, frame: pl.DataFrame, written: pl.Series | None = None) -> None:
        super().__init__(frame)
        self._written = written
        """The texts of players, as far as they are known."""

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

    def lines(self) -> bytes:
        """Return each player as canonical JSON."""
        written = self._written
        if written is None:
            return joined_lines(self._escaped(), [_PERSON_JSON])
        if written.has_nulls():
            rows = written.is_null().arg_true()
            written = written.clone().scatter(rows, PeopleTable(self.frame[rows]).texts())
        return joined_lines(written.to_frame())

    def texts(self) -> pl.Series:
        """Return the text of each player."""
        return self._escaped().select(_PERSON_JSON).to_series()

    def _escaped(self) -> pl.DataFrame:
        """Return the facts as JSON has them."""
        texts = change_texts(self.frame, _TEXTS.str.contains(_JSON_SPECIAL), _json_escaped)
        identifiers, odd = self.frame.select(_IDENTIFIERS_JSON, odd=_ODD)
        if odd.any():
            rows = odd.arg_true()
            odd_fields = self.frame["identifiers"].gather(rows)
            identifiers = identifiers.clone().scatter(
                rows, [_one_identifiers_json(field) for field in odd_fields]
            )
        return texts.with_columns(identifiers)

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


def _json_escaped(text: str) -> str:
    return encode_basestring(text)[1:-1]


_JSON_SPECIAL = '["\\\\\\x00-\\x1f]'
_TEXTS = pl.col(pl.String).exclude("identifiers")
_DIED = pl.when(pl.col("died") != "").then(pl.concat_str(pl.lit('"died":"'), "died", pl.lit('",')))
_PERSON_JSON = pl.concat_str(
    pl.lit('{"affiliation":"'), "affiliation", pl.lit('","born":"'), "born", pl.lit('",'), _DIED.fill_null(""),
    pl.lit('"federation":"'), "federation", pl.lit('","id":'), pl.col("player").cast(pl.String),
    pl.lit(',"identifiers":'), "identifiers", pl.lit(',"name":"'), "name", pl.lit('","other_titles":"'), "other_titles",
    pl.lit('","sex":"'), "sex", pl.lit('","title":"'), "title", pl.lit('","women_title":"'), "women_title",
    pl.lit('"}'),
).alias("written")  # fmt: skip
_FIELD = pl.col("identifiers")
_IDENTIFIERS_JSON = (
    pl.when(_FIELD == "")
    .then(pl.lit("[]"))
    .otherwise(
        pl.concat_str(
            pl.lit('[["'),
            _FIELD.str.replace_all("=", '","', literal=True).str.replace_all(" ", '"],["', literal=True),
            pl.lit('"]]'),
        )
    )
    .alias("identifiers")
)
_PAIRS = _FIELD.str.count_matches(" ", literal=True) + 1
_ODD = (_FIELD != "") & (
    _FIELD.str.contains(_JSON_SPECIAL) | (_FIELD.str.count_matches("=", literal=True) != _PAIRS)
)
"""Fields with an escape or a second ``=``; they are few, and written by themselves."""


def _one_identifiers_json(field: str) -> str:
    quoted = encode_basestring
    pairs = [f"[{quoted(scheme)},{quoted(number)}]" for scheme, number in parse_identifiers(field)]
    return f"[{','.join(pairs)}]"
