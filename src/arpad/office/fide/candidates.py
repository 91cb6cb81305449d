"""The players of the reference list whom entrants without a FIDE ID may be.

The reference list is a second source of candidates, after the register. A name alone is no reason to ask, because
FIDE's list has more than a million of them: something else has to agree. An officer decides; nobody of the reference
list is certain, as nobody of the register is by name. An entrant so strong that FIDE must know them is never new
without a decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection

from arpad.model.federations import FEDERATIONS, known_federation
from arpad.model.people import Person
from arpad.office.inbox.find_players import PlayerLookup
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import ReportNumbers
from arpad.reports.entrant_match import Candidate, Registered, rank
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.name_scores import name_score, name_words
from arpad.reports.report import Entrant
from arpad.store.settings import read_setting

STRONG = 2200
"""A rating from which on FIDE knows a player."""

MOST_LISTED = 5
"""Candidates of the reference list that an officer is shown."""

_SAYS_MORE = frozenset({"same-federation", "same-birth", "same-birth-year", "same-title"})
"""Reasons besides the name for which a player of the reference list may be an entrant."""


def load_listed(
    connection: Connection, lookup: PlayerLookup, entrants: Iterable[tuple[Entrant, ReportNumbers]]
) -> None:
    """Load the players of the newest reference list with the names of some entrants, who are not certain by number."""
    from arpad.office.fide.name_rows import numbers_with_words
    from arpad.office.fide.rows import newest_reference, read_players  # few offices keep such lists

    newest = newest_reference(connection)
    lookup.has_reference = newest is not None
    names = {
        entrant.name: is_strong(entrant)
        for entrant, meaning in entrants
        if needs_fide(entrant, meaning, lookup.fide_numbers)
    }
    if newest is None or not names:
        return
    wanted = {(name, False): (name, 2) for name in names}
    # FIDE may have another first name of a strong player, as Anthony for Tony
    wanted |= {(name, True): (name.partition(",")[0], 9) for name, strong in names.items() if strong}
    numbers = numbers_with_words(connection, newest.id, wanted)
    rows = read_players(connection, newest.id, {number for of_name in numbers.values() for number in of_name})
    held = register.by_identifier(connection, "fide", {str(number) for number in rows})
    lookup.home = read_setting(connection, "federation")
    for (name, _), of_name in numbers.items():
        words = name_words(name)
        lookup.listed.setdefault(name, []).extend(
            (rows[number], name_score(words, name_words(rows[number].name)))
            for number in of_name
            if number in rows and str(number) not in held
        )


def needs_fide(entrant: Entrant, meaning: ReportNumbers, fide_numbers: frozenset[str]) -> bool:
    """Return whether an entrant of a chess report has no FIDE ID."""
    known = meaning.known(entrant, fide_numbers)
    return "fide" in meaning.schemes and all(scheme != "fide" for scheme, _ in known)


def is_strong(entrant: Entrant) -> bool:
    """Return whether FIDE must know an entrant: by a title, or by the rating in the report."""
    return bool(entrant.title) or (entrant.rating or 0) >= STRONG


def must_be_decided(lookup: PlayerLookup, entrant: Entrant, meaning: ReportNumbers) -> bool:
    """Return whether an entrant without candidates may not simply be new.

    A number of another body says who somebody is, unless the office can look the player up at FIDE.
    """
    numbered = bool(entrant.id or meaning.national.get(entrant.number))
    return (
        is_strong(entrant)
        and needs_fide(entrant, meaning, lookup.fide_numbers)
        and (lookup.has_reference or not numbered)
    )


def listed_candidates(lookup: PlayerLookup, entrant: Entrant, meaning: ReportNumbers) -> list[Candidate]:
    """Return the players of the reference list who may be an entrant, the likeliest first."""
    if not needs_fide(entrant, meaning, lookup.fide_numbers):
        return []
    near = {row.id: (row, likeness) for row, likeness in lookup.listed.get(entrant.name, ())}
    scored = {
        number: candidate
        for number, (row, likeness) in near.items()
        for candidate in rank(entrant, (), [(_as_registered(row), likeness)])
        if _says_more(candidate, entrant, lookup.home)
    }
    if is_strong(entrant):
        scored |= _same_surname(entrant, near, scored)
    ordered = sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))
    return [candidate._replace(fide=str(number)) for number, candidate in ordered[:MOST_LISTED]]


def _same_surname(
    entrant: Entrant, near: Mapping[int, tuple[ListRow, int]], scored: Mapping[int, Candidate]
) -> dict[int, Candidate]:
    """Return the players with the surname of a strong entrant who also have the title or a rating near theirs."""
    candidates: dict[int, Candidate] = {}
    for number, (row, _) in near.items():
        # as alike as a name must be, so that everything else is compared
        for candidate in () if number in scored else rank(entrant, (), [(_as_registered(row), 100)]):
            reasons = tuple("other-name" if it == "near-name" else it for it in candidate.reasons)
            if {"same-title", "near-rating"} & {*reasons} and "other-federation" not in reasons:
                candidates[number] = candidate._replace(score=candidate.score - 20, reasons=reasons)
    return candidates


def _says_more(candidate: Candidate, entrant: Entrant, home: str) -> bool:
    """Return whether more than the name speaks for a player of the reference list."""
    reasons = {*candidate.reasons}
    if reasons & _SAYS_MORE:
        return True
    if entrant.federation in FEDERATIONS:
        return "near-rating" in reasons and "other-federation" not in reasons
    return "near-rating" in reasons or candidate.federation == home


def _as_registered(row: ListRow) -> Registered:
    return Registered(
        0, row.name, row.federation, row.known_sex, row.born, row.title or row.women_title, row.rating
    )


def listed_person(row: ListRow, player: int, home: str) -> Person:
    """Return a player of the reference list as a new one of the register; ``home`` is the office's own federation."""
    return Person(
        player, row.name, known_federation(row.federation, home), row.known_sex, row.born, row.title, row.women_title,
        row.other_titles, identifiers=(("fide", str(row.id)),),
    )  # fmt: skip


def new_listed_person(connection: Connection, number: int, player: int, home: str) -> Person:
    """Return a player of the newest reference list as a new one of the register, under a number of ours."""
    from arpad.office.fide.reference import listed_at_fide

    return listed_person(listed_at_fide(connection, number), player, home)
