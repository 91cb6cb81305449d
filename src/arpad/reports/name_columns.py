"""The names of a register as columns: which of them are alike to a name, and which have a word, from arrays.

Two texts are alike by the letters that they have in common in the same order, so never more than by the letters that
they have in common in any order. The latter are counted for half a million names in half a millisecond: the letters of
a name are 64 bits, and those in common are the bits that two names share. Only what remains is compared in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

_LETTERS = {
    **dict.fromkeys("aeino", 4),
    **dict.fromkeys("lmrstu", 3),
    **dict.fromkeys("bcdghkpvyz", 2),
    **dict.fromkeys("fjqwx`", 1),
}
"""How often each letter is counted: as often as is usual in a name. Together 64 bits; ` stands for any digit."""

_DIGIT = ord("`")
"""The sign before a: digits, which come before it, count as this one."""

_KINDS = ord("z") - _DIGIT + 1
_BITS = {
    pair: bit
    for bit, pair in enumerate(
        (letter, time) for letter, most in _LETTERS.items() for time in range(1, most + 1)
    )
}
"""Letter, and whether it is the first, second … of the name → bit."""

_BYTE = 255
_ALL_BITS = (1 << 64) - 1
_NO_ROWS = np.zeros(0, np.int64)
_ROWS_AT_ONCE = 50_000
_FACTOR = 0x9E3779B97F4A7C15
"""An odd number, by which the hash of a word is multiplied before the next letter is added."""


Compare: TypeAlias = Callable[[str, NDArray[Any]], NDArray[Any]]
"""Returns how alike a text is to some rows, in percent."""


class AlikeRows(NamedTuple):
    """Rows in order, and how alike their names are, in percent."""

    rows: NDArray[Any]
    percent: NDArray[Any]


@dataclass(frozen=True, slots=True)
class _NamesOfLength:
    """The names with a certain number of letters."""

    rows: NDArray[Any]
    bits: NDArray[Any]
    letters: NDArray[Any]
    """One row for each name."""


class NameColumns:
    """A column of names, to search by word and by likeness; lower-case letters, digits and blanks only."""

    longest = 64
    """Letters of a text that can be compared."""

    def __init__(self, lines: Sequence[str], *, with_letters: bool) -> None:
        """Sort the words of the names, and count their letters if asked."""
        text = np.frombuffer(("\n".join(lines) + "\n").encode(), dtype=np.uint8)
        self._by_length = [*_by_length(text, *_count_letters(text))] if with_letters else []
        """The names without a letter, with one letter, and so on."""

        words, rows = _words(text)
        order = np.argsort(words, kind="stable")
        self._words, self._word_rows = words[order], rows[order]

    def rows_with(self, word: str) -> NDArray[Any]:
        """Return the rows that have a word, in order, once for each time that they have it."""
        wanted = np.uint64(_word_hash(word))
        begin, end = (int(self._words.searchsorted(wanted, side)) for side in ("left", "right"))
        return self._word_rows[begin:end]

    @property
    def with_letters(self) -> bool:
        """Whether ``alike`` can be asked."""
        return bool(self._by_length)

    def alike(self, texts: Sequence[str], level: int, compare: Compare | None = None) -> list[AlikeRows]:
        """Return the rows that are alike to each text, to so many percent or more.

        The likeness is that of ``rapidfuzz.fuzz.ratio`` to the names as they are written, without blanks, or what
        ``compare`` says of some rows, in which the same letters are in another order. A text has 1 to ``longest``
        letters.
        """
        found = self._with_letters_of(texts, level - 0.5)
        alike = []
        for text, places in zip(texts, found, strict=True):
            if compare is None:
                rows, percent = _compare(text, places)
            else:
                rows = np.concatenate([_NO_ROWS, *(names.rows[some] for names, some in places)])
                percent = compare(text, rows)
            enough = np.flatnonzero(percent >= level)
            enough = enough[np.argsort(rows[enough])]
            alike.append(AlikeRows(rows[enough], percent[enough]))
        return alike

    def _with_letters_of(
        self, texts: Sequence[str], least: float
    ) -> list[list[tuple[_NamesOfLength, NDArray[Any]]]]:
        """Return for each text the places among the names of some lengths whose letters allow a likeness.

        All texts are compared with the names of a length before those of the next, whose bits are then in the cache.
        """
        found: list[list[tuple[_NamesOfLength, NDArray[Any]]]] = [[] for _ in texts]
        asked = [(len(text), *_text_bits(text), places) for text, places in zip(texts, found, strict=True)]
        for length, names in enumerate(self._by_length):
            for size, bits, uncounted, places in asked:
                needed = ceil(least * (size + length) / 200 - 1e-9)
                if needed <= min(size, length):
                    shared = np.bitwise_count(names.bits & bits)
                    places.append((names, np.flatnonzero(shared >= max(0, needed - uncounted))))
        return found


# ------------------------------------------------------------------------------------------------------------ letters


def _count_letters(text: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the number of letters of each name, and its letters as bits; each name ends with a line feed."""
    ends = np.flatnonzero(text == ord("\n"))
    size = len(ends)
    lengths, bits = np.zeros(size, np.int64), np.zeros(size, np.uint64)
    for first in range(0, size, _ROWS_AT_ONCE):
        last = min(first + _ROWS_AT_ONCE, size)
        part = text[int(ends[first - 1]) + 1 if first else 0 : int(ends[last - 1])]
        inside = part > ord(" ")
        kinds = (np.maximum(part[inside], _DIGIT) - _DIGIT).astype(np.int64)
        rows = np.cumsum(part == ord("\n"))[inside]
        found = np.bincount(kinds * (last - first) + rows, minlength=_KINDS * (last - first))
        counts = np.minimum(found, _BYTE).astype(np.uint8).reshape(_KINDS, last - first)
        lengths[first:last] = np.bincount(rows, minlength=last - first)
        for (letter, time), bit in _BITS.items():
            bits[first:last] |= (counts[ord(letter) - _DIGIT] >= time).astype(np.uint64) << np.uint64(bit)
    return lengths, bits


def _by_length(text: NDArray[Any], lengths: NDArray[Any], bits: NDArray[Any]) -> Iterator[_NamesOfLength]:
    """Yield the names without a letter, with one letter, and so on."""
    order = np.argsort(lengths, kind="stable")
    letters = text[text > ord(" ")]
    places = np.cumsum(lengths) - lengths
    begins = np.searchsorted(lengths[order], np.arange(int(lengths.max(initial=0)) + 2))
    for length, (begin, end) in enumerate(pairwise(begins.tolist())):
        rows = order[begin:end]
        yield _NamesOfLength(rows, bits[rows], letters[places[rows][:, None] + np.arange(length)])


def _text_bits(text: str) -> tuple[np.uint64, int]:
    """Return the letters of a text as bits, and how many more it has."""
    bits = 0
    for letter, times in Counter("`" if letter.isdecimal() else letter for letter in text).items():
        for time in range(1, min(times, _LETTERS[letter]) + 1):
            bits |= 1 << _BITS[letter, time]
    return np.uint64(bits), len(text) - bits.bit_count()


def _compare(
    text: str, found: Sequence[tuple[_NamesOfLength, NDArray[Any]]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return rows, and how alike their names are to a text; ``found`` are places among the names of some lengths.

    The names are compared side by side, letter by letter, by Hyyrö's method (2004): a bit of ``left`` that becomes 0 is
    one more letter in common.
    """
    ends = np.cumsum([0, *(len(places) for _, places in found)]).tolist()
    longest = max((names.letters.shape[1] for names, _ in found), default=0)
    letters = np.zeros((longest, ends[-1]), np.uint8)
    rows, both = np.empty(ends[-1], np.int64), np.empty(ends[-1], np.int64)
    for (names, places), (begin, end) in zip(found, pairwise(ends), strict=True):
        size = names.letters.shape[1]
        rows[begin:end], both[begin:end] = names.rows[places], size + len(text)
        letters[:size, begin:end] = names.letters[places].T
    masks = np.zeros(_BYTE + 1, np.uint64)
    for place, letter in enumerate(text.encode()):
        masks[letter] |= np.uint64(1 << place)
    left = np.full(ends[-1], _ALL_BITS, np.uint64)
    for one in letters:
        common = left & masks[one]
        left = (left + common) | (left - common)
    percent = np.bitwise_count(~left) * 200.0 / both
    return rows, np.floor(percent + 0.5).astype(np.uint8)


# -------------------------------------------------------------------------------------------------------------- words


def _words(text: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the hash of each word of all names, and its row."""
    inside = text > ord(" ")
    edges = np.flatnonzero(np.diff(inside, prepend=False))
    begins, ends = edges[::2], edges[1::2]
    rows = np.cumsum(text == ord("\n"), dtype=np.int32)[begins]
    hashes = np.zeros(len(begins), np.uint64)
    left, at = np.arange(len(begins)), 0
    while len(left):
        hashes[left] = hashes[left] * np.uint64(_FACTOR) + text[begins[left] + at]
        at += 1
        left = left[begins[left] + at < ends[left]]
    return hashes, rows


def _word_hash(word: str) -> int:
    value = 0
    for letter in word.encode():
        value = (value * _FACTOR + letter) & _ALL_BITS
    return value
