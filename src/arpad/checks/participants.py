"""Check that each participant is one person, occurs once, and is a member if an own edition requires it."""

import re
from collections.abc import Hashable, Iterator, Sequence
from datetime import date

from arpad.checks.context import error, first_start_numbers, info, of_player, warning
from arpad.model.names import key
from arpad.model.people import births_agree
from arpad.model.rules import Finding, Rule
from arpad.regulations.membership import Members
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Entrant, Report


def _repeated(values: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Yield the first place and the place of each repeated value; empty values are skipped."""
    if len(set(values)) == len(values):
        return
    first: dict[Hashable, int] = {}
    for index, value in enumerate(values):
        if value and first.setdefault(value, index) != index:
            yield first[value], index


def start_numbers(report: Report) -> Iterator[Finding]:
    """Report two participants with the same start number."""
    for first, again in _repeated([entrant.number for entrant in report.entrants]):
        entrant, first_entrant = report.entrants[again], report.entrants[first]
        where = of_player(report, again, "number")
        yield error(
            "start-number-twice", **where, number=entrant.number, name=entrant.name, other=first_entrant.name
        )


def ids(report: Report) -> Iterator[Finding]:
    """Report two participants with the same FIDE ID."""
    for first, again in _repeated([entrant.id for entrant in report.entrants]):
        entrant, first_entrant = report.entrants[again], report.entrants[first]
        where = of_player(report, again, "id")
        yield error("id-twice", **where, id=entrant.id, other=first_entrant.number)


def persons(report: Report) -> Iterator[Finding]:
    """Report two participants who may be one person: the same name in any spelling, births that agree."""
    names, entrant_at = report.column("name"), report.entrants.__getitem__
    alike = {index for pair in _repeated([name.casefold() for name in names]) for index in pair}
    births = [born if isinstance(born, date) else None for born in report.column("born")]
    alike |= {index for pair in _repeated(births) for index in pair}
    by_name: dict[str, list[int]] = {}
    for index in sorted(alike):
        if name := key(names[index]):
            by_name.setdefault(name, []).append(index)
    for same in by_name.values():
        for position, index in enumerate(same[1:], start=1):
            entrant = entrant_at(index)
            earlier = (entrant_at(first) for first in same[:position])
            double = next((namesake for namesake in earlier if _may_be_one(entrant, namesake)), None)
            if double is not None:
                where = of_player(report, index, "name")
                yield warning(
                    "person-twice", **where, name=entrant.name, other=double.number, other_name=double.name
                )


def _may_be_one(entrant: Entrant, namesake: Entrant) -> bool:
    """Return whether two entrants of the same name may be one person; ``ids`` reports those with one id."""
    return not (entrant.id and entrant.id == namesake.id) and births_agree(entrant.born, namesake.born)


def names(report: Report) -> Iterator[Finding]:
    """Report participants without a name."""
    without = [index for index, entrant in enumerate(report.entrants) if not entrant.name]
    for index in without:
        yield warning("name-missing", **of_player(report, index, "name"))


SIGN_OF_NICKNAME = re.compile(r"[0-9_]")
_NICKNAMES_OF_FIELD = 10
"""One nickname in so many names makes a field of nicknames; and at least ``_FEWEST_NICKNAMES``."""

_FEWEST_NICKNAMES = 2


def is_nickname(name: str) -> bool:
    """Return whether a name is one word, without comma or space, that contains a digit or an underscore."""
    return not re.search(r"[\s,]", name) and SIGN_OF_NICKNAME.search(name) is not None


def nicknames(report: Report) -> Iterator[Finding]:
    """Report a field with nicknames instead of names: its players cannot be known."""
    if not SIGN_OF_NICKNAME.search("".join([entrant.name for entrant in report.entrants])):
        return
    named = [index for index, entrant in enumerate(report.entrants) if entrant.name]
    places = [index for index in named if is_nickname(report.entrants[index].name)]
    if len(places) < _FEWEST_NICKNAMES or len(places) * _NICKNAMES_OF_FIELD < len(named):
        return
    first = report.entrants[places[0]]
    where = of_player(report, places[0], "name")
    players = first_start_numbers(report.entrants[index] for index in places)
    yield error("nicknames", **where, count=len(places), name=first.name, players=players)


CHECKS = (start_numbers, ids, persons, names, nicknames)


def check_members(report: Report, facts: EventFacts, rule: Rule[Members] | None) -> Iterator[Finding]:
    """Check that the players are members on the first day; without an office that is unknown."""
    if rule is None:
        return
    known = [facts.player(entrant.number, entrant.id) for entrant in report.entrants]
    required = [not player.guest or rule.value == Members.ALL for player in known]
    unknown = [
        entrant
        for entrant, player, needed in zip(report.entrants, known, required, strict=True)
        if needed and player.member is None
    ]
    if unknown:
        players = first_start_numbers(unknown)
        yield info("membership-unknown", rule.article, count=len(unknown), players=players)
    first = report.header.first_day
    for index, (entrant, player) in enumerate(zip(report.entrants, known, strict=True)):
        if required[index] and player.member is False:
            where = of_player(report, index, "name")
            yield error("not-a-member", rule.article, **where, name=entrant.name, first=first)
