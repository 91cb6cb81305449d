"""Search players by name: every searched word begins a word of the name, as written or by its sound.

The words are looked up in ``name_keys``, the rarest first, and the search ends with the last player shown, so that it
costs the same in a register of millions as in a small one. It misses a player only if each searched word begins more
than ``MOST_CANDIDATES`` words of the register.
"""

from collections.abc import Collection, Sequence
from itertools import islice, product

from sqlalchemy import ColumnElement, Connection, FromClause, and_, exists, func, select

from arpad.model.names import spelled
from arpad.model.people import Person
from arpad.office.register.name_rows import MOST_CANDIDATES, search_words, searched_words, sound
from arpad.office.register.number_rows import merge_targets_of
from arpad.office.register.rows import load_names, load_people
from arpad.office.register.tables import name_keys
from arpad.store.bulk import fetch_rows, texts_in_pairs
from arpad.system.batches import batches

_BEGINNING = 2
"""Letters that a searched word and a word of the register have in common at the beginning."""

_ALIKE = 72
"""The least likeness of two words, of 100."""

_PER_WORD = 4
_TRIED = 12
_LONGEST_NAME = 4
"""Words of the register tried for each searched word, searches made, searched words used."""


def similar_names(connection: Connection, text: str, most: int = 5) -> list[Person]:
    """Return at most ``most`` players whose names are near a text, the nearest first; the cost has a bound."""
    near = [_near_words(connection, word) for word in searched_words(text)[:_LONGEST_NAME]]
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


_COUNTED = 2000
"""Words that begin more names than this are common; they are not counted further."""

_MORE = 4
"""How many candidates are read for each player shown: former names and merged numbers are left out."""

_LONGEST = 8
"""Searched words that are used; more would only narrow the search further."""


def search(connection: Connection, text: str, limit: int = 20) -> list[Person]:
    """Return players by name: exact words before longer ones, matches as written before matches by sound."""
    words = sorted({*searched_words(text)}, key=len, reverse=True)[:_LONGEST]
    matches: dict[int, Person] = {}
    for form in (words, [_by_sound(word) for word in words]):
        numbers = _candidates(connection, form, limit) if words and len(matches) < limit else []
        for batch in batches((number for number in numbers if number not in matches), limit):
            people = load_people(connection, batch)
            matches |= {i: people[i] for i in batch if i in people and _fits(form, people[i].name)}
            if len(matches) >= limit:
                break
    targets = merge_targets_of(connection, matches)
    ordered = [person for number, person in matches.items() if number not in targets]
    missing = [targets[number] for number in matches if number in targets and targets[number] not in matches]
    return [*ordered, *load_people(connection, missing).values()][:limit]


_SHORTEST_SOUND = 2
"""A sound of one letter begins a tenth of all names: such a word is searched as it is written."""


def _by_sound(word: str) -> str:
    heard = sound(word)
    return f"~{heard}" if len(heard) >= min(_SHORTEST_SOUND, len(word)) else word


def _candidates(connection: Connection, words: Sequence[str], limit: int) -> list[int]:
    """Return players with all searched words in their names, in the order of the rarest word."""
    rarest, *more = _rarest_first(connection, words)
    query = select(name_keys.c.player).where(_begins(name_keys, rarest))
    query = query.order_by(name_keys.c.word, name_keys.c.player)
    if more:
        near = query.add_columns(name_keys.c.word).limit(MOST_CANDIDATES).subquery()
        query = select(near.c.player).order_by(near.c.word, near.c.player)
    for word in more:
        keys_of_word = name_keys.alias()
        query = query.where(
            exists().where(keys_of_word.c.player == near.c.player, _begins(keys_of_word, word))
        )
    query = query.limit(_MORE * limit)
    return list(dict.fromkeys(connection.execute(query).scalars()))


def _rarest_first(connection: Connection, words: Sequence[str]) -> list[str]:
    """Sort words by how rare they are; of several common ones the longest stays first."""
    if len(words) == 1:
        return list(words)
    counts = {word: _count(connection, word) for word in words}
    return sorted(words, key=lambda word: counts[word])


def _count(connection: Connection, word: str) -> int:
    matches = select(name_keys.c.player).where(_begins(name_keys, word)).limit(_COUNTED).subquery()
    return connection.execute(select(func.count()).select_from(matches)).scalar_one()


def _begins(table: FromClause, word: str) -> ColumnElement[bool]:
    return and_(table.c.word >= word, table.c.word < word + "{")


def _fits(searched: Sequence[str], name: str) -> bool:
    """Return whether the present name has all searched words."""
    words = search_words(name)
    return all(any(word.startswith(part) for word in words) for part in searched)


def same_name(connection: Connection, name: str) -> list[Person]:
    """Return the players with the same name, in any order of its words."""
    return same_names(connection, [spelled(name)])[spelled(name)]


def same_names(connection: Connection, keys: Collection[str]) -> dict[str, list[Person]]:
    """Return for each key of a name the players with that name, by number; for a merged number the one kept."""
    longest = {tuple(sorted(key.split(), key=len, reverse=True)[:2]) for key in keys if key}
    candidates = _named_by_two(connection, [(words[0], words[1]) for words in longest if len(words) > 1])
    for word in (words[0] for words in longest if len(words) == 1):
        query = select(name_keys.c.player).where(name_keys.c.word == word).limit(MOST_CANDIDATES)
        candidates.update(connection.execute(query).scalars())
    by_key: dict[str, set[int]] = {key: set() for key in keys}
    for player, name in load_names(connection, candidates).items():
        if (key := spelled(name)) in by_key:
            by_key[key].add(player)
    namesakes = {player for same in by_key.values() for player in same}
    targets = merge_targets_of(connection, namesakes) if namesakes else {}
    standing = {key: {targets.get(player, player) for player in same} for key, same in by_key.items()}
    people = load_people(connection, {player for same in standing.values() for player in same})
    return {key: [people[player] for player in sorted(same)] for key, same in standing.items()}


def _named_by_two(connection: Connection, pairs: Sequence[tuple[str, str]]) -> set[int]:
    """Return the players whose names have both words of a pair.

    The second word is looked up for each player with the first: a given name alone has thousands.
    """
    if not pairs:
        return set()
    wanted_pairs, second = texts_in_pairs(connection, pairs), name_keys.alias()
    query = select(name_keys.c.player).join(wanted_pairs, name_keys.c.word == wanted_pairs.c.first_text)
    has_both = exists().where(
        second.c.word == wanted_pairs.c.second_text, second.c.player == name_keys.c.player
    )
    return {player for (player,) in fetch_rows(connection, query.where(has_both))}
