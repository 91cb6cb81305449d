"""What tournaments in progress hold about a person, and its erasure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.running.rows import all_running, put_tournament


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the tournaments in progress that name a person."""
    named = [
        {"tournament": it.name, "title": it.title, "first_day": it.first_day, "last_day": it.last_day}
        for it in all_running(connection, whole=True)
        if person.without_names(it.document) != it.document
    ]
    return {"running_tournaments": named}


def erase_texts(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Erase the player from the pages of tournaments in progress; the bytes go, since the next version has others."""
    for tournament in all_running(connection, whole=True):
        document = dump(person.without_texts(load(tournament.document), own=False))
        if document != tournament.document:
            left = replace(
                tournament, title=person.without_names(tournament.title), file="", data=b"", document=document
            )
            put_tournament(connection, left)
    return {}
