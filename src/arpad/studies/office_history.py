"""An office's own history for the monitor: every published list computed again from its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from arpad.lists.compute_chess import compute_period, period_event, register_facts
from arpad.lists.compute_draughts import compute_year
from arpad.lists.inputs import Inputs
from arpad.lists.period import Event
from arpad.model import names
from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput
from arpad.model.json_values import to_state
from arpad.model.people import birth_year
from arpad.model.rules import CHESS_LISTS, ListName
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists import rows as lists
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import Office
from arpad.office.reports import rows as reports
from arpad.regulations.systems import system_of
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.studies.draughts_points import CapitalList
from arpad.studies.history import Closing, History, HistoryGame, HistoryPlayer, Tournament, tournament_of
from arpad.studies.replay import ReplayedPeriod, all_games

if TYPE_CHECKING:
    from arpad.studies.report import MonitorReport


def history_of(office: Office, on_list: ListName) -> tuple[History, list[ReplayedPeriod]]:
    """Return the history of one chess list and its periods, each in its newest revision.

    What an officer did between two lists (a corrected start, two players made one) is an act with a reason, not a
    change of the list: the ledger of points books it as such.
    """
    if system_of(on_list).rates_again:
        raise BadInput("no-draughts-history", list=str(on_list))
    run: list[ReplayedPeriod] = []
    closings: list[Closing] = []
    people: dict[int, HistoryPlayer] = {}
    opened: date | None = None
    for inputs in _all_inputs(office, on_list):
        opened = opened or inputs.opened
        people |= {number: _person(inputs, number) for number in inputs.people}
        closed = _closed(inputs)
        acts = _acts(run[-1].period.standings, closed.before) if run else {}
        closings.append(Closing(inputs.day, tuple(closed.events.values()), register_facts(inputs), acts))
        run.append(closed)
    if opened is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    tournaments = tuple(tournament_of(event) for closed in run for event in closed.events.values())
    return History(
        opened, run[0].before, people, tournaments, on_list, run[-1].period.day, tuple(closings),
        _former_versions(office, (event for closed in run for event in closed.events.values())),
    ), run  # fmt: skip


def _acts(
    after: Mapping[int, PlayerState], before: Mapping[int, PlayerState]
) -> dict[int, PlayerState | None]:
    """Return the players whose state differs between the end of a period and the next start: acts of officers."""
    return {
        player: before.get(player)
        for player in sorted(after.keys() | before.keys())
        if after.get(player, PlayerState(player)) != before.get(player, PlayerState(player))
    }


def _former_versions(office: Office, events: Iterable[Event]) -> tuple[Tournament, ...]:
    """Return reports that were replaced by the rated ones, each under the number of its successor."""
    tournaments: list[Tournament] = []
    rated = {int(event.id.partition("/")[0]): event for event in events}
    with office.store.reading() as connection:
        filed = reports.filed(connection)
        for number, event in sorted(rated.items()):
            former = filed[number].replaces if number in filed else None
            while former is not None:
                former_report = filed[former]
                report = read_filed(reports.data(connection, former), former_report.file)
                tournaments.append(
                    tournament_of(Event(str(number), report, _same_players(report, event), event.edition))
                )
                former = former_report.replaces
    return tuple(tournaments)


def _same_players(former: Report, event: Event) -> tuple[int, ...]:
    """Return the register's numbers of a former report, as its successor matches them.

    A report that was returned has none. A player who is not in the successor gets a number below zero.
    """
    numbers = {
        key: player
        for entrant, player in zip(event.report.entrants, event.players, strict=True)
        for key in (names.key(entrant.name), f"#{entrant.id.strip()}")
        if key != "#"
    }
    return tuple(
        numbers.get(f"#{entrant.id.strip()}") or numbers.get(names.key(entrant.name)) or -1 - index
        for index, entrant in enumerate(former.entrants)
    )


def capital_history(
    office: Office, on_list: ListName
) -> tuple[Mapping[int, HistoryPlayer], list[CapitalList]]:
    """Return the people and the lists of a draughts discipline, each in its newest revision."""
    run: list[CapitalList] = []
    people: dict[int, HistoryPlayer] = {}
    for inputs in _all_inputs(office, on_list):
        people |= {number: _person(inputs, number) for number in inputs.people}
        listed = frozenset(inputs.states)
        run.append(CapitalList(inputs.day, inputs.edition, inputs.opened, listed, compute_year(inputs)))
    if not run:
        raise BadInput("no-lists-yet", list=str(on_list))
    return people, run


def examined(office: Office, on_list: ListName) -> MonitorReport:
    """Return the answers to all questions about a list of the office."""
    from arpad.studies.report import MonitorReport

    if system_of(on_list).rates_again:
        people, capitals = capital_history(office, on_list)
        return MonitorReport(on_list, people, capitals=capitals)
    history, run = history_of(office, on_list)
    others = {str(name): games for name, games in games_of(office, without=on_list).items()}
    return MonitorReport(on_list, history.people, history, run, others=others)


def games_of(office: Office, *, without: ListName | None = None) -> dict[ListName, list[HistoryGame]]:
    """Return the rated games of every chess list of the office, except one if it is named."""
    games_by_list: dict[ListName, list[HistoryGame]] = {}
    for name in CHESS_LISTS:
        if name != without and (run := [_closed(inputs) for inputs in _all_inputs(office, name)]):
            games_by_list[name] = all_games(run)
    return games_by_list


def _all_inputs(office: Office, on_list: ListName) -> Iterator[Inputs]:
    """Return the inputs of each list, in the order of days, each in its newest revision."""
    with office.store.reading() as connection:
        newest: dict[date, Publication] = {}
        for publication in lists.all_publications(connection, on_list):
            if publication.kind == PUBLISHED:
                newest[publication.day] = max(
                    publication,
                    newest.get(publication.day, publication),
                    key=lambda candidate: candidate.revision,
                )
        for day in sorted(newest):
            yield inputs_of(connection, newest[day])


def _person(inputs: Inputs, number: int) -> HistoryPlayer:
    person = inputs.people[number]
    born = birth_year(person.born)
    sex = {"M": "m", "F": "w"}.get(person.sex, "")
    return HistoryPlayer(
        number, person.name, person.federation, born, sex, person.title or person.women_title
    )


def _closed(inputs: Inputs) -> ReplayedPeriod:
    """Return the period behind a list, with its derivations."""
    standings = {player: to_state(player, state) for player, state in inputs.states.items()}
    events = [period_event(event, inputs) for event in inputs.events]
    period = compute_period(inputs, standings, events)
    return ReplayedPeriod(standings, period, {event.id: event for event in events}, kept_by_office=True)
