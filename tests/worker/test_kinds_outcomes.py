"""Notes about jobs: written as soon as the database can be written again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from arpad.model.errors import BadInput, Unreadable
from arpad.office.office import Office
from arpad.worker import kinds


@dataclass
class AwayStore:
    """A database that is away for some transactions."""

    away: int
    written: list[str] = field(default_factory=list)

    @contextmanager
    def unlogged_writing(self) -> Iterator[Any]:
        if self.away:
            self.away -= 1
            raise Unreadable("database-not-opened", place="x", reason="away")
        yield self.written


def office_with(store: Any) -> Office:
    return Office(store)


def note(connection: Any) -> None:
    connection.append("note")


def test_a_note_waits_for_the_database() -> None:
    store = AwayStore(2)
    kinds.write_note(office_with(store), note)
    assert store.written == ["note"]


def test_a_note_that_is_refused_is_not_tried_again() -> None:
    def refuse(connection: Any) -> None:
        note(connection)
        raise BadInput("job-lost", kind="mail")

    store = AwayStore(0)
    with pytest.raises(BadInput):
        kinds.write_note(office_with(store), refuse)
    assert store.written == ["note"]


def test_a_note_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "NOTING_SECONDS", -1.0)
    with pytest.raises(Unreadable):
        kinds.write_note(office_with(AwayStore(1)), note)
