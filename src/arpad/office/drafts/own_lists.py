"""The lists of the office's own: which accepted events count on them, and what they are computed from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection

from arpad.lists.chain import states_on
from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.result import ListResult
from arpad.lists.system_list import SystemInputs, chained_units
from arpad.lists.system_units import unit_of_report
from arpad.model.canonical_json import load
from arpad.model.federations import is_foreign
from arpad.model.rules import CHESS_LISTS, LIST_UNDECIDED, Finding, ListName
from arpad.office.drafts.load_events import load_events
from arpad.office.drafts.own_facts import (
    OwnFacts,
    decided_k,
    load_fide_ratings,
    load_memberships,
    not_in_system,
)
from arpad.office.drafts.procedures import LeftOut
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import AsOf, newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, PUBLISHED
from arpad.office.register.number_rows import hidden as hidden_on_request
from arpad.office.register.number_rows import hidden_schemes, merge_targets
from arpad.office.register.rows import load_people
from arpad.office.reports import rows
from arpad.office.reports.rows import COUNTS, UNRATED, Decision, Filed, decisions_in_force
from arpad.office.reports.tables import ACCEPTED, RECEIVED
from arpad.regulations.rating_system import Driver
from arpad.regulations.system_fields import read_fields
from arpad.regulations.systems import edition_on, system_named
from arpad.regulations.units import Entrant, Unit
from arpad.reports.number_schemes import ON_LISTS
from arpad.store.settings import own_lists_of


def select_own_reports(
    connection: Connection, on_list: ListName, day: date, base: Publication | None
) -> tuple[list[Filed], list[LeftOut]]:
    """Return the events that count on a list of the office's own, and those left out with the reason.

    All events since the list from which it starts are rated again in their order, so a late one counts where it
    belongs. Whether an event counts on the list of FIDE says nothing about this one.
    """
    own = own_lists_of(connection)[on_list]
    decided = decisions_in_force(connection)
    decisions = [it for it in decided if it.list == on_list]
    selected, left_out = [], []
    for filed in rows.filed(connection).values():
        last = filed.last_day
        began = last is not None and last >= own.since and (base is None or last > base.day)
        if filed.status not in (RECEIVED, ACCEPTED) or filed.list not in CHESS_LISTS or not began:
            continue
        about = [it for it in decisions if it.report == filed.id]
        reason = _left_out(on_list, filed, about, day)
        by_decision = reason or any(it.kind == COUNTS for it in about)
        if not by_decision and not_in_system(connection, own, [filed], decided):
            reason = LIST_UNDECIDED if filed.undecided else "other-times"
        if not reason:
            selected.append(filed)
        elif reason != "other-times":
            left_out.append(LeftOut(filed, reason))
    return selected, left_out


def _left_out(on_list: ListName, filed: Filed, decisions: Sequence[Decision], day: date) -> str:
    """Return why an event is left out, or nothing; the last decision about it on this list counts."""
    decided = next((it.kind for it in reversed(decisions) if it.kind in (*UNRATED, COUNTS)), "")
    if decided in UNRATED:
        return decided
    if not decided and on_list.times not in ("", filed.list):
        return "other-times"
    if not decided and on_list.times and filed.undecided:
        return LIST_UNDECIDED
    if filed.last_day is not None and filed.last_day > day:
        return "after-cutoff"
    return RECEIVED if filed.status == RECEIVED else ""


def load_own_inputs(
    connection: Connection,
    on_list: ListName,
    day: date,
    reports: Iterable[Filed],
    base: Publication | None,
    as_of: AsOf,
    decisions: Sequence[Decision],
) -> Inputs:
    """Load everything that a list of the office's own is computed from."""
    merged = merge_targets(connection, as_of.merges_as_of)
    system = system_named(on_list.system)
    publications = [
        p for p in lists.all_publications(connection, on_list) if as_of.sees(p) and p.kind != BASE
    ]
    before = newest([p for p in publications if p.day < day])
    events = load_events(connection, list(reports), decisions, merged, on_list, publications, ())
    states = list_rows.states(connection, base.id) if base else {}
    start = {number: state for number, state in _merged(states, merged).items() if state != "{}"}
    figures = list_rows.ratings(connection, before.id) if before else {}
    playing = {player for event in events for player in event.players}
    people = load_people(
        connection, {*start, *playing}, on=day, as_of_act=as_of.register_as_of,
        without_schemes=hidden_schemes(connection, ON_LISTS, as_of.register_as_of),
    )  # fmt: skip
    on_request = hidden_on_request(connection) if as_of.hidden is None else frozenset(as_of.hidden)
    foreign = {
        it for it, person in people.items() if on_list.owner and is_foreign(person.federation, on_list.owner)
    }
    dead = {it for it, person in people.items() if person.died is not None and not as_of.shows_dead}
    own, days = own_lists_of(connection)[on_list], [day, *(it.day for it in publications)]
    of_list = read_fields(system.unit_facts, load(own.facts), "facts")
    fields = {field.name for field in system.fields}
    fide = load_fide_ratings(connection, events, start, as_of, merged) if "fide" in fields else {}
    first = base.day if base else own.since - timedelta(days=1)
    memberships = load_memberships(connection, people, merged, as_of.register_as_of)
    known = OwnFacts(system, of_list, people, memberships, fide, decided_k(decisions, on_list, days, first))
    hidden = frozenset((on_request & people.keys()) | foreign | dead | known.unlisted(day))
    periods = tuple(
        sorted({*(p.day for p in publications if p.day < day and (base is None or p.day > base.day)), day})
    )
    of_system = SystemInputs(
        on_list=str(on_list),
        day=day,
        number=as_of.number,
        revision=as_of.revision,
        previous=as_of.previous,
        revises=as_of.revises,
        system=on_list.system,
        start=start,
        opened=base.day if base else None,
        units=tuple(_unit(event, known) for event in events),
        periods=periods if system.driver is Driver.PERIOD else (),
        facts=of_list,
        people=people,
        before=_merged(figures, merged),
        since=before.day if before else None,
        hidden=hidden,
    )
    return Inputs(
        on_list, day, before.day if before else day, as_of.number, as_of.revision, as_of.previous, as_of.revises,
        edition_on(system, day).id, start, events=events, people=people, hidden=hidden, guests=fide,
        merged={dropped: player for dropped, player in merged.items() if player in people}, system=of_system,
    )  # fmt: skip


def system_findings(
    connection: Connection, inputs: Inputs, result: ListResult, publications: Sequence[Publication]
) -> dict[str, list[Finding]]:
    """Return what the system of a list says about the events that the list before does not rate, by name.

    What it says about the figures of the list is under an empty name.
    """
    of_system, of_chain = inputs.system, result.of_system
    if of_system is None or of_chain is None:
        return {}
    system, units = system_named(of_system.system), chained_units(of_system)
    before = newest([p for p in publications if p.kind == PUBLISHED and p.day < inputs.day])
    known = lists.rated_in(connection, before.id) if before else ()
    is_chain = system.driver is Driver.CHAIN
    new = (it for it in units if (it.number not in known if is_chain else it.last_day == inputs.day))
    names = {system.order(unit): unit.name for unit in new}
    findings: dict[str, list[Finding]] = {}
    for place, finding in of_chain.chain.findings:
        if place in names:
            findings.setdefault(names[place], []).append(finding)
    if of_chain.about_figures:
        findings[""] = [*of_chain.about_figures]
    return findings


@dataclass(frozen=True, slots=True)
class Restated:
    """A printed figure of a published list that late or corrected events, or a merge, would change today."""

    publication: Publication
    player: int
    before: int | None
    after: int | None


MOST_RESTATED = 12
"""The latest lists that are compared with the events of today."""


def restated_lines(
    connection: Connection, inputs: Inputs, result: ListResult, publications: Sequence[Publication]
) -> tuple[Restated, ...]:
    """Return the figures of the published lists that the chain of a draft gives otherwise, the oldest list first."""
    of_system, of_chain = inputs.system, result.of_system
    if of_system is None or of_chain is None:
        return ()
    system, units = system_named(of_system.system), chained_units(of_system)
    newest_of_day = {p.day: p for p in publications if p.kind == PUBLISHED and p.day < inputs.day}
    restated = []
    for day, publication in sorted(newest_of_day.items())[-MOST_RESTATED:]:
        rules = edition_on(system, day, of_system.known).rules
        states = states_on(system, units, of_chain.chain, day, known=of_system.known)
        lines = {int(name): system.line(state, rules, day).figure for name, state in states.items()}
        shown = _merged(list_rows.ratings(connection, publication.id), inputs.merged)
        restated += [
            Restated(publication, player, shown.get(player), lines.get(player))
            for player in sorted({*shown, *lines} - inputs.hidden)
            if shown.get(player) != lines.get(player)
        ]
    return tuple(restated)


def _merged(values: Mapping[int, Any], merged: Mapping[int, int]) -> dict[int, Any]:
    """Return values by player, those of merged players under the number kept, whose own value wins."""
    kept = {number: value for number, value in values.items() if number not in merged}
    for dropped, player in merged.items():
        if dropped in values:
            kept.setdefault(player, values[dropped])
    return kept


def _unit(event: EventInput, known: OwnFacts) -> Unit[Any]:
    """Return an event as a unit of its rating system."""
    report = event.report()
    last_day = report.header.last_day or event.first_day
    entrants, names = dict[int, Entrant[Any]](), dict[int, str]()
    for entrant, player in zip(report.entrants, event.players, strict=True):
        registered = replace(entrant, born=known.people[player].born)
        facts = known.of_player(registered, player, event, last_day)
        entrants[entrant.number] = Entrant(None, facts=facts)
        names[entrant.number] = str(player)
    return unit_of_report(report, names, entrants, event.report_number, known.of_event(event))
