"""Check that each participant is one person and occurs once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from datetime import date

from arpad.checks.context import error, warning
from arpad.checks.positions import of_player
from arpad.model.names import key
from arpad.model.people import births_agree
from arpad.model.rules import Finding
from arpad.reports.report import Entrant, Report


def _repeated(values: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Yield the first place and the place of each repeated value; empty values are skipped."""
    if len(set(values)) == len(values):
        return
    first: dict[Hashable, int] = {}
    for place, value in enumerate(values):
        if value and first.setdefault(value, place) != place:
            yield first[value], place


def start_numbers(report: Report) -> Iterator[Finding]:
    """Report two participants with the same start number."""
    for first, again in _repeated([entrant.number for entrant in report.entrants]):
        entrant, other = report.entrants[again], report.entrants[first]
        where = of_player(report, again, "number")
        yield error("start-number-twice", **where, number=entrant.number, name=entrant.name, other=other.name)


def ids(report: Report) -> Iterator[Finding]:
    """Report two participants with the same FIDE number."""
    for first, again in _repeated([entrant.id for entrant in report.entrants]):
        entrant, other = report.entrants[again], report.entrants[first]
        where = of_player(report, again, "id")
        yield error("id-twice", **where, id=entrant.id, other=other.number)


def persons(report: Report) -> Iterator[Finding]:
    """Report two participants who may be one person: the same name in any spelling, births that agree."""
    entrants = report.entrants
    alike = {place for pair in _repeated([entrant.name.casefold() for entrant in entrants]) for place in pair}
    births = [entrant.born if isinstance(entrant.born, date) else None for entrant in entrants]
    alike |= {place for pair in _repeated(births) for place in pair}
    by_name: dict[str, list[int]] = {}
    for place in sorted(alike):
        if name := key(entrants[place].name):
            by_name.setdefault(name, []).append(place)
    for same in by_name.values():
        for index, place in enumerate(same[1:], start=1):
            entrant = entrants[place]
            earlier = (entrants[first] for first in same[:index])
            other = next((namesake for namesake in earlier if _may_be_one(entrant, namesake)), None)
            if other is not None:
                where = of_player(report, place, "name")
                yield warning(
                    "person-twice", **where, name=entrant.name, other=other.number, other_name=other.name
                )


def _may_be_one(one: Entrant, other: Entrant) -> bool:
    """Return whether two entrants of the same name may be one person; ``ids`` reports those with one id."""
    return not (one.id and one.id == other.id) and births_agree(one.born, other.born)


def names(report: Report) -> Iterator[Finding]:
    """Report participants without a name."""
    without = [place for place, entrant in enumerate(report.entrants) if not entrant.name]
    for place in without:
        yield warning("name-missing", **of_player(report, place, "name"))


CHECKS = (start_numbers, ids, persons, names)
