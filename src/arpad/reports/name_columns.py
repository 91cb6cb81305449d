"""The names of a register as columns: which of them are alike to a name, and which have a word, from arrays.

Two texts are alike by the letters that they have in common in the same order, so never more than by the letters that
they have in common in any order. The letters of a name are 64 bits, and those in common are the bits that two names
share. Names with nearly the same letters are in a block, whose bits are those of all its names: most blocks have too
few letters in common with a text for any of their names. Only what remains is compared in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
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
_BY_USE = "rlseonmitkhdugcbvazpyjfwxq`"
"""The letters, those first that about every second name has: they divide the names best."""

_BITS = {
    pair: 63 - place
    for place, pair in enumerate(
        (letter, time) for time in range(1, 5) for letter in _BY_USE if time <= _LETTERS[letter]
    )
}
"""Letter, and whether it is the first, second … of the name → bit. Names in the order of their bits are alike."""

_MASKS = np.zeros((_KINDS, 5), np.uint64)
"""The bits of a letter that a name has so many times."""

for (_letter, _time), _bit in _BITS.items():
    _MASKS[ord(_letter) - _DIGIT, _time:] |= np.uint64(1 << _bit)

_MOST_TIMES = _MASKS.shape[1] - 1
_ALL_BITS = (1 << 64) - 1
_BLOCK = 16
"""Names in a block."""

_TOO_MANY = 65
"""More letters in common than can be counted."""

_ROWS_AT_ONCE = 50_000
_COMPARED_AT_ONCE = 200_000
"""Pairs of a text and a name that are compared side by side, in some 10 MB."""

_CODES = 128
_FACTOR = 0x9E3779B97F4A7C15
"""An odd number, by which the hash of a word is multiplied before the next letter is added."""


Compare: TypeAlias = Callable[[str, NDArray[Any]], NDArray[Any]]
"""Returns how alike a text is to some rows, in percent."""


class AlikeRows(NamedTuple):
    """Rows in order, and how alike their names are, in percent."""

    rows: NDArray[Any]
    percent: NDArray[Any]


class NameColumns:
    """A column of names, to search by word and by likeness; lower-case letters, digits and blanks only."""

    longest = 64
    """Letters of a text that can be compared."""

    def __init__(self, lines: Sequence[str], *, with_letters: bool) -> None:
        """Sort the words of the names, and count their letters if asked."""
        text = np.frombuffer(("\n".join(lines) + "\n").encode(), dtype=np.uint8)
        self._letters = _Letters(text) if with_letters else None
        self._row_bits = np.uint64(max(1, len(lines).bit_length()))
        self._words = np.sort(_words(text, self._row_bits))
        """The hash of each word of each name, as far as the row in the last bits leaves room."""

    def rows_with(self, word: str) -> NDArray[Any]:
        """Return the rows that have a word, in order, once for each time that they have it."""
        row_bits = int(self._row_bits)
        wanted = _word_hash(word) >> row_bits
        begin = int(self._words.searchsorted(np.uint64(wanted << row_bits)))
        end = int(self._words.searchsorted(np.uint64((wanted << row_bits) | (1 << row_bits) - 1), "right"))
        return (self._words[begin:end] & np.uint64((1 << row_bits) - 1)).astype(np.int64)

    @property
    def with_letters(self) -> bool:
        """Whether ``alike`` can be asked."""
        return self._letters is not None

    def alike(self, texts: Sequence[str], level: int, compare: Compare | None = None) -> list[AlikeRows]:
        """Return the rows that are alike to each text, to so many percent or more.

        The likeness is that of ``rapidfuzz.fuzz.ratio`` to the names as they are written, without blanks, or what
        ``compare`` says of some rows, in which the same letters are in another order. A text has 1 to ``longest``
        letters.
        """
        assert self._letters is not None  # noqa: S101  the caller has asked ``with_letters``
        alike = []
        for some, found in self._letters.with_letters_of(texts, level):
            rows = np.concatenate(found)
            ends = np.cumsum([0, *map(len, found)]).tolist()
            if compare is None:
                percent = self._letters.compare(some, rows, np.diff(ends))
            else:
                percent = np.concatenate([compare(*pair) for pair in zip(some, found, strict=True)])
            for begin, end in pairwise(ends):
                enough = np.flatnonzero(percent[begin:end] >= level) + begin
                enough = enough[np.argsort(rows[enough])]
                alike.append(AlikeRows(rows[enough], percent[enough]))
        return alike


# ------------------------------------------------------------------------------------------------------------ letters


class _Letters:
    """The letters of some names."""

    def __init__(self, text: NDArray[Any]) -> None:
        """Count the letters of each name, which ends with a line feed, and make blocks of names with the same ones."""
        self._letters = text[text > ord(" ")]
        self._lengths, bits = _count_letters(text)
        self._begins = np.cumsum(self._lengths) - self._lengths
        self._rows = np.lexsort((bits, self._lengths))
        """The rows in blocks: by length, then by bits."""

        blocks = -(-len(bits) // _BLOCK)
        self._bits = np.zeros((blocks, _BLOCK), np.uint64)
        self._bits.ravel()[: len(bits)] = bits[self._rows]
        self._block_bits = np.bitwise_or.reduce(self._bits, axis=1)
        self._blocks = np.bincount(self._lengths[self._rows[::_BLOCK]])
        """The number of blocks whose shortest name has no letter, one letter, and so on."""

    def with_letters_of(
        self, texts: Sequence[str], level: int
    ) -> Iterator[tuple[list[str], list[NDArray[Any]]]]:
        """Yield some texts after others, each with the rows whose letters allow a likeness of so many percent."""
        some: list[str] = []
        found: list[NDArray[Any]] = []
        for text in texts:
            some.append(text)
            found.append(self._with_letters_of(text, level - 0.5))
            if sum(map(len, found)) > _COMPARED_AT_ONCE:
                yield some, found
                some, found = [], []
        if some:
            yield some, found

    def _with_letters_of(self, text: str, least: float) -> NDArray[Any]:
        bits, uncounted = _text_bits(text)
        needed = np.ceil(least * (len(text) + np.arange(len(self._blocks))) / 200 - 1e-9) - uncounted
        needed = np.repeat(needed.clip(0, _TOO_MANY).astype(np.uint8), self._blocks)
        blocks = np.flatnonzero(np.bitwise_count(self._block_bits & bits) >= needed)
        shared = np.bitwise_count(self._bits[blocks] & bits)
        found = np.flatnonzero(shared >= needed[blocks, None])
        places = blocks[found // _BLOCK] * _BLOCK + found % _BLOCK
        rows: NDArray[Any] = self._rows[places[: np.searchsorted(places, len(self._rows))]]
        return rows

    def compare(self, texts: Sequence[str], rows: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
        """Return how alike each text is to the next so many rows, in percent.

        The names are compared side by side, letter by letter, by Hyyrö's method (2004): a bit of ``left`` that becomes
        0 is one more letter in common.
        """
        masks = np.zeros(len(texts) * _CODES, np.uint64)
        for number, text in enumerate(texts):
            for place, letter in enumerate(text.encode()):
                masks[number * _CODES + letter] |= np.uint64(1 << place)
        lengths = self._lengths[rows]
        order = _longest_first(lengths)
        begins = self._begins[rows[order]]
        first_codes = np.repeat(np.arange(len(texts)) * _CODES, counts)[order]
        sizes = len(rows) - np.searchsorted(lengths[order[::-1]], np.arange(lengths.max(initial=0)), "right")
        left = np.full(len(rows), _ALL_BITS, np.uint64)
        for place, size in enumerate(sizes.tolist()):
            letters = self._letters[begins[:size] + place]
            before = left[:size]
            common = before & masks[first_codes[:size] + letters]
            left[:size] = (before + common) | (before - common)
        both = lengths + np.repeat(np.fromiter(map(len, texts), np.int64, len(texts)), counts)
        shared = np.empty(len(rows), np.uint8)
        shared[order] = np.bitwise_count(~left)
        percent: NDArray[Any] = np.floor(shared * 200.0 / both + 0.5).astype(np.uint8)
        return percent


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
        counts = np.bincount(kinds * (last - first) + rows, minlength=_KINDS * (last - first))
        lengths[first:last] = np.bincount(rows, minlength=last - first)
        for masks, times in zip(_MASKS, counts.reshape(_KINDS, last - first), strict=True):
            bits[first:last] |= masks[np.minimum(times, _MOST_TIMES)]
    return lengths, bits


def _text_bits(text: str) -> tuple[np.uint64, int]:
    """Return the letters of a text as bits, and how many more it has."""
    bits = 0
    for letter, times in Counter("`" if letter.isdecimal() else letter for letter in text).items():
        for time in range(1, min(times, _LETTERS[letter]) + 1):
            bits |= 1 << _BITS[letter, time]
    return np.uint64(bits), len(text) - bits.bit_count()


# -------------------------------------------------------------------------------------------------------------- words


def _words(text: NDArray[Any], row_bits: np.uint64) -> NDArray[Any]:
    """Return the first bits of the hash of each word of all names, followed by the bits of its row."""
    edges = np.flatnonzero(np.diff(text > ord(" "), prepend=False))
    begins, sizes = edges[::2], edges[1::2] - edges[::2]
    rows = np.cumsum(text == ord("\n"), dtype=np.int32)[begins].astype(np.uint64)
    order = _longest_first(sizes)
    begins, rows = begins[order], rows[order]
    hashes = np.zeros(len(begins), np.uint64)
    # how many words have more than no letter, one letter, and so on: the first ones, since the longest are first
    longer = len(begins) - np.cumsum(np.bincount(sizes))
    for at, count in enumerate(longer.tolist()):
        hashes[:count] += text[begins[:count] + at]
        hashes[:count] *= np.uint64(_FACTOR)
    hashes_and_rows: NDArray[Any] = (hashes >> row_bits << row_bits) | rows
    return hashes_and_rows


def _longest_first(lengths: NDArray[Any]) -> NDArray[Any]:
    """Return the order by length; short integers are sorted in a tenth of the time."""
    short = np.min_scalar_type(-int(lengths.max(initial=0)))
    return np.argsort((-lengths).astype(short), kind="stable")


def _word_hash(word: str) -> int:
    value = 0
    for letter in word.encode():
        value = (value + letter) * _FACTOR & _ALL_BITS
    return value
