"""A published list with its players in columns: what files, rankings and the lists cut from it are written from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import polars as pl

from arpad.lists.canonical import RESTORED, canonical_head
from arpad.lists.cuts import OWNED, SECTIONS, rows_by_cut, rows_by_federation
from arpad.lists.published import ListHead
from arpad.lists.table import LINE, lines_bytes
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.regulations.systems import system_of

NATIONAL = "national"
"""A column beside those of the published line: the national category, on lists whose edition has them."""


@dataclass(frozen=True, eq=False)
class ListTable(ListHead):
    """A list with its players as a table by number; the table has at least the columns of the published line."""

    frame: pl.DataFrame = field(kw_only=True)

    @property
    def has_national(self) -> bool:
        """Whether the players have national categories."""
        return NATIONAL in self.frame.columns

    @property
    def sections(self) -> tuple[str, ...]:
        """The cuts that files show: the players whom the office owns first, if the list has others too.

        The list of a rating system says neither the sex nor the title.
        """
        sections = ("all", "top", "juniors") if self.on_list.is_own else SECTIONS
        return ("ours", *sections) if OWNED in self.frame.columns else sections

    @cached_property
    def ranked(self) -> pl.DataFrame:
        """All players: the highest rating first, equal ratings by name, then by number; then those without rating.

        Every list that is cut from it keeps this order.
        """
        return self.frame[self.order]

    @cached_property
    def cuts(self) -> dict[str, pl.Series]:
        """The rows of ``ranked`` in each cut."""
        return rows_by_cut(self, self.ranked)

    @cached_property
    def federations(self) -> dict[str, pl.Series]:
        """The rows of ``ranked`` of each federation, by its code."""
        return rows_by_federation(self, self.ranked)

    @cached_property
    def order(self) -> pl.Series:
        """The rows of the table in the order of ``ranked``."""
        keys = self.frame.select("rating", "player", name=_casefolded(self.frame["name"]))
        order = pl.arg_sort_by(
            "rating", "name", "player", descending=[True, False, False], nulls_last=[True, False, False]
        )
        return keys.select(order).to_series()

    @cached_property
    def text(self) -> bytes:
        """The canonical text."""
        players = self.frame["player"]
        twice = players == players.shift(1)
        if twice.any():
            raise BadInput("listed-twice", player=players.filter(twice)[0])
        return lines_bytes(self.frame, canonical_head(self, len(self.frame)))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text, in hexadecimal."""
        return sha256(self.text).hexdigest()

    @cached_property
    def schemes(self) -> tuple[str, ...]:
        """The bodies whose numbers occur in the list."""
        return tuple(sorted(_schemes(self.frame["identifiers"])))

    @cached_property
    def numbers(self) -> pl.DataFrame:
        """The players' numbers at other bodies, a column for each body; an empty text for none."""
        return numbers_of(self.frame["identifiers"], self.schemes)

    def numbers_at(self, scheme: str) -> pl.Series:
        """Return the players' numbers at a body."""
        if scheme in self.schemes:
            return self.numbers[number_column(scheme)]
        return pl.Series(number_column(scheme), [""]).new_from_index(0, len(self.frame))


def _casefolded(names: pl.Series) -> pl.Series:
    """Return the names as Python folds them; for most letters that is lower case."""
    folded, is_ascii = names.to_frame().select(_FOLDED, _IS_ASCII)
    rows = (~is_ascii).arg_true()
    rows = rows.filter(names.gather(rows).str.contains(_FOLDED_OTHERWISE))
    return folded.scatter(rows, [name.casefold() for name in names.gather(rows)]) if len(rows) else folded


_FOLDED = pl.col("name").str.to_lowercase()
_IS_ASCII = (pl.col("name").str.len_bytes() == pl.col("name").str.len_chars()).alias("is_ascii")
_FOLDED_OTHERWISE = r"[^\x00-\x7f\u{c0}-\u{de}\u{e0}-\u{12f}\u{131}-\u{148}\u{14a}-\u{17e}]"
"""Letters that may fold to something else than lower case, as the sharp s; the others are Latin letters."""


def _schemes(identifiers: pl.Series) -> set[str]:
    """Return the bodies whose numbers occur; most players have a number at one body only."""
    several = identifiers.str.contains_any([" "])
    bodies = identifiers.filter(several).str.replace_all("=[^ ]*", "").unique()
    schemes = {scheme for names in bodies for scheme in names.split(" ")}
    rest = identifiers.filter(~several & (identifiers != ""))
    while len(rest):
        scheme = rest[0].partition("=")[0]
        schemes.add(scheme)
        rest = rest[1:].filter(~rest[1:].str.starts_with(f"{scheme}="))
    return schemes


def numbers_of(identifiers: pl.Series, schemes: Iterable[str]) -> pl.DataFrame:
    """Return the players' numbers at other bodies, or empty texts, from their column of numbers."""
    number = _any_number if identifiers.str.contains_any([" ", "\\"]).any() else _single_number
    columns = [number(scheme).fill_null("").alias(number_column(scheme)) for scheme in schemes]
    # the column stays until the end: a table without columns has no rows
    return identifiers.to_frame("identifiers").with_columns(columns).drop("identifiers")


def number_column(scheme: str) -> str:
    """Return the name of the column with the numbers at a body."""
    return f"{scheme}_number"


def _single_number(scheme: str) -> pl.Expr:
    """Return the number if no player has several and none is escaped: a regular expression takes ten times as long."""
    return pl.when(_IDENTIFIERS.str.starts_with(f"{scheme}=")).then(
        _IDENTIFIERS.str.strip_prefix(f"{scheme}=")
    )


def _any_number(scheme: str) -> pl.Expr:
    number = _IDENTIFIERS.str.extract(rf"(?:^| ){re.escape(scheme)}=([^ ]*)")
    return number.str.replace_many(RESTORED)


_IDENTIFIERS = pl.col("identifiers")


def file_columns(on_list: ListName) -> tuple[str, ...]:
    """Return the columns that the files of a list are written from; those of a draughts list carry its state."""
    return ("player", "rating", *LINE, *([] if system_of(on_list).stored.in_columns else ["state"]))


def list_table(head: ListHead, frame: pl.DataFrame) -> ListTable:
    """Return the list of a head and a table of players, of which the list shows some."""
    return ListTable(**head.values(), frame=frame.filter("listed"))
