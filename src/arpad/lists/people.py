"""The players of a list as plain rows; a ``Person`` is built only on access."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from arpad.model.json_values import to_birth
from arpad.model.people import Person
from arpad.model.values import dataclass

Identifiers = tuple[tuple[str, str], ...]
"""A player's numbers with other bodies: ``(("fide", "800101"),)``, ordered by scheme."""


class SharedFacts(NamedTuple):
    """Facts that thousands of players share: one value for all of them."""

    federation: str
    sex: str
    title: str
    women_title: str
    other_titles: str
    born: str
    affiliation: str
    died: str = ""
    """The day of death."""


PersonRow = tuple[str, SharedFacts, Identifiers]


@dataclass(frozen=True, slots=True)
class People(Mapping[int, Person]):
    """Players by number."""

    rows: Mapping[int, PersonRow]

    def __getitem__(self, player: int) -> Person:
        name, facts, numbers = self.rows[player]
        federation, sex, title, women_title, other_titles, born, affiliation, died = facts
        return Person(
            player, name, federation, sex, to_birth(born), title, women_title, other_titles, affiliation, numbers,
            date.fromisoformat(died) if died else None,
        )  # fmt: skip

    def __contains__(self, player: object) -> bool:
        return player in self.rows

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)
