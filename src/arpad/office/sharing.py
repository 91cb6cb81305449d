"""A bundle for everybody: what a list needs to be computed again, and nothing more of anybody's person.

The regulations ask for a birth only to tell juniors (8.56), and the list itself shows its year: the day goes, or
where a birthday falls inside the period, it becomes the least that gives the same K. Reports are written anew without
days of birth, arbiters' remarks and comments; affiliations and the reasons of decisions stay at the office. The digest
of a list is that of its rows, so a stranger still gets the same one; where he would not, there is no such bundle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from arpad.change import until_eighteenth_birthday, until_end_of_eighteenth_year
from arpad.errors import BadInput
from arpad.formats import read_report, write_report
from arpad.model import Birth, birth_year
from arpad.office.bundle import write_bundle
from arpad.office.closing import computed
from arpad.office.inputs import EventInput, Inputs
from arpad.report import Report
from arpad.rules import add_months
from arpad.store.register import Person

EIGHTEEN_YEARS = 18 * 12
UNTOLD = ("author", "reason", "at")


def public_bundle(inputs: Inputs, digest: str) -> bytes:
    """The bytes of a bundle that anybody may have; its list has the digest that was published."""
    shared = reduced(inputs)
    closed = computed(shared)
    if closed.digest != digest:
        raise BadInput("bundle-not-public", list=str(inputs.on_list), day=inputs.day)
    return write_bundle(shared, closed)


def reduced(inputs: Inputs) -> Inputs:
    """The inputs of a list without what nobody needs to compute it again."""
    return replace(
        inputs,
        people={number: _person(person, inputs) for number, person in inputs.people.items()},
        events=tuple(_event(event) for event in inputs.events),
        decisions=tuple(
            {name: value for name, value in decision.items() if name not in UNTOLD}
            for decision in inputs.decisions
        ),
    )


def _person(person: Person, inputs: Inputs) -> Person:
    name = "" if person.id in inputs.hidden else person.name
    died = date(person.died.year, 1, 1) if person.died else None  # before the list, which is all that counts
    born = least_birth(person.born, inputs.opened, inputs.day)
    return replace(person, name=name, born=born, affiliation="", died=died)


def least_birth(born: Birth, opened: date, day: date) -> Birth:
    """The year of a birth, or the vaguest day that tells a junior on the days a list looks at, as the true one does."""
    if not isinstance(born, date):
        return born
    for vague in _vaguer(born.year, opened, day):
        if all(
            until(vague, on) == until(born, on)
            for until in (until_eighteenth_birthday, until_end_of_eighteenth_year)
            for on in (opened, day)
        ):
            return vague
    return born.year


def _vaguer(born: int, opened: date, day: date) -> Iterator[Birth]:
    yield born
    yield date(born, 1, 1)
    for on in (opened, day):
        if on.year - 18 == born:  # the birthday falls about this list, as its K tells anyway
            yield add_months(on, -EIGHTEEN_YEARS)
    yield date(born, 12, 31)


def _event(event: EventInput) -> EventInput:
    """The report written anew: who played whom, when, with what result."""
    report = read_report(event.data, event.file)
    form = report.format if report.format == "pdn" else "trf16"
    data, _ = write_report(bare(report), form)
    known = {who: facts._replace(born=None) for who, facts in event.facts.players.items()}
    facts = replace(event.facts, players=known)
    return replace(event, file=f"{event.report_number}.{form[:3]}", data=data, facts=facts)


def bare(report: Report) -> Report:
    """A report with the years of births alone, and without what only its arbiter wrote."""
    return replace(
        report,
        header=replace(report.header, chief_arbiter="", deputies=(), pairing_program=""),
        entrants=tuple(replace(entrant, born=birth_year(entrant.born)) for entrant in report.entrants),
        source=(), findings=(), national=(), records=(), encoding="utf-8",
    )  # fmt: skip
