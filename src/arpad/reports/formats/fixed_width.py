"""Fixed-width columns: one table gives the position of each field and drives both reading and writing.

Columns are counted from one and include both ends, as the format descriptions print them; they count characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any

_BLANKED = dict.fromkeys([*range(32), *range(127, 160), 0x2028, 0x2029], " ")


@dataclass(frozen=True, slots=True)
class Column:
    """One field of a line."""

    name: str
    first: int
    last: int
    right: bool = False
    """Whether it is aligned right, as numbers are."""

    @property
    def width(self) -> int:
        """Return the number of characters."""
        return self.last - self.first + 1

    def cut(self, line: str) -> str:
        """Return the field of a line, blanks included."""
        return line[self.first - 1 : self.last]

    def fill(self, text: str) -> str:
        """Return the text padded to the column; a longer text is cut at its end."""
        cut = text[: self.width]
        return cut.rjust(self.width) if self.right else cut.ljust(self.width)


@dataclass(frozen=True, slots=True)
class Tail:
    """Numbers up to the end of the line, one every ``step`` columns."""

    first: int
    width: int
    step: int

    def cut(self, line: str) -> list[tuple[int, str]]:
        """Return each piece with its first column; blanks at the end of the line are ignored."""
        end = len(line.rstrip())
        starts = range(self.first, end + 1, self.step)
        return [(start, line[start - 1 : start - 1 + self.width]) for start in starts]

    def fill(self, texts: Iterable[str]) -> str:
        """Return the pieces padded from the first column on."""
        gap = " " * (self.step - self.width)
        return gap.join(text.rjust(self.width) for text in texts)


@dataclass(frozen=True)
class Layout:
    """The columns of one kind of line."""

    columns: tuple[Column, ...]
    tail: Tail | None = None

    @classmethod
    def of(cls, text: str, tail: Tail | None = None) -> Layout:
        """Return the columns of a text such as ``number 5-8> sex 10-10``; the sign is for those aligned right."""
        columns = re.findall(r"(\w+) (\d+)-(\d+)(>?)", text)
        return cls(
            tuple(Column(name, int(first), int(last), sign == ">") for name, first, last, sign in columns),
            tail,
        )

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """Return the columns by name."""
        return {column.name: column for column in self.columns}

    @cached_property
    def cut(self) -> Callable[[str], tuple[str, ...]]:
        """Return a function that cuts all fields of a line, in the order of the table (at least two columns)."""
        slices: list[Any] = [slice(column.first - 1, column.last) for column in self.columns]
        return itemgetter(*slices)

    def fields(self, line: str) -> Iterator[tuple[Column, str]]:
        """Yield each column with its stripped text."""
        for column in self.columns:
            yield column, column.cut(line).strip()

    @cached_property
    def gaps(self) -> tuple[int, ...]:
        """Return the columns between two fields, which should be blank."""
        return tuple(
            column for left, right in pairwise(self.columns) for column in range(left.last + 1, right.first)
        )

    def put(self, line: str, name: str, text: str) -> str:
        """Return the line with one field replaced."""
        column = self.by_name[name]
        return overlay(line, column.first, column.fill(one_line(text)))

    def format(self, line: str, values: Mapping[str, str], tail: Iterable[str] = ()) -> str:
        """Return a line of the fields, without blanks at the end."""
        for name, text in values.items():
            line = self.put(line, name, text)
        if self.tail is not None:
            line = overlay(line, self.tail.first, self.tail.fill(tail))
        return line.rstrip()


def overlay(line: str, first: int, text: str) -> str:
    """Return the line with a text written over it from a column on."""
    return line[: first - 1].ljust(first - 1) + text + line[first - 1 + len(text) :]


def one_line(text: str) -> str:
    """Return a text on one line: line breaks and control characters become blanks."""
    clean = text.translate(_BLANKED)
    return text if clean == text else " ".join(clean.split())
