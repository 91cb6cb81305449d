"""Everything Arpad raises on purpose.

    ArpadError
    ├── BadInput            an argument, an option or a field that cannot be accepted
    │   └── Unreadable      a file that cannot be read, with its place
    ├── NotAllowed          the user may not do it
    ├── NoEdition           no edition of that name, or none in force on that day
    └── NoList              the edition has no such list

Each error carries a code and its facts; ``explain`` puts it into words in the reader's language. Checks of a
readable report never raise: they return findings.
"""

from __future__ import annotations

from typing import Any


class ArpadError(Exception):
    """The root: a message code with the facts that fill its sentence."""

    def __init__(self, code: str, /, **facts: Any) -> None:
        self.code = code
        self.facts = facts
        super().__init__(code, facts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let an error be sent from one process to another."""
        return _again, (type(self), self.code, self.facts)

    def __str__(self) -> str:
        """Return the code and its facts, for logs; people read the sentence of ``explain``."""
        return f"{self.code} {self.facts}" if self.facts else self.code


def _again(kind: type[ArpadError], code: str, facts: dict[str, Any]) -> ArpadError:
    return kind(code, **facts)


class BadInput(ArpadError):
    """A value that cannot be accepted; the facts name it and what is accepted."""


class Unreadable(BadInput):
    """A file that cannot be read; the facts have ``line`` and ``column`` if they are known."""


class NotAllowed(ArpadError):
    """An act or a query that this user, or this token, may not ask for."""


class NoEdition(ArpadError):
    """No edition has that name, or none was in force on that day."""


class NoList(ArpadError):
    """The edition has no such list."""
