"""The players of a list as plain rows; a ``Person`` is built only on access."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from json.encoder import encode_basestring
from typing import NamedTuple

from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person

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

    @classmethod
    def of(cls, people: Mapping[int, Person]) -> People:
        """Return any players as rows."""
        if isinstance(people, cls):
            return people
        shared: dict[SharedFacts, SharedFacts] = {}
        rows: dict[int, PersonRow] = {}
        for number, it in people.items():
            facts = SharedFacts(
                it.federation, it.sex, it.title, it.women_title, it.other_titles, from_birth(it.born), it.affiliation,
                str(it.died or ""),
            )  # fmt: skip
            rows[number] = (it.name, shared.setdefault(facts, facts), it.identifiers)
        return cls(rows)

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

    def documents(self) -> Iterator[str]:
        """Yield each player as canonical JSON, by number.

        Built from texts that players share; through ``dump`` the inputs of 50,000 players take 0.65 s, not 0.27 s.
        """
        quoted = encode_basestring
        shared: dict[SharedFacts, tuple[str, str]] = {}
        for player in sorted(self.rows):
            name, facts, numbers = self.rows[player]
            if facts not in shared:
                shared[facts] = _shared_json(facts)
            before, after = shared[facts]
            identifiers = ",".join([f"[{quoted(scheme)},{quoted(number)}]" for scheme, number in numbers])
            yield f'{before}{player},"identifiers":[{identifiers}],"name":{quoted(name)}{after}'


def _shared_json(facts: SharedFacts) -> tuple[str, str]:
    """Return the JSON before a player's number and after their name."""
    federation, sex, title, women_title, other_titles, born, affiliation, _ = map(encode_basestring, facts)
    died = f'"died":"{facts.died}",' if facts.died else ""
    return (
        f'{{"affiliation":{affiliation},"born":{born},{died}"federation":{federation},"id":',
        f',"other_titles":{other_titles},"sex":{sex},"title":{title},"women_title":{women_title}}}',
    )
