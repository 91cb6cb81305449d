"""What the register of arbiters holds about a person."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from arpad.model.names import spelled
from arpad.office.arbiters.rows import load_arbiters
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.proof.erasure_rows import fide_numbers


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the arbiters with a name or a FIDE ID of a person, who are likely the same."""
    spellings = {spelled(name) for name in person.names}
    fide = {str(number) for number in fide_numbers(connection, person.numbers)}
    likely = [
        asdict(arbiter)
        for arbiter in load_arbiters(connection)
        if spelled(arbiter.name) in spellings or arbiter.fide in fide
    ]
    return {"arbiters": likely}
