"""A published list with its players in columns: what files, rankings and the lists cut from it are written from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import polars as pl

from arpad.lists.canonical import canonical_head, identifiers_field, unescape
from arpad.lists.published import ListedPlayer, ListHead, PublishedList
from arpad.lists.table import SCHEMA, lines_bytes, listed_players
from arpad.model.errors import BadInput
from arpad.system.text_columns import change_some


@dataclass(frozen=True, eq=False)
class ListTable(ListHead):
    """A list with its players as a table by number; the table has at least the columns of the published line."""

    frame: pl.DataFrame = field(kw_only=True)

    @cached_property
    def ranked(self) -> pl.DataFrame:
        """All players: the highest rating first, equal ratings by name, then by number; then those without rating.

        Every list that is cut from it keeps this order.
        """
        return self.frame[self.order]

    @cached_property
    def order(self) -> pl.Series:
        """The rows of the table in the order of ``ranked``."""
        keys = self.frame.select("rating", name=_casefolded(self.frame["name"]), row=pl.int_range(pl.len()))
        by_name = keys.sort(
            "name", maintain_order=True
        )  # two sorts are five times as fast as one by two columns
        return by_name.sort("rating", descending=True, nulls_last=True, maintain_order=True)["row"]

    @cached_property
    def text(self) -> bytes:
        """The canonical text."""
        players = self.frame["player"]
        for player in players.filter(players == players.shift(1))[:1]:
            raise BadInput("listed-twice", player=player)
        return canonical_head(self, len(self.frame)).encode() + lines_bytes(self.frame)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text, in hexadecimal."""
        return sha256(self.text).hexdigest()

    @cached_property
    def schemes(self) -> tuple[str, ...]:
        """The bodies whose numbers occur in the list."""
        identifiers = self.frame["identifiers"]
        several = identifiers.str.contains(" ", literal=True)
        single = identifiers.filter(~several)
        names = {*single.str.head(single.str.find("=", literal=True)).unique()}
        for combination in identifiers.filter(several).str.replace_all("=[^ ]*", "").unique():
            names |= {*combination.split(" ")}
        return tuple(sorted(name for name in names if name is not None))


def _casefolded(names: pl.Series) -> pl.Series:
    """Return the names as Python folds them; for ASCII that is lower case."""
    ascii_only = names.str.len_bytes() == names.str.len_chars()
    folded = change_some(names, ~ascii_only, str.casefold)
    return names.str.to_lowercase().zip_with(ascii_only, folded)


def numbers_of(identifiers: pl.Series, scheme: str) -> pl.Series:
    """Return the players' numbers at another body, or empty texts, from their column of numbers."""
    if identifiers.str.contains(" ", literal=True).any():
        numbers = identifiers.str.extract(rf"(?:^| ){re.escape(scheme)}=([^ ]*)").fill_null("")
    else:
        prefix = f"{scheme}="
        column = pl.col(identifiers.name)
        number = pl.when(column.str.starts_with(prefix)).then(column.str.strip_prefix(prefix))
        numbers = identifiers.to_frame().select(number.otherwise(pl.lit(""))).to_series()
    return change_some(numbers, numbers.str.contains("\\", literal=True), unescape).alias(scheme)


# -------------------------------------------------------------------------------------------- texts, values, columns


def list_table(head: ListHead, frame: pl.DataFrame) -> ListTable:
    """Return the list of a head and a table of players, of which the list shows some."""
    return ListTable(**head.values(), frame=frame.filter("listed"))


def table_of_list(published: PublishedList) -> ListTable:
    """Return a list of values as a table."""
    columns = [name for name in ListedPlayer._fields if name != "identifiers"]
    frame = pl.DataFrame(
        [row[: len(columns)] for row in published.rows],
        schema={name: SCHEMA[name] for name in columns},
        orient="row",
    ).with_columns(
        listed=pl.lit(value=True),
        identifiers=pl.Series(
            [identifiers_field(sorted(row.identifiers)) for row in published.rows], dtype=pl.String
        ),
    )
    return ListTable(**published.values(), frame=frame)


def list_of_table(table: ListTable) -> PublishedList:
    """Return the list as values."""
    return PublishedList(**table.values(), rows=tuple(listed_players(table.frame)))
