"""Verify the reference lists, what they hold about a person, and its erasure."""

from collections.abc import Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.model.rules import Alteration, derived_row
from arpad.office.fide.name_rows import differing_reference_words, rebuild_words
from arpad.office.fide.rows import (
    all_references,
    erase_numbers,
    read_blocks,
    reference_players,
    stored_digest,
)
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.proof.erasure_rows import fide_numbers
from arpad.office.proof.erasures import Erasures


def altered_tables(
    connection: Connection, facts_by_act: Mapping[int, Mapping[str, Any]], erased: Erasures
) -> Iterator[Alteration]:
    """Compare the blocks of each reference list with their digests, and those with the ledger."""
    for reference in all_references(connection):
        about = {"day": reference.day}
        facts = facts_by_act.get(reference.act, {"digest": reference.digest})
        if facts.get("digest") != reference.digest:
            yield Alteration("reference-ledger", about)
        if reference.removed is not None:
            continue
        if stored_digest(connection, reference.id) != erased.references.get(reference.id, reference.digest):
            yield Alteration("reference-digest", about)
        for block in read_blocks(connection, reference.id):
            if sha256(block.data).hexdigest() != block.digest:
                yield Alteration("reference-block", {**about, "first": block.first, "last": block.last})


def altered_derived_tables(
    connection: Connection, _day: date, _stale: list[Alteration]
) -> Iterator[Alteration]:
    """Yield the blocks of words that are not those of the newest reference list."""
    for row in differing_reference_words(connection):
        yield derived_row("reference_words", row)


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
