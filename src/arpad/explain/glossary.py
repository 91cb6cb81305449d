"""The glossary: one word for one thing in each language, with its meaning (``glossary.toml``)."""

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary in one language."""

    key: str
    word: str
    meaning: str
    refused: tuple[str, ...]
    """Other words for the same thing, which no text uses."""


@cache
def glossary(language: str) -> Mapping[str, Term]:
    """Return the terms of a language by key, in the order of its alphabet; English for a language without words."""
    entries = tomllib.loads((files("arpad.explain") / "glossary.toml").read_text(encoding="utf-8"))
    terms = []
    for key, entry in entries.items():
        word, meaning = entry.get(language, entry["en"])
        terms.append(Term(key, word, meaning, tuple(entry.get(f"refused_{language}", ()))))
    return {term.key: term for term in sorted(terms, key=lambda term: _letters(term.word))}


def _letters(word: str) -> tuple[str, str]:
    """Return a word for its place in the alphabet: first without accents."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)), word
