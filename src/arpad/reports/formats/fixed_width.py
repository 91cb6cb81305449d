"""Fixed columns: one table says where each field of a line stands, and drives both reading and writing.

Columns are counted from one and include both ends, as the format descriptions print them; they count characters.
"""

from __future__ import annotations

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
    """Whether it is written flush right, as numbers are."""

    @property
    def width(self) -> int:
        """How many characters it holds."""
        return self.last - self.first + 1

    def cut(self, line: str) -> str:
        """The field of one line, blanks included."""
        return line[self.first - 1 : self.last]

    def fill(self, text: str) -> str:
        """The text as it stands in the column; what is too long is cut at its end."""
        cut = text[: self.width]
        return cut.rjust(self.width) if self.right else cut.ljust(self.width)


@dataclass(frozen=True, slots=True)
class Tail:
    """Numbers that go on to the end of the line, one every so many columns."""

    first: int
    width: int
    step: int

    def cut(self, line: str) -> list[tuple[int, str]]:
        """The pieces with the column each begins at; blanks at the end of the line make none."""
        end = len(line.rstrip())
        starts = range(self.first, end + 1, self.step)
        return [(start, line[start - 1 : start - 1 + self.width]) for start in starts]

    def fill(self, texts: Iterable[str]) -> str:
        """The pieces as they stand from the first column on."""
        gap = " " * (self.step - self.width)
        return gap.join(text.rjust(self.width) for text in texts)


@dataclass(frozen=True)
class Layout:
    """The columns of one kind of line."""

    columns: tuple[Column, ...]
    tail: Tail | None = None

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """The columns by name."""
        return {column.name: column for column in self.columns}

    @cached_property
    def cut(self) -> Callable[[str], tuple[str, ...]]:
        """All fields of a line at once, in the order of the table (at least two columns)."""
        slices: list[Any] = [slice(column.first - 1, column.last) for column in self.columns]
        return itemgetter(*slices)

    def fields(self, line: str) -> Iterator[tuple[Column, str]]:
        """Each column with what stands in it, blanks taken off."""
        for column in self.columns:
            yield column, column.cut(line).strip()

    @cached_property
    def gaps(self) -> tuple[int, ...]:
        """The columns between two fields, which should be blank."""
        return tuple(
            place for left, right in pairwise(self.columns) for place in range(left.last + 1, right.first)
        )

    def put(self, line: str, name: str, text: str) -> str:
        """The line with one field written anew, the rest untouched."""
        column = self.by_name[name]
        return overlay(line, column.first, column.fill(one_line(text)))

    def format(self, line: str, values: Mapping[str, str], tail: Iterable[str] = ()) -> str:
        """A line made of its fields, blanks at the end taken off."""
        for name, text in values.items():
            line = self.put(line, name, text)
        if self.tail is not None:
            line = overlay(line, self.tail.first, self.tail.fill(tail))
        return line.rstrip()


def overlay(line: str, first: int, text: str) -> str:
    """The line with a text laid over it from a column on."""
    return line[: first - 1].ljust(first - 1) + text + line[first - 1 + len(text) :]


def one_line(text: str) -> str:
    """A text on one line: what breaks it, and what no text has, becomes a blank."""
    clean = text.translate(_BLANKED)
    return text if clean == text else " ".join(clean.split())
