"""Find the registered names that are near the names of entrants, thousands against a whole register at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from arpad.model.names import plain_lines
from arpad.reports.name_scores import name_scores, name_words
from arpad.system.batches import batches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.reports.name_columns import NameColumns

NEAR = 60
"""Names less alike than this, in percent, are not compared further."""

_GOOD = 80
"""Names as alike as this are of the same person, or nearly so."""

_MOST_ROWS = 20
"""Registered names compared in detail with each entrant's: the most alike."""

_MOST_OF_A_WORD, _MOST_OF_A_SECOND = 1000, 100
"""A word that more registered names have is too common to search by; the second rarest word must be rarer still."""

_AT_ONCE = 200
"""Entrants compared in one step: the figures of 200 entrants and a million names take 200 MB."""

_HIGHEST_LEVEL, _LOWEST_LEVEL, _STEP = 88, 68, 5
"""Likeness, in percent, that the most alike names of a long register have."""

_SHORT = 11
"""Up to so many letters, most names have enough others that differ by one letter."""

_MOST_LATER = 4096
"""Rows that are added one by one become columns from this number on, or from an eighth of the columns on."""


_Join: TypeAlias = Callable[[str], str]
"""Makes one text of the words of a name."""

Matter: TypeAlias = Callable[[Mapping[str, Sequence[int]]], Mapping[str, Sequence[int]]]
"""Returns those of the rows of each name that matter to the caller, whatever their names are."""

_Alike: TypeAlias = "tuple[NDArray[Any], NDArray[Any]]"
"""Rows, and how alike they are."""


class NameTable:
    """The names of a register, ready to be searched: row i is a name of player ``players[i]``."""

    def __init__(self, players: Sequence[int] = (), names: Sequence[str] = ()) -> None:
        """Fold the names once."""
        self.players = array("q")
        self._columns: NameColumns | None = None
        """The first rows as columns."""

        self._in_columns = 0
        self._lines: list[str] = []
        """The words of each later row, divided by blanks."""

        self._later: dict[str, list[int]] = {}
        """Word → rows that are not in columns."""

        self._noted = 0
        """How many rows are in either."""

        self._texts: dict[str, list[str]] = {}
        self.add(players, names)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.players)

    def add(self, players: Sequence[int], names: Sequence[str]) -> None:
        """Add names, each of a player."""
        self.players.extend(players)
        self._lines += plain_lines(names)

    def add_column(self, players: Sequence[int], names: bytes) -> None:
        """Add many names, as ``plain_column`` returns them."""
        if players and not self.players:
            self._put_in_columns(names, len(players))
        else:
            self._lines += names.decode().split("\n")[:-1]
        self.players.extend(players)

    def _put_in_columns(self, names: bytes, count: int) -> None:
        from arpad.reports.name_columns import NameColumns

        self._in_columns = self._noted = count
        self._columns = NameColumns(names)
        self._lines, self._later, self._texts = [], {}, {}

    def copy(self) -> NameTable:
        """Return a table to which names can be added without adding them to this one."""
        copied = NameTable()
        copied.players, copied._lines = self.players[:], self._lines.copy()
        copied._columns, copied._in_columns, copied._noted = self._columns, self._in_columns, self._noted
        copied._later = {word: rows.copy() for word, rows in self._later.items()}
        copied._texts = {join: texts.copy() for join, texts in self._texts.items()}
        return copied

    def near(
        self, names: Sequence[str], matter: Matter | None = None
    ) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Yield each name with the rows whose names are near it, and how alike they are; the most alike first.

        Only rows that ``matter`` are returned.
        Letters are compared in the order written. Only if that leads to nobody, the words are sorted, which finds a
        mistyped name whose words are in another order.
        """
        self.note_rows()
        if not len(self):
            yield from ((name, []) for name in names)
            return
        for batch in batches(names, _AT_ONCE):
            rows = {name: [*self._sharing(name_words(name))] for name in batch}
            for name, alike in self._most_alike(batch, _as_written).items():
                rows[name] = [*dict.fromkeys((*alike, *rows[name]))]
            chosen = matter(rows) if matter else rows
            near = {name: self._scored(name, chosen[name]) for name in batch}
            nobody = [name for name in batch if not self._any_good(name, near[name], rows[name])]
            in_order = self._most_alike(nobody, _in_order)
            for name, others in (matter(in_order) if matter else in_order).items():
                near[name] |= self._scored(name, (row for row in others if row not in near[name]))
            for name in batch:
                yield name, sorted(near[name].items(), key=lambda item: (-item[1], self.players[item[0]]))

    def all_near(self, name: str, rows: Sequence[int]) -> dict[int, int]:
        """Return all of some rows that have a name near another one, and how alike they are.

        For a few rows, those that ``near`` returns and more: not only the most alike, and always with words sorted.
        """
        from rapidfuzz import process
        from rapidfuzz.fuzz import ratio

        self.note_rows()
        words = name_words(name)
        near = [*self._sharing(words, {*rows}.__contains__)]
        for join in (_as_written, _in_order):
            if text := join(" ".join(words)):
                others = [*map(self._joined(join).__getitem__, rows)]
                alike = process.extract(text, others, scorer=ratio, score_cutoff=NEAR, limit=None)
                near += [rows[place] for _, _, place in alike]
        return self._scored(name, near)

    def _any_good(self, name: str, near: Mapping[int, int], rows: Iterable[int]) -> bool:
        """Return whether the name of one of some rows is of the same person; ``near`` are those compared already."""
        if max(near.values(), default=0) >= _GOOD:
            return True
        others = (self._line(row).split() for row in rows if row not in near)
        return any(score >= _GOOD for score in name_scores(name_words(name), others))

    def note_rows(self) -> None:
        """Make the rows that were added since the last call ready to be searched."""
        if len(self._lines) > max(_MOST_LATER, self._in_columns // 8):
            earlier = self._columns.text if self._columns else b""
            self._put_in_columns(earlier + "\n".join([*self._lines, ""]).encode(), len(self))
        for row in range(self._noted, len(self)):
            for word in self._line(row).split():
                self._later.setdefault(word, []).append(row)
        self._noted = len(self)

    def _line(self, row: int) -> str:
        """Return the words of a row, divided by blanks."""
        if self._columns is None or row >= self._in_columns:
            return self._lines[row - self._in_columns]
        return self._columns.line(row)

    def _scored(self, name: str, rows: Iterable[int]) -> dict[int, int]:
        """Return the rows among some that are near a name, and how alike they are."""
        lines = {row: self._line(row) for row in rows}
        distinct = [*{*lines.values()}]
        scores = dict(zip(distinct, name_scores(name_words(name), map(str.split, distinct)), strict=True))
        return {row: scores[line] for row, line in lines.items() if scores[line] >= NEAR}

    def _most_alike(self, names: Sequence[str], join: _Join) -> dict[str, list[int]]:
        """Return the rows whose letters are most alike to each of some names, the most alike first."""
        import numpy as np

        texts = {name: text for name in names if (text := join(" ".join(name_words(name))))}
        if not texts:
            return {}
        columns = self._columns
        alike = self._alike_in_columns(columns, texts, join) if columns else {}
        if left := [name for name in texts if name not in alike]:
            all_scores = _likeness([texts[name] for name in left], self._joined(join))
            for name, scores in zip(left, all_scores, strict=True):
                rows = np.flatnonzero(scores)
                alike[name] = rows, scores[rows]
        return {
            name: rows[np.argsort(scores, kind="stable")[: -_MOST_ROWS - 1 : -1]].tolist()
            for name, (rows, scores) in alike.items()
        }

    def _alike_in_columns(
        self, columns: NameColumns, texts: Mapping[str, str], join: _Join
    ) -> dict[str, _Alike]:
        """Return the most alike rows of each name of which the columns tell them; ``texts`` are the names joined."""
        import numpy as np

        def compare(text: str, rows: NDArray[Any]) -> NDArray[Any]:
            scores: NDArray[Any] = _likeness([text], [join(columns.line(row)) for row in rows.tolist()])[0]
            return scores

        alike: dict[str, _Alike] = {}
        left = {name: text for name, text in texts.items() if len(text) <= columns.longest}
        all_scores = dict(zip(left, _likeness([*left.values()], [*map(join, self._lines)]), strict=True))
        levels_of = {name: _levels(len(text)) for name, text in left.items()}
        while left:
            levels = [levels_of[name].pop(0) for name in left]
            found = columns.alike([*left.values()], levels, None if join is _as_written else compare)
            for name, level, (rows, percent) in zip([*left], levels, found, strict=True):
                enough = np.flatnonzero(all_scores[name] >= level)
                if len(rows) + len(enough) >= _MOST_ROWS:
                    scores = all_scores[name][enough]
                    later = enough + self._in_columns
                    alike[name] = np.concatenate([rows, later]), np.concatenate([percent, scores])
                if name in alike or not levels_of[name]:
                    del left[name]
        return alike

    def _joined(self, join: _Join) -> list[str]:
        """Return every row as one text; rows that were added since the last call are joined now."""
        texts = self._texts.setdefault(join.__name__, [])
        if self._columns and not texts:
            texts.extend(map(join, self._columns.lines()))
        texts.extend(map(join, self._lines[len(texts) - self._in_columns :]))
        return texts

    def _sharing(self, words: Sequence[str], matters: Callable[[int], bool] | None = None) -> Iterator[int]:
        """Yield rows that matter, share one of the two rarest words of a name, and begin another word like it."""
        counts = {word: count for word in dict.fromkeys(words) if (count := self._count(word))}
        for word, most in zip(
            sorted(counts, key=counts.__getitem__), (_MOST_OF_A_WORD, _MOST_OF_A_SECOND), strict=False
        ):
            rest = tuple(other for other in words if other != word)
            initials = {other[0] for other in rest}
            rows = self._rows_with(word) if rest and counts[word] <= most else ()
            for row in filter(matters, rows) if matters else rows:
                for own in self._line(row).split():
                    if own[0] in initials and own != word and (own.startswith(rest) or _begins(own, rest)):
                        yield row
                        break

    def _count(self, word: str) -> int:
        """Return how often a word is in the names."""
        return (self._columns.count(word) if self._columns else 0) + len(self._later.get(word, ()))

    def _rows_with(self, word: str) -> list[int]:
        """Return the rows that have a word."""
        return [
            *(self._columns.rows_with(word).tolist() if self._columns else ()),
            *self._later.get(word, ()),
        ]


def load_packages() -> None:
    """Load the packages that a search needs: before processes are forked, or each of them loads its own."""
    import numpy as np  # noqa: F401  loading it is the purpose
    from rapidfuzz import process  # noqa: F401  loading it is the purpose


def _begins(word: str, others: Iterable[str]) -> bool:
    return any(other.startswith(word) for other in others)


def _levels(letters: int) -> list[int]:
    """Return the likeness of a name of so many letters to names with one other letter, or two, and then in steps.

    The first level that enough names reach leads to all of the most alike.
    """
    one_other, two_others = (int(100 - 100 * others / letters + 0.5) for others in (1, 2))
    levels = (*([one_other] if letters <= _SHORT else ()), *range(min(two_others, _HIGHEST_LEVEL), 0, -_STEP))
    return [*(level for level in levels if level > _LOWEST_LEVEL), _LOWEST_LEVEL]


def _as_written(line: str) -> str:
    return line.replace(" ", "")


def _in_order(line: str) -> str:
    return "".join(sorted(line.split()))


def _likeness(texts: Sequence[str], others: Sequence[str]) -> NDArray[Any]:
    """Return how alike texts are, in percent: a row for each text; 0 for those that are not near."""
    import numpy as np
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio

    return process.cdist(texts, others, scorer=ratio, score_cutoff=NEAR, dtype=np.uint8)
