"""Sentences for what the library returns and raises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from arpad.explain.words import load_words
from arpad.model.errors import ArpadError
from arpad.model.rules import Finding, Step


def in_words(steps: Iterable[Step], language: str = "en") -> list[tuple[str, str]]:
    """Return each step as its article and a sentence, in a language such as ``it`` or ``en``."""
    return list(load_words(language).steps(steps))


def sentence(subject: Finding | ArpadError, language: str = "en") -> str:
    """Return the sentence of a finding or of an error, in a language such as ``it`` or ``en``.

    >>> sentence(ArpadError("bad-receipt"))
    'this is not a receipt of Arpad, or it was damaged'
    """
    words = load_words(language)
    return words.error(subject) if isinstance(subject, ArpadError) else words.finding(subject)


@contextmanager
def explained() -> Iterator[None]:
    """Add the English sentence to an error, so that Python prints it below the traceback."""
    try:
        yield
    except ArpadError as error:
        error.add_note(sentence(error))
        raise
