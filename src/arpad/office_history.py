"""The office's own history, as the monitor looks at it: every published list made again from what it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.errors import BadInput
from arpad.model import ListName
from arpad.monitor.capitals import CapitalList
from arpad.monitor.history import History, Person, tournament_of
from arpad.monitor.replay import Closed
from arpad.office import Office
from arpad.office.draughts import year_of
from arpad.office.inputs import Inputs
from arpad.office.publishing import inputs_of
from arpad.period import Event, InForce, Known, close
from arpad.published import DRAUGHTS
from arpad.regulations import CHESS, chess_edition, in_force
from arpad.store import lists
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.values import to_standing

if TYPE_CHECKING:
    from arpad.monitor.together import Examined


def history_of(office: Office, on_list: ListName) -> tuple[History, list[Closed]]:
    """The history of one chess list and its periods, each in its newest revision.

    What an officer did between two lists (a corrected start, two players made one) is an act with a reason, not a
    change of the list: the ledger of points books it as such.
    """
    if on_list in DRAUGHTS:
        raise BadInput("no-draughts-history", list=str(on_list))
    run: list[Closed] = []
    people: dict[int, Person] = {}
    opened: date | None = None
    for inputs in _all_inputs(office, on_list):
        opened = opened or inputs.opened
        people |= {number: _person(inputs, number) for number in inputs.people}
        run.append(_closed(inputs))
    if opened is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    tournaments = tuple(tournament_of(event) for closed in run for event in closed.events.values())
    return History(opened, run[0].before, people, tournaments, on_list, run[-1].period.day), run


def capital_history(office: Office, on_list: ListName) -> tuple[Mapping[int, Person], list[CapitalList]]:
    """The people and the lists of a draughts discipline, each in its newest revision."""
    run: list[CapitalList] = []
    people: dict[int, Person] = {}
    for inputs in _all_inputs(office, on_list):
        people |= {number: _person(inputs, number) for number in inputs.people}
        year = year_of(inputs)
        base = {player: one for player, one in year.start.items() if player in inputs.states}
        begun = {player: one for player, one in year.start.items() if player not in inputs.states}
        run.append(
            CapitalList(
                inputs.day, inputs.edition, inputs.opened, base, begun, year.chain, year.end, year.after
            )
        )
    if not run:
        raise BadInput("no-lists-yet", list=str(on_list))
    return people, run


def examined(office: Office, on_list: ListName) -> Examined:
    """Every question that can be asked of a list of the office, answered."""
    from arpad.monitor.together import examine, examine_capitals

    if on_list in DRAUGHTS:
        return examine_capitals(on_list, *capital_history(office, on_list))
    return examine(*history_of(office, on_list))


def _all_inputs(office: Office, on_list: ListName) -> Iterator[Inputs]:
    """What each list was made from, in the order of days, each in its newest revision."""
    with office.store.reading() as connection:
        newest: dict[date, Publication] = {}
        for publication in lists.all_publications(connection, on_list):
            if publication.kind == PUBLISHED:
                newest[publication.day] = max(
                    publication, newest.get(publication.day, publication), key=lambda one: one.revision
                )
        for day in sorted(newest):
            yield inputs_of(connection, newest[day])


def _person(inputs: Inputs, number: int) -> Person:
    known = inputs.people[number]
    born = known.born.year if isinstance(known.born, date) else known.born
    sex = {"M": "m", "F": "w"}.get(known.sex, "")
    return Person(number, known.name, known.federation, born, sex, known.title or known.women_title)


def _closed(inputs: Inputs) -> Closed:
    """The period behind a list, with its derivations."""
    standings = {player: to_standing(player, state) for player, state in inputs.states.items()}
    events = []
    for one in inputs.events:
        report = one.report()
        edition = in_force(CHESS, inputs.on_list, report.header.first_day or date.min)
        events.append(Event(one.id, report, one.players, edition, one.facts))
    known = Known(
        born={player: person.born for player, person in inputs.people.items()},
        affiliated=frozenset(player for player, person in inputs.people.items() if person.affiliation),
        k=inputs.k,
        standard=inputs.standard,
        standard_then=_looked_up(inputs.standard_in_force, inputs.lists),
    )
    period = close(
        inputs.on_list,
        inputs.day,
        inputs.opened,
        standings,
        events,
        _looked_up(inputs.in_force, inputs.lists),
        chess_edition(inputs.edition),
        known=known,
    )
    return replace(Closed(standings, period, {event.id: event for event in events}), kept_by_office=True)


def _looked_up(days: Mapping[date, str], made: Mapping[str, Mapping[int, int]]) -> InForce:
    def rating(player: int, day: date) -> int | None:
        digest = days.get(day)
        return made[digest].get(player) if digest is not None else None

    return rating
