"""A player of the register as a document, for the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arpad.model.people import Person


def person_document(person: Person) -> dict[str, Any]:
    """Return a player for JSON, with only the year of birth."""
    born = getattr(person.born, "year", person.born)
    return {
        "id": person.id, "name": person.name, "federation": person.federation, "sex": person.sex, "born": born,
        "title": person.title, "women_title": person.women_title, "identifiers": dict(person.identifiers),
        "died": str(person.died) if person.died else None,
    }  # fmt: skip
