"""Everything Arpad raises on purpose.

    ArpadError
    ├── BadInput            an argument, an option or a field that cannot be accepted
    │   └── Unreadable      a file that cannot be read, with its place
    ├── Missing             what is asked for is not there, or nobody may see it
    ├── NotAllowed          the user may not do it
    ├── NoEdition           no edition of that name, or none in force on that day
    └── NoList              the edition has no such list

Each error carries a code and its facts; ``explain`` puts it into words in the reader's language, ``str(error)`` is the
English sentence. Checks of a readable report never raise: they return findings.
"""

from collections.abc import Callable
from functools import partial
from typing import Any


class ArpadError(Exception):
    """The root: ``code`` says what is wrong, ``facts`` fill its sentence, ``str`` is that sentence in English."""

    def __init__(self, code: str, /, **facts: Any) -> None:
        self.code = code
        self.facts = facts
        super().__init__(code, facts)
        self.add_note(_code_and_facts(self))  # a traceback shows both, below the sentence

    def __reduce__(self) -> tuple[Any, ...]:
        """Let an error be sent from one process to another."""
        return partial(type(self), self.code, **self.facts), ()

    def __str__(self) -> str:
        """Return the English sentence; the code and its facts if it has none. Logs write ``repr``."""
        try:
            return _english_sentence(self)
        except (KeyError, TypeError, ValueError):  # no such code, or facts that its sentence does not expect
            return _code_and_facts(self)


def _code_and_facts(error: ArpadError) -> str:
    return f"{error.code} {error.facts}" if error.facts else error.code


_english_sentence: Callable[[ArpadError], str] = _code_and_facts


def set_english(sentence: Callable[[ArpadError], str]) -> None:
    """Set the function that puts an error into English: the words belong to a package that imports this one."""
    global _english_sentence  # noqa: PLW0603  set once, when Arpad is loaded
    _english_sentence = sentence


class BadInput(ArpadError):
    """A value that cannot be accepted; the facts name it and what is accepted."""


class Unreadable(BadInput):
    """A file that cannot be read; the facts have ``line`` and ``column`` if they are known."""


class Missing(ArpadError):
    """What a visitor asks for is not there any more, not yet, or is not shown to anybody."""


class NotAllowed(ArpadError):
    """An act or a query that this user, or this token, may not ask for."""


class NoEdition(ArpadError):
    """No edition has that name, or none was in force on that day."""


class NoList(ArpadError):
    """The edition has no such list."""
