"""Compare personal names: folded to plain letters, so that Müller, Mueller and Muller are found together."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_LETTERS = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe",
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
})  # fmt: skip
_WORDS = re.compile(r"[a-z0-9]+")
_UMLAUT = re.compile(r"(?<=[aou])e")
_PLAIN = bytes(
    ord(letter.lower()) if letter.isalnum() else ord(" ") for letter in map(chr, range(128))
).ljust(256)
"""Each ASCII letter in lower case, each digit; a blank for every other sign."""

_PLAIN_LINES = _PLAIN[:10] + b"\n" + _PLAIN[11:]
"""The same, and the end of a line."""

DIVIDER = "\x1f"
"""Divides the names of a column that is one text."""

_PLAIN_COLUMN = _PLAIN[: ord(DIVIDER)] + b"\n" + _PLAIN[ord(DIVIDER) + 1 :]


def stored_form(name: str) -> str:
    """Return a name in the form in which it is stored: single blanks, one after each comma and none before it.

    ``Griffiths ,Ryan-Rhys`` becomes ``Griffiths, Ryan-Rhys``; a letter and its accent become one sign.
    """
    text = unicodedata.normalize("NFC", name)
    parts = [" ".join(part.split()) for part in text.split(",")]
    return ", ".join(part for part in parts if part)


def stored_column(names: pl.Series) -> pl.Series:
    """Return a column of names as ``stored_form`` returns each; few of them are in another form."""
    other = names.str.contains(_OTHER_FORM).fill_null(value=False)
    if not other.any():
        return names
    rows = other.arg_true()
    return names.scatter(rows, [stored_form(name) for name in names.gather(rows)])


_OTHER_FORM = r"[^ -~]|^[ ,]|[ ,]$|  | ,|,[^ ]"
"""Finds the names that may be in another form, also all that are not ASCII."""


def fold(name: str) -> tuple[str, ...]:
    """Return the words of a name in plain lower-case letters, in the order written."""
    if name.isascii():
        return tuple(_WORDS.findall(name.lower().replace("'", "")))
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(_WORDS.findall(letters.replace("'", "").replace("’", "")))


def key(name: str) -> str:
    """Return one key for all spellings of a name: folded, umlauts written out or not, words in any order."""
    if name.isascii():
        return " ".join(sorted(plain_words(name)))
    return " ".join(sorted(_UMLAUT.sub("", " ".join(fold(name))).split()))


def plain_words(name: str) -> list[str]:
    """Return the words of a name in ASCII: folded, without the e of umlauts, in the order written."""
    return _plain_text(name, _PLAIN).split()


def plain_lines(names: Sequence[str]) -> list[str]:
    """Return the words of many names in any alphabet as ``plain_words`` does, divided by blanks; much faster."""
    plain = [name if name.isascii() else name.translate(_LATIN) for name in names]
    text = _plain_text("\n".join(plain), _PLAIN_LINES)
    lines = text.split("\n")
    if len(lines) != len(names):  # a name with a line feed in it, or no names
        return [" ".join(plain_words(transliterated(name))) for name in names]
    return lines


def plain_column(names: str) -> bytes:
    """Return many names as ``plain_lines`` does, each with a line feed; all are one text, in which they are divided."""
    import numpy as np

    latin = names.encode("ascii", "arpad-latin")
    codes = np.frombuffer(latin.translate(_PLAIN_COLUMN, b"'") + b"\n", np.uint8)
    after = np.flatnonzero(codes == ord("e"))
    before = codes[after - 1]
    umlauts = after[(before == ord("a")) | (before == ord("o")) | (before == ord("u"))]
    return np.delete(codes, umlauts).tobytes()


def _plain_text(text: str, letters: bytes) -> str:
    plain = text.encode().translate(letters, b"'").decode()
    return plain.replace("ae", "a").replace("oe", "o").replace("ue", "u")


class _LatinLetters(dict[int, str]):
    """The transliteration of each letter by its code point; each is looked up once."""

    def __missing__(self, code: int) -> str:
        from anyascii import anyascii

        letters = self[code] = anyascii(chr(code))
        return letters


_LATIN = _LatinLetters()


def _in_latin(error: UnicodeError) -> tuple[str, int]:
    """Return the transliteration of letters that are not ASCII, and where the text goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return _LATIN[ord(letters)] if len(letters) == 1 else letters.translate(_LATIN), error.end


codecs.register_error("arpad-latin", _in_latin)


def transliterated(text: str) -> str:
    """Return a text in plain Latin letters, as ``anyascii`` does letter by letter, in a tenth of its time."""
    return text if text.isascii() else text.translate(_LATIN)


def all_spelled(names: Sequence[str]) -> list[str]:
    """Return the keys of many names, as ``spelled`` does, in half its time."""
    return [" ".join(sorted(line.split())) for line in plain_lines(names)]


def spelled(name: str) -> str:
    """Return the key of a name in any alphabet: names with the same key are spelled the same."""
    return key(transliterated(name))


def same_person_name(name: str, other_name: str) -> bool:
    """Return whether two spellings may be of the same person: all words of the shorter begin words of the longer."""
    if name == other_name:
        return True
    shorter, longer = sorted((fold(name), fold(other_name)), key=len)
    return key(name) == key(other_name) or all(
        any(word.startswith(part) or part.startswith(word) for word in longer) for part in shorter
    )


def as_written(name: str) -> str:
    """Return a name without case, commas and repeated blanks, to compare two files."""
    return " ".join(name.replace(",", " ").casefold().split())


def alike(mistyped: str, names: Iterable[str], most: int = 3) -> list[str]:
    """Return the names most similar to a mistyped one, the likeliest first: a word of each is nearly a word of it."""
    from difflib import get_close_matches

    words = {word: name for name in reversed(list(names)) for word in fold(name)}
    near = [match for part in fold(mistyped) for match in get_close_matches(part, words, n=most)]
    return list(dict.fromkeys(words[word] for word in near))[:most]


def matches(name: str, query: str) -> bool:
    """Return whether every word of the query begins a word of the name."""
    have = fold(name)
    return all(any(word.startswith(part) for word in have) for part in fold(query)) and bool(fold(query))
