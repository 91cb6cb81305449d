"""Find likely duplicates in the register, and whether two players agree as one person."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.model.people import Person, births_agree
from arpad.office.register.name_rows import all_names, register_names
from arpad.office.register.number_rows import merge_targets
from arpad.office.register.rows import holders_of_most_common, load_people
from arpad.office.who_is_who.rows import distinct_pairs
from arpad.reports.entrant_match import DOUBTFUL_FROM, Registered, compare, rank
from arpad.reports.report import Entrant
from arpad.store.bulk import cached_until_act

LIKELY = 95
"""Score from which on two players are likely the same."""

_SEX = {"M": "m", "F": "w"}


class Duplicate(NamedTuple):
    """Two players who are likely the same: the first is the one to keep."""

    player: Person
    other: Person
    score: int
    reasons: tuple[str, ...]


@cached_until_act
def likely_pairs(connection: Connection) -> list[Duplicate]:
    """Return all pairs of players who are likely the same, the likeliest first.

    Two numbers of one scheme tell people apart, so only players without a number of the most common scheme are
    compared with all others.
    """
    targets = merge_targets(connection)
    pairs = _near_pairs(connection, targets)
    apart = {frozenset((pair.player, pair.other)) for pair in distinct_pairs(connection)}
    people = load_people(connection, {player for pair in pairs for player in pair})
    duplicates = []
    for pair, likeness in pairs.items():
        first, second = sorted(
            (people[player] for player in pair), key=lambda it: (-len(it.identifiers), it.id)
        )
        if pair not in apart:
            ranked = rank(_as_entrant(second), second.identifiers, [(_registered(first), likeness)])
            duplicates += [
                Duplicate(first, second, it.score, it.reasons) for it in ranked if it.score >= LIKELY
            ]
    return sorted(duplicates, key=lambda it: (-it.score, it.player.id, it.other.id))


def agreement(player: Person, other: Person) -> tuple[int, bool]:
    """Return the score of two players as one person, and whether their names and births agree."""
    score = compare(_as_entrant(other), _registered(player)).score
    return score, score >= DOUBTFUL_FROM and births_agree(player.born, other.born)


def _near_pairs(connection: Connection, targets: Mapping[int, int]) -> dict[frozenset[int], int]:
    """Return the pairs of players with near names, with the likeness of the names."""
    names = register_names(connection)
    told_apart = holders_of_most_common(connection)
    searched: dict[str, set[int]] = {}
    for player, name in all_names(connection):
        if player not in told_apart and player not in targets:
            searched.setdefault(name, set()).add(player)
    pairs: Counter[frozenset[int]] = Counter()
    for name, rows in names.table.near(list(searched)):
        for row, likeness in rows:
            other = names.table.players[row]
            for player in searched[name] if other not in targets else ():
                pair = frozenset((player, other))
                if len(pair) == 2 and likeness >= LIKELY - 30:  # noqa: PLR2004  two players
                    pairs[pair] = max(pairs[pair], likeness)
    return dict(pairs)


def _as_entrant(person: Person) -> Entrant:
    title = person.title or person.women_title
    return Entrant(
        person.id, person.name, None, _SEX.get(person.sex, ""), title, person.federation, "", person.born
    )


def _registered(person: Person) -> Registered:
    return Registered(
        person.id, person.name, person.federation, person.sex, person.born, person.title or person.women_title,
        None, person.identifiers,
    )  # fmt: skip
