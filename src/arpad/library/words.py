"""Sentences for what the library returns and raises."""

from __future__ import annotations

from collections.abc import Iterable

from arpad.explain.words import load_words
from arpad.model.errors import ArpadError
from arpad.model.rules import Finding, Step


def in_words(steps: Iterable[Step], lang: str = "en") -> list[tuple[str, str]]:
    """Return each step as its article and a sentence, in English or another language.

    >>> in_words([Step("8.56", "k-given", 20)], "it")
    [('8.56', 'K = 20, come indicato')]
    """
    return list(load_words(lang).steps(steps))


def sentence(subject: Finding | ArpadError, lang: str = "en") -> str:
    """Return the sentence of a finding or of an error, in English or another language.

    The English sentence of an error is also ``str(error)``.

    >>> sentence(ArpadError("bad-receipt"), "en")
    'this is not a receipt of Arpad, or it was damaged'
    """
    words = load_words(lang)
    return words.error(subject) if isinstance(subject, ArpadError) else words.finding(subject)
