"""The numbers in a report: of which scheme each is, and which registered players have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.model.disciplines import DISCIPLINES, Discipline
from arpad.model.errors import BadInput
from arpad.office.register.number_rows import declared_schemes, source_rules
from arpad.reports.entrant_match import Numbers, Registered, is_compatible
from arpad.reports.event_facts import EventFacts
from arpad.reports.number_schemes import (
    BUILT_IN,
    NumberScheme,
    SourceRule,
    column_scheme,
    fits,
    national_numbers,
)
from arpad.reports.report import Entrant, Report


def known_fide_numbers(connection: Connection, entrants: Iterable[Entrant]) -> frozenset[str]:
    """Return the numbers of some entrants that are FIDE's: the newest reference list has them under their names."""
    named = {int(entrant.id): entrant for entrant in entrants if _may_be_fide(entrant.id)}
    if not named:
        return frozenset()
    from arpad.office.parts import reference_players

    return frozenset(
        named[number].id
        for number, person in reference_players(connection, named).items()
        if is_compatible(named[number], Registered(0, person.name, born=person.born))
    )


def _may_be_fide(number: str) -> bool:
    return number.isascii() and number.isdecimal() and 0 < int(number) < 2**31


@dataclass(frozen=True, slots=True)
class NumberRules:
    """The number schemes that the office declared, and the scheme that each source uses."""

    declared: Mapping[str, NumberScheme]
    sources: tuple[SourceRule, ...]

    def of(self, report: Report, facts: EventFacts, discipline: Discipline) -> ReportNumbers:
        """Return the meaning of the numbers of a report."""
        possible = (*discipline.schemes, *self.declared)
        rules = [rule for rule in self.sources if rule.scheme in possible]
        scheme = facts.number_scheme or column_scheme(report, rules, discipline.name)
        national = {
            number: tuple(pair for pair in pairs if self.fits(*pair))
            for number, pairs in national_numbers(report, rules).items()
        }
        return ReportNumbers(self, scheme, national, possible)

    def fits(self, scheme: str, number: str) -> bool:
        """Return whether a number can be of a scheme."""
        if scheme == "fide":
            return number.isdecimal()
        declared = self.declared.get(scheme)
        return scheme in BUILT_IN if declared is None else fits(declared.pattern, number)

    def refuse_unknown(self, scheme: str | None) -> None:
        """Refuse a scheme that nobody declared."""
        if scheme and scheme not in BUILT_IN and scheme not in self.declared:
            raise BadInput(
                "identifier-scheme", scheme=scheme[:20], accepted=", ".join((*BUILT_IN, *self.declared))
            )


@dataclass(frozen=True, slots=True)
class ReportNumbers:
    """The numbers of one report."""

    rules: NumberRules
    column: str
    """The scheme of the id column, empty if nobody said."""

    national: Mapping[int, Numbers]
    schemes: tuple[str, ...]
    """The schemes that a number of the report can be of."""

    def known(self, entrant: Entrant, fide: frozenset[str] = frozenset()) -> Numbers:
        """Return the numbers of an entrant whose scheme is known; ``fide`` are those that FIDE's list has."""
        numbers = self.national.get(entrant.number, ())
        if entrant.id and self.column and self.rules.fits(self.column, entrant.id):
            return (*numbers, (self.column, entrant.id))
        return (*numbers, ("fide", entrant.id)) if entrant.id in fide else numbers

    def possible(self, report: Report) -> list[Numbers]:
        """Return the numbers under which each entrant is looked up: all schemes, unless one is known."""
        return [self._possible(entrant) for entrant in report.entrants]

    def _possible(self, entrant: Entrant) -> Numbers:
        known = self.known(entrant)
        if not entrant.id or any(value == entrant.id for _, value in known):
            return known
        return (*known, *((scheme, entrant.id) for scheme in self.schemes))


def load_number_rules(connection: Connection) -> NumberRules:
    """Load what the office says about numbers."""
    return NumberRules(declared_schemes(connection), source_rules(connection))


def holders_in_order(players: Mapping[tuple[str, str], int], numbers: Iterable[Numbers]) -> list[list[int]]:
    """Return for each entrant the players who have one of the entrant's numbers, each once; by scheme and number."""
    return [list(dict.fromkeys(players[pair] for pair in pairs if pair in players)) for pairs in numbers]


def numbers_by_scheme(numbers: Iterable[Numbers]) -> dict[str, set[str]]:
    """Return the numbers to look up, by scheme, in the order in which schemes are looked up."""
    order = [scheme for discipline in DISCIPLINES for scheme in discipline.schemes]
    wanted: dict[str, set[str]] = {scheme: set() for scheme in order}
    for pairs in numbers:
        for scheme, value in pairs:
            wanted.setdefault(scheme, set()).add(value)
    return {scheme: values for scheme, values in wanted.items() if values}
