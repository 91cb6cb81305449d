"""A report with the facts of a register about its players instead of its own, and the list of what changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arpad.model.people import Birth, Person, births_agree
from arpad.reports.report import Report

FIDE = "fide"
_SEXES = {"M": "m", "F": "w"}


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact about a player that the register has otherwise than the report."""

    number: int
    """The start number."""

    name: str
    field: str
    reported: str
    registered: str


def with_register_facts(
    report: Report, people: Sequence[Person], ratings: Sequence[int | None] | None = None
) -> tuple[Report, tuple[ChangedFact, ...]]:
    """Return a report with the register's facts about its players, in their order, and what changed by that.

    A fact that the register does not know stays as reported; a FIDE ID that the register does not have is left
    out. ``ratings`` replace all ratings.
    """
    entrants, changes = [], []
    for index, (entrant, person) in enumerate(zip(report.entrants, people, strict=True)):
        rating = entrant.rating if ratings is None else ratings[index]
        known = replace(
            entrant,
            name=person.name or entrant.name,
            federation=person.federation or entrant.federation,
            sex=_SEXES.get(person.sex, entrant.sex),
            title=person.title or person.women_title or entrant.title,
            born=_fuller(entrant.born, person.born),
            id=person.identifier(FIDE),
            rating=rating,
        )
        entrants.append(known)
        changes += [
            ChangedFact(entrant.number, entrant.name, field, str(before or ""), str(after or ""))
            for field in _COMPARED
            if ((before := getattr(entrant, field)) or "") != ((after := getattr(known, field)) or "")
        ]
    return replace(report, entrants=tuple(entrants)), tuple(changes)


def _fuller(reported: Birth, registered: Birth) -> Birth:
    """Return the registered birth; a reported day stays if the register has only its year."""
    if not registered or (isinstance(registered, int) and births_agree(reported, registered) and reported):
        return reported
    return registered


_COMPARED = ("name", "federation", "sex", "title", "born", "id", "rating")
