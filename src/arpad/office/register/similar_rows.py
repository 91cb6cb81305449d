"""Names of the register near a searched text that nobody has: each word is replaced by words that begin alike."""

from __future__ import annotations

from itertools import islice, product

from sqlalchemy import Connection, select

from arpad.model.people import Person
from arpad.office.register.name_index_rows import MOST_CANDIDATES, searched_words
from arpad.office.register.search_rows import search
from arpad.office.register.tables import name_keys

_BEGINNING = 2
"""Letters that a searched word and a word of the register have in common at the beginning."""

_ALIKE = 72
"""The least likeness of two words, of 100."""

_PER_WORD = 4
_TRIED = 12
_LONGEST = 4
"""Words of the register tried for each searched word, searches made, searched words used."""


def similar_names(connection: Connection, text: str, most: int = 5) -> list[Person]:
    """Return at most ``most`` players whose names are near a text, the nearest first; the cost has a bound."""
    near = [_near_words(connection, word) for word in searched_words(text)[:_LONGEST]]
    if not near or not all(near):
        return []
    people: dict[int, Person] = {}
    for chosen in islice(product(*near), _TRIED):
        people |= {person.id: person for person in search(connection, " ".join(chosen), most)}
        if len(people) >= most:
            break
    return list(people.values())[:most]


def _near_words(connection: Connection, word: str) -> list[str]:
    """Return the words of the register that are nearest to a word, itself if it begins one."""
    from rapidfuzz import fuzz, process

    beginning = word[:_BEGINNING]
    query = select(name_keys.c.word).where(name_keys.c.word >= beginning, name_keys.c.word < beginning + "{")
    rows = connection.execute(query.order_by(name_keys.c.word).limit(MOST_CANDIDATES)).scalars()
    candidates = list(dict.fromkeys(rows))
    if any(candidate.startswith(word) for candidate in candidates):
        return [word]
    matches = process.extract(word, candidates, scorer=fuzz.ratio, limit=_PER_WORD, score_cutoff=_ALIKE)
    return [match for match, _, _ in matches]
