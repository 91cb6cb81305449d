"""What reference lists hold about a person, and its erasure."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from arpad.office.fide.name_rows import rebuild_words
from arpad.office.fide.rows import erase_numbers, reference_players
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.proof.erasure_rows import fide_numbers


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the rows of the newest reference list about a person."""
    listed = reference_players(connection, fide_numbers(connection, person.numbers))
    return {"reference_lists": [row._asdict() for row in listed.values()]}


def erase_texts(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Delete a person from all reference lists; return what was done to each, for the ledger."""
    references = erase_numbers(connection, fide_numbers(connection, person.numbers))
    if not references:
        return {}
    rebuild_words(connection)
    return {"references": references}
