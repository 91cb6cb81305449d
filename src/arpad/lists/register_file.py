"""``register.tsv`` of a bundle: the register's facts about players, a line each, in the form of the canonical text."""

from __future__ import annotations

from datetime import date

from arpad.lists.canonical import escape, identifiers_field, parse_identifiers, unescape
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person

COLUMNS = (
    "id", "name", "federation", "sex", "born", "title", "women-title", "other-titles", "affiliation", "identifiers",
    "died",
)  # fmt: skip
"""The fields of a line, in the order of ``Person``."""

HEAD = "\t".join(COLUMNS) + "\n"


def person_line(person: Person) -> str:
    """Return the line of a player, without its end."""
    texts = (person.title, person.women_title, person.other_titles, person.affiliation)
    fields = (
        str(person.id), escape(person.name), escape(person.federation), escape(person.sex), from_birth(person.born),
        *map(escape, texts), identifiers_field(person.identifiers), str(person.died or ""),
    )  # fmt: skip
    return "\t".join(fields)


def parse_register(text: str) -> dict[int, Person]:
    """Return the players of a register's text; raise ValueError if it is malformed."""
    head, *lines, end = text.split("\n")
    if f"{head}\n" != HEAD or end:
        raise ValueError(head)
    people = map(_parse_person, lines)
    return {person.id: person for person in people}


def _parse_person(line: str) -> Person:
    number, name, federation, sex, born, *texts, identifiers, died = line.split("\t")
    title, women_title, other_titles, affiliation = map(unescape, texts)
    return Person(
        int(number), unescape(name), unescape(federation), unescape(sex), to_birth(born),
        title, women_title, other_titles, affiliation,
        parse_identifiers(identifiers), date.fromisoformat(died) if died else None,
    )  # fmt: skip
