"""The office's own history, as the monitor looks at it: every published list closed again from what it was made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from arpad.errors import BadInput
from arpad.model import ListName
from arpad.monitor.history import History, Person, tournament_of
from arpad.monitor.replay import Closed
from arpad.office import Office
from arpad.office.inputs import Inputs
from arpad.office.publishing import inputs_of
from arpad.period import Event, InForce, Known, close
from arpad.published import DRAUGHTS
from arpad.regulations import CHESS, chess_edition, in_force
from arpad.store import lists
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.values import to_standing


def history_of(office: Office, on_list: ListName) -> tuple[History, list[Closed]]:
    """The history of one chess list and its periods, each in its newest revision.

    What an officer did between two lists (a corrected start, two players made one) is an act with a reason, not a
    change of the list: the ledger of points books it as such.
    """
    if on_list in DRAUGHTS:
        raise BadInput("no-draughts-history", list=str(on_list))
    run: list[Closed] = []
    people: dict[int, Person] = {}
    with office.store.reading() as connection:
        newest: dict[date, Publication] = {}
        for publication in lists.all_publications(connection, on_list):
            if publication.kind == PUBLISHED:
                newest[publication.day] = max(
                    publication, newest.get(publication.day, publication), key=lambda one: one.revision
                )
        opened: date | None = None
        for day in sorted(newest):
            inputs = inputs_of(connection, newest[day])
            opened = opened or inputs.opened
            people |= {number: _person(inputs, number) for number in inputs.people}
            run.append(_closed(inputs))
    if opened is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    tournaments = tuple(tournament_of(event) for closed in run for event in closed.events.values())
    return History(opened, run[0].before, people, tournaments, on_list, run[-1].period.day), run


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
