"""A player of the register as the API answers."""

from __future__ import annotations

from arpad.model.people import Person, birth_year
from arpad.web.api.schemas import (
    PlayerOut,
)


def person_out(person: Person) -> PlayerOut:
    """Return a player of the register for an answer."""
    return PlayerOut(
        person.id, person.name, person.federation, person.sex, person.title or person.women_title,
        birth_year(person.born), dict(person.identifiers), person.died is not None,
    )  # fmt: skip
