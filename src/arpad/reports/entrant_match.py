"""Say which registered player an entrant is: certain, doubtful with ranked candidates, or new.

A number or a remembered alias makes an entrant certain, if name and birth agree. So do the same name, day of birth,
federation and number of unknown scheme together. A name alone, however alike, is a doubt that an officer decides.
Nothing here reads a database: the caller passes the players to compare.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from arpad.model.federations import FEDERATIONS
from arpad.model.names import same_person_name, spelled
from arpad.model.people import Birth, birth_year, births_agree
from arpad.reports.name_scores import alike_words, name_score, name_words
from arpad.reports.report import Entrant

MOST_CANDIDATES = 8
"""Candidates that an officer is shown."""

DOUBTFUL_FROM = 83
"""Score from which on a registered player may be the entrant."""


class Outcome(StrEnum):
    """How an entrant was matched."""

    CERTAIN = "certain"
    DOUBTFUL = "doubtful"
    NEW = "new"


Numbers: TypeAlias = tuple[tuple[str, str], ...]
"""Each a scheme and a number of it."""


class Registered(NamedTuple):
    """The facts of a registered player that are compared with an entrant."""

    player: int
    name: str
    federation: str = ""
    sex: str = ""
    """``M`` or ``F``."""

    born: Birth = None
    title: str = ""
    rating: int | None = None
    numbers: Numbers = ()

    other_numbers: tuple[str, ...] = ()
    """Numbers of unknown scheme with which reports named the player."""

    def number(self, scheme: str) -> str:
        """Return the number of a scheme, or an empty text."""
        return next((value for name, value in self.numbers if name == scheme), "")


class Candidate(NamedTuple):
    """A player of the register or of the reference list who may be an entrant, with the score and its reasons."""

    player: int
    name: str
    federation: str
    born: Birth
    title: str
    rating: int | None
    score: int
    """The likeness of the names in percent, more or less by what else agrees or differs."""

    reasons: tuple[str, ...]
    """Codes, as ``same-name`` or ``other-birth``."""

    fide: str = ""
    """The FIDE ID of a player of the reference list who is not in the register; ``player`` is then 0."""

    @property
    def key(self) -> str:
        """How an officer names the candidate: ``1800``, or ``fide:404454``."""
        return f"fide:{self.fide}" if self.fide else str(self.player)


class EntrantNumbers(NamedTuple):
    """The numbers of an entrant: those whose scheme is known, and the players who have one of them."""

    known: Numbers = ()
    holders: tuple[Registered, ...] = ()
    """Also the players who have a number of unknown scheme under any scheme."""


class Matched(NamedTuple):
    """The outcome for an entrant; ``player`` is set if it is certain."""

    outcome: Outcome
    player: int | None = None
    candidates: tuple[Candidate, ...] = ()


def match_entrant(
    entrant: Entrant,
    numbers: EntrantNumbers,
    near: Iterable[tuple[Registered, int]],
    aliases: Sequence[Registered] = (),
) -> Matched:
    """Return the outcome for an entrant.

    ``near`` are players with names near the entrant's, with the likeness of the names in percent; ``aliases`` are the
    players whom officers named for this name and source.
    """
    agreeing = [person for person in numbers.holders if is_compatible(entrant, person)]
    if len(agreeing) == 1:
        return Matched(Outcome.CERTAIN, agreeing[0].player)
    ranked = rank(entrant, numbers.known, near)
    if not numbers.holders and len(aliases) == 1:
        person = aliases[0]
        contradicted = (
            not births_agree(entrant.born, person.born)
            or _other_sex(entrant, person.sex)
            or _has_others(person, numbers.known)
        )
        if not contradicted and not _rivals(entrant, person, ranked):
            return Matched(Outcome.CERTAIN, person.player)
    same = [item.player for item in ranked if _is_same(entrant, item)]
    if not numbers.holders and len(same) == 1 and {*same}.issuperset(person.player for person in aliases):
        return Matched(Outcome.CERTAIN, same[0])
    first = [_candidate(entrant, person, 100, ("number",)) for person in numbers.holders]
    first += [_candidate(entrant, person, 100, ("alias",)) for person in aliases]
    candidates = {item.player: item for item in (*ranked, *reversed(first))}
    ordered = [candidates[player] for player in dict.fromkeys(item.player for item in (*first, *ranked))]
    if not ordered:
        return Matched(Outcome.NEW)
    return Matched(Outcome.DOUBTFUL, candidates=tuple(ordered[:MOST_CANDIDATES]))


def is_compatible(entrant: Entrant, person: Registered) -> bool:
    """Return whether name and birth of an entrant may be those of the player who has the number."""
    same = (
        not entrant.name
        or same_person_name(person.name, entrant.name)
        or alike_words(name_words(person.name), name_words(entrant.name))
    )
    return same and years_agree(entrant.born, person.born)


def years_agree(born: Birth, other: Birth) -> bool:
    """Return whether two births may be in the same year: an unknown one may."""
    return not born or not other or birth_year(born) == birth_year(other)


def _has_others(person: Registered, numbers: Numbers) -> bool:
    """Return whether a player has another number of a scheme."""
    return any(person.number(scheme) not in ("", value) for scheme, value in numbers)


def _rivals(entrant: Entrant, person: Registered, ranked: Iterable[Candidate]) -> bool:
    """Return whether another player has the very name of the entrant, and the birth does not tell them apart."""
    return any(
        item.player != person.player
        and spelled(item.name) == spelled(entrant.name)
        and births_agree(entrant.born, item.born)
        for item in ranked
    )


def _is_same(entrant: Entrant, candidate: Candidate) -> bool:
    """Return whether name, day of birth, federation and number of unknown scheme are the same, and the sex may be."""
    return (
        {"same-name", "same-birth", "same-unknown-number"}.issubset(candidate.reasons)
        and "other-sex" not in candidate.reasons
        and entrant.federation == candidate.federation
    )


# ----------------------------------------------------------------------------------------------------- ranking


def rank(entrant: Entrant, numbers: Numbers, near: Iterable[tuple[Registered, int]]) -> list[Candidate]:
    """Return the players who may be an entrant, the likeliest first; ``numbers`` are those of known schemes.

    A player with another number of such a scheme is another person, unless name and birth are the same.
    """
    candidates: dict[int, Candidate] = {}
    least = DOUBTFUL_FROM - most_other_points(entrant)
    for person, likeness in near:
        if likeness + _compare_births(entrant.born, person.born)[1] < least:
            continue
        if _has_others(person, numbers) and not _same_person(entrant, person):
            continue
        candidate = _candidate(entrant, person, likeness)
        best = candidates.get(person.player)
        if candidate.score >= DOUBTFUL_FROM and (best is None or best.score < candidate.score):
            candidates[person.player] = candidate
    return sorted(candidates.values(), key=lambda item: (-item.score, item.player))


def compare(entrant: Entrant, person: Registered) -> Candidate:
    """Return a player as a candidate for an entrant, whatever the score."""
    return _candidate(entrant, person, name_score(name_words(person.name), name_words(entrant.name)))


def most_other_points(entrant: Entrant) -> int:
    """Return the points that federation, title, rating and number of unknown scheme can add together."""
    return sum(
        points
        for value, points in (
            (entrant.federation, _SAME_FEDERATION),
            (entrant.title, _SAME_TITLE),
            (entrant.rating, _NEAR_RATING),
            (entrant.id, _SAME_UNKNOWN_NUMBER),
        )
        if value
    )


def most_newcomer_points(entrant: Entrant) -> tuple[int, int]:
    """Return the points that federation and title can add, if the federation is the same or unknown, and if not.

    A newcomer has no rating and no number of unknown scheme.
    """
    same = _SAME_FEDERATION if entrant.federation else 0
    other = _OTHER_FEDERATION if entrant.federation in FEDERATIONS else 0
    title = _SAME_TITLE if entrant.title else 0
    return same + title, other + title


@lru_cache(maxsize=65_536)  # asked for each of twenty near names
def may_be_doubtful(likeness: int, year: int, other_year: int, other_points: int) -> bool:
    """Return whether a player may be an entrant, by the likeness of names and the years of birth (0 if unknown).

    ``other_points`` are those that other facts of the entrant can add.
    """
    points = 0 if not year or not other_year else _SAME_BIRTH
    if points and year != other_year:
        points = _other_year_points(year, other_year)
    return likeness + points + other_points >= DOUBTFUL_FROM


_SAME_BIRTH, _SAME_FEDERATION, _SAME_TITLE, _NEAR_RATING, _SAME_UNKNOWN_NUMBER = 18, 3, 3, 2, 10
"""The points of the same day of birth, and of other facts that agree."""

_OTHER_FEDERATION = -5


def _same_person(entrant: Entrant, person: Registered) -> bool:
    return spelled(person.name) == spelled(entrant.name) and births_agree(entrant.born, person.born)


def _candidate(
    entrant: Entrant, person: Registered, likeness: int, reasons: tuple[str, ...] = ()
) -> Candidate:
    """Return a player as a candidate: the likeness of the names, more or less by what else agrees or differs."""
    score = likeness
    compared = [*reasons]
    if person.name == entrant.name or spelled(person.name) == spelled(entrant.name):
        compared.append("same-name")
    else:
        compared.append("near-name" if likeness >= DOUBTFUL_FROM and not reasons else "other-name")
    for reason, points in (
        _compare_births(entrant.born, person.born),
        _compare_federations(entrant.federation, person.federation),
        ("other-sex", -15) if _other_sex(entrant, person.sex) else ("", 0),
        _compare_titles(entrant.title, person.title),
        _compare_ratings(entrant.rating, person.rating),
        ("same-unknown-number", _SAME_UNKNOWN_NUMBER)
        if entrant.id and entrant.id in person.other_numbers
        else ("", 0),
    ):
        score += points
        if reason:
            compared.append(reason)
    score = max(0, score)
    return Candidate(
        person.player, person.name, person.federation, person.born, person.title, person.rating, score,
        tuple(compared),
    )  # fmt: skip


def _compare_births(born: Birth, other: Birth) -> tuple[str, int]:
    year, other_year = birth_year(born), birth_year(other)
    if not year or not other_year:
        return "", 0
    if born == other and isinstance(born, date):
        return "same-birth", _SAME_BIRTH
    if year == other_year:
        days_differ = isinstance(born, date) and isinstance(other, date)
        return ("other-birthday", 4) if days_differ else ("same-birth-year", 8)
    return "other-birth", _other_year_points(year, other_year)


def _other_year_points(year: int, other_year: int) -> int:
    """Return the points of two years of birth: one wrong digit is a slip of the pen."""
    digits = sum(a != b for a, b in zip(f"{year:04}", f"{other_year:04}", strict=True))
    return -12 if digits == 1 else -25


def _compare_federations(federation: str, other: str) -> tuple[str, int]:
    """Compare the codes of federations; one that is no federation's, as that of a club, says nothing."""
    if federation and federation == other:
        return "same-federation", _SAME_FEDERATION
    if federation not in FEDERATIONS or other not in FEDERATIONS:
        return "", 0
    return "other-federation", _OTHER_FEDERATION


def _other_sex(entrant: Entrant, sex: str) -> bool:
    return bool(entrant.sex and sex) and {"m": "M", "w": "F"}.get(entrant.sex, sex) != sex


def _compare_titles(title: str, other: str) -> tuple[str, int]:
    if not title or not other:
        return "", 0
    return ("same-title", _SAME_TITLE) if title == other else ("other-title", -1)


def _compare_ratings(rating: int | None, other: int | None) -> tuple[str, int]:
    if not rating or not other:
        return "", 0
    difference = abs(rating - other)
    if difference <= 100:  # noqa: PLR2004  a year or two
        return "near-rating", _NEAR_RATING
    return ("far-rating", -4) if difference > 400 else ("", 0)  # noqa: PLR2004  as much as the tables go
