"""Names as people mistype them: folded to plain letters, so that Müller, Mueller and Muller can be found together."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
    }
)
_WORDS = re.compile(r"[a-z0-9]+")
_UMLAUT = re.compile(r"(?<=[aou])e")


def fold(name: str) -> tuple[str, ...]:
    """The words of a name in plain lower-case letters, in the order written."""
    if name.isascii():
        return tuple(_WORDS.findall(name.lower().replace("'", "")))
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(_WORDS.findall(letters.replace("'", "").replace("’", "")))


def key(name: str) -> str:
    """One key for all spellings of a name: folded, umlauts written out or not, words in any order."""
    return " ".join(sorted(_UMLAUT.sub("", " ".join(fold(name))).split()))


def matches(name: str, asked: str) -> bool:
    """Whether every word asked for begins a word of the name."""
    have = fold(name)
    return all(any(word.startswith(part) for word in have) for part in fold(asked)) and bool(fold(asked))
