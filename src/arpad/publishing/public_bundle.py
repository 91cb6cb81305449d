"""The public bundle: what is needed to recompute a list, and no other personal data.

The regulations need a birth only to recognise juniors (8.56), and the list shows its year: the day is dropped, or, if a
birthday is inside the period, replaced by the vaguest day that gives the same K. Reports are rewritten without days of
birth, arbiters' remarks and comments; affiliations and the reasons of decisions stay at the office. The digest of a
list is that of its rows, so anyone still computes the same digest; otherwise there is no public bundle.

A player who asked not to be shown is replaced by a stand-in: a number above the register's, no name, no number of
another body. Their games count for the opponents, their line is left off, and the text says so and has the published
digest.
"""

from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar

from arpad.lists.canonical import count_left_off
from arpad.lists.compute import compute_list
from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.system_list import SystemInputs
from arpad.model.errors import BadInput
from arpad.model.people import Birth, Person, birth_year
from arpad.model.rules import Fact
from arpad.publishing.bundle import bundle_bytes
from arpad.regulations.fide.change import until_eighteenth_birthday, until_end_of_eighteenth_year
from arpad.regulations.fide.event_kind import declared_kind
from arpad.regulations.fide.rules import add_months
from arpad.regulations.systems import edition_of, system_named, system_of
from arpad.regulations.units import Unit
from arpad.reports.formats import write_report
from arpad.reports.report import Entrant, Header, Report
from arpad.reports.stages import read_filed

T = TypeVar("T")

EIGHTEEN_YEARS = 18 * 12
PRIVATE_FIELDS = ("author", "reason", "at")
"""What a public bundle leaves out of a decision."""

PRIVATE_VALUES = ("players", "by")
"""What it leaves out of a decision's value: facts about players (the event has those that count), and who appeals."""


def public_bundle(
    inputs: Inputs, text: bytes, digest: str, unlisted: AbstractSet[int] = frozenset(), proof: bytes = b""
) -> bytes:
    """Return the bytes of the public bundle, which recomputes the public text of a list.

    ``unlisted`` are the players who asked not to be shown, and ``digest`` is the published one; ``proof`` is its act.
    """
    left_off = count_left_off(text)
    whole = digest if left_off else ""
    if inputs.system is not None:
        of_system = reduce_units(inputs.system, unlisted)
        public = replace(inputs, system=replace(of_system, left_off=left_off, whole_digest=whole))
    else:
        inputs = replace(inputs, left_off=left_off, whole_digest=whole)
        public = reduce_inputs(with_stand_ins(inputs, unlisted))
    result = compute_list(public)
    if result.text != text:
        raise BadInput("bundle-not-public", list=str(inputs.on_list), day=inputs.day)
    return bundle_bytes(public, result, proof)


def with_stand_ins(inputs: Inputs, unlisted: AbstractSet[int]) -> Inputs:
    """Return inputs in which a stand-in replaces each player who asked not to be shown."""
    replaced = sorted(unlisted & {*inputs.people})
    if not replaced:
        return inputs
    first = max({*inputs.people, *inputs.merged}, default=0) + 1
    stand_in = {player: number for number, player in enumerate(replaced, start=first)}

    def renumbered(values: Mapping[int, T]) -> dict[int, T]:
        return {stand_in.get(player, player): value for player, value in values.items()}

    def state(player: int, text: str) -> str:
        if player not in stand_in:
            return text
        number = stand_in[player]
        return system_of(inputs.on_list).stored.with_name(text, stand_in_name(number, first), number)

    stand_ins = {p: _stand_in(inputs.people[p], number, first, inputs) for p, number in stand_in.items()}
    return replace(
        inputs,
        states=dict(sorted(renumbered({p: state(p, s) for p, s in inputs.states.items()}).items())),
        capitals=renumbered({p: state(p, s) for p, s in inputs.capitals.items()}),
        lists={digest: renumbered(ratings) for digest, ratings in inputs.lists.items()},
        events=tuple(_event_with_stand_ins(event, stand_in, first) for event in inputs.events),
        people=dict(sorted(renumbered({**inputs.people, **stand_ins}).items())),
        k=renumbered(inputs.k),
        standard=renumbered(inputs.standard),
        debuts=renumbered(inputs.debuts),
        awards=renumbered(inputs.awards),
        guests={
            day: replace(of_day, ratings=renumbered(of_day.ratings)) for day, of_day in inputs.guests.items()
        },
        hidden=frozenset(stand_in.get(player, player) for player in inputs.hidden) | {*stand_in.values()},
        decisions=tuple(
            {**decision, "player": stand_in.get(decision["player"], decision["player"])}
            for decision in inputs.decisions
        ),
        merged={n: p for n, p in inputs.merged.items() if n not in stand_in and p not in stand_in},
    )


def stand_in_name(number: int, first: int) -> str:
    """Return the name of a stand-in: some file formats identify players by name."""
    return f"Hidden {number - first + 1}"


def _stand_in(person: Person, number: int, first: int, inputs: Inputs) -> Person:
    """Return a person with only the facts that the list needs; draughts need the federation (table 22)."""
    born = vague_or_no_birth(person.born, (inputs.opened, inputs.day))
    return Person(number, stand_in_name(number, first), person.federation if inputs.home else "", born=born)


def _event_with_stand_ins(event: EventInput, stand_in: Mapping[int, int], first: int) -> EventInput:
    if not stand_in.keys() & set(event.players):
        return event
    report = read_filed(event.data, event.file)
    entrants = tuple(
        anonymous_entrant(entrant, stand_in_name(stand_in[player], first)) if player in stand_in else entrant
        for entrant, player in zip(report.entrants, event.players, strict=True)
    )
    data, file = rewrite_report(replace(report, entrants=entrants), event)
    numbers = {
        e.id: str(e.number)
        for e, p in zip(report.entrants, event.players, strict=True)
        if p in stand_in and e.id
    }
    facts = replace(event.facts, players={numbers.get(k, k): v for k, v in event.facts.players.items()})
    players = tuple(stand_in.get(player, player) for player in event.players)
    return replace(event, file=file, data=data, facts=facts, players=players)


def anonymous_entrant(entrant: Entrant, name: str) -> Entrant:
    """Return an entrant with the games and the rating only."""
    return replace(entrant, name=name, id="", federation="", title="", sex="", born=None)


def rewrite_report(report: Report, event: EventInput) -> tuple[bytes, str]:
    """Return the bytes of a rewritten report, and the name of its file."""
    form = report.format if report.format == "pdn" else "trf16"
    data, _ = write_report(bare_report(report), form)
    return data, f"{event.report_number}.{form[:3]}"


def reduce_inputs(inputs: Inputs) -> Inputs:
    """Return the inputs of a list without what is not needed to recompute it."""
    return replace(
        inputs,
        people={number: _person(person, inputs) for number, person in inputs.people.items()},
        events=tuple(_event(event) for event in inputs.events),
        decisions=tuple(_decision(decision) for decision in inputs.decisions),
    )


def _decision(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decision without its author and reason, and without personal data."""
    value = {name: fact for name, fact in decision["value"].items() if name not in PRIVATE_VALUES}
    return {name: fact for name, fact in decision.items() if name not in PRIVATE_FIELDS} | {"value": value}


def _person(person: Person, inputs: Inputs) -> Person:
    name = "" if person.id in inputs.hidden else person.name
    died = date(person.died.year, 1, 1) if person.died else None  # before the list: only that matters
    born = vague_birth(person.born, inputs.opened, inputs.day)
    return replace(person, name=name, born=born, affiliation="", died=died)


def reduce_units(inputs: SystemInputs, unlisted: AbstractSet[int]) -> SystemInputs:
    """Return the inputs of a rating system's list with a stand-in for each player who asked not to be shown.

    Of a birth, or a day of joining, it has at most the year and what the system takes from it in each event.
    """
    system, first = system_named(inputs.system), max(inputs.people, default=0) + 1
    numbers = {
        player: number for number, player in enumerate(sorted(unlisted & inputs.people.keys()), start=first)
    }

    def renumbered(values: Mapping[int, T]) -> dict[int, T]:
        return dict(sorted((numbers.get(player, player), value) for player, value in values.items()))

    def renamed(name: str) -> str:
        return str(numbers.get(int(name), name))

    def reduced(unit: Unit[Any]) -> Unit[Any]:
        rules = edition_of(system, unit, inputs.known).rules

        def takes(fact: str, day: Fact) -> object:
            return system.takes_from_day(fact, day, unit, rules)

        entrants = {
            renamed(name): replace(it, facts=_vague_days(it.facts, takes))
            for name, it in unit.entrants.items()
        }
        games = (replace(it, player=renamed(it.player), opponent=renamed(it.opponent)) for it in unit.games)
        return replace(unit, entrants=entrants, games=tuple(games))

    def person(it: Person) -> Person:
        if it.id in numbers:
            return Person(numbers[it.id], stand_in_name(numbers[it.id], first))
        name = "" if it.id in inputs.hidden else it.name
        return Person(it.id, name, it.federation, born=birth_year(it.born), identifiers=it.identifiers)

    return replace(
        inputs,
        start=renumbered(inputs.start),
        units=tuple(map(reduced, inputs.units)),
        people=renumbered({number: person(it) for number, it in inputs.people.items()}),
        before={player: figure for player, figure in inputs.before.items() if player not in numbers},
        hidden=frozenset(numbers.get(player, player) for player in inputs.hidden) | {*numbers.values()},
    )


def _vague_days(facts: Mapping[str, Fact], takes: Callable[[str, Fact], object]) -> dict[str, Fact]:
    """Return facts in which a vaguer day that says the same replaces each day, or its year if none does."""
    vague = dict(facts)
    for name, day in facts.items():
        if isinstance(day, date):
            said, vaguer = takes(name, day), (None, *_vaguer(day, ()))
            vague[name] = next((it for it in vaguer if takes(name, it) == said), day.year)
    return {name: value for name, value in vague.items() if value is not None}


def vague_birth(born: Birth, opened: date, day: date) -> Birth:
    """Return the year of a birth, or the least exact day with the same junior status on the days of a list."""
    if not isinstance(born, date):
        return born
    days = (opened, day)
    return next((it for it in _vaguer(born, days) if _same_status(it, born, days)), born.year)


def vague_or_no_birth(
    born: Birth, days: Collection[date], takes: Callable[[Birth], object] = lambda _born: None
) -> Birth:
    """Return None if the birth does not matter on these days, or else the vaguest with the same junior status.

    ``takes`` returns what else is taken from a birth; that has to be the same too.
    """
    if born is None:
        return None
    said = takes(born)
    vaguer = (None, *_vaguer(born, days))
    return next((it for it in vaguer if _same_status(it, born, days) and takes(it) == said), born)


def _vaguer(born: Birth, days: Collection[date]) -> tuple[Birth, ...]:
    year = birth_year(born) or 0
    # a birthday near a list, as its K shows anyway
    birthdays = [add_months(on, -EIGHTEEN_YEARS) for on in days if on.year - 18 == year]
    return (year, date(year, 1, 1), *birthdays, date(year, 12, 31))


def _same_status(vague: Birth, born: Birth, days: Collection[date]) -> bool:
    """Return whether a birth makes the same player a junior as another, under all rules for juniors."""
    return all(
        until(vague, on) == until(born, on)
        for until in (until_eighteenth_birthday, until_end_of_eighteenth_year)
        for on in days
    )


def _event(event: EventInput) -> EventInput:
    """Return an event with a rewritten report: players, days, results."""
    data, file = rewrite_report(read_filed(event.data, event.file), event)
    players = {key: facts._replace(born=None, died=None) for key, facts in event.facts.players.items()}
    return replace(event, file=file, data=data, facts=replace(event.facts, players=players))


def bare_report(report: Report) -> Report:
    """Return a report with years of birth only, and without what only its arbiter wrote."""
    return replace(
        report,
        header=replace(
            report.header, chief_arbiter="", deputies=(), pairing_program="", kind=_declared(report.header)
        ),
        entrants=tuple(replace(entrant, born=birth_year(entrant.born)) for entrant in report.entrants),
        source=(), findings=(), national=(), records=(), encoding="utf-8",
    )  # fmt: skip


def _declared(header: Header) -> str:
    """Return the kind of tournament in the words of record 092, even if only the coded record has it."""
    coded = header.coded_kind.replace("_", " ")
    return header.kind if declared_kind(replace(header, coded_kind="")) == declared_kind(header) else coded
