"""All questions about one history, for the page that answers them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arpad.model.rules import ListName
from arpad.studies.baselines import forecasts
from arpad.studies.calibration import Calibration, ListCalibration, calibration, calibration_by_list
from arpad.studies.draughts_points import CapitalList, capital_accounts, capital_lists
from arpad.studies.drift import Drift, Settling, drift, settling
from arpad.studies.history import History, HistoryGame, HistoryList, HistoryPlayer
from arpad.studies.integrity import integrity
from arpad.studies.points import PeriodPoints, accounts, lifts
from arpad.studies.pools import Pools, communities, federation_pools
from arpad.studies.replay import ReplayedPeriod, all_games, all_lists
from arpad.studies.signals import Signal

COEFFICIENTS = (10, 15, 20, 30, 40)


@dataclass(frozen=True, slots=True)
class MonitorReport:
    """A list with its history, examined. Questions that a draughts list does not answer are None."""

    on_list: ListName
    people: Mapping[int, HistoryPlayer]
    games: int
    lists: tuple[HistoryList, ...]
    ledger: tuple[PeriodPoints, ...]
    drift: Drift
    calibration: Calibration | None = None
    islands: Pools | None = None
    communities: Pools | None = None
    """The same for the pools that the games show."""

    signals: tuple[Signal, ...] | None = None
    settling: tuple[Settling, ...] = ()
    beside: tuple[ListCalibration, ...] = ()
    """The chess lists of an office side by side."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """Names of events."""


def build_report(
    history: History, run: Sequence[ReplayedPeriod], others: Mapping[str, Sequence[HistoryGame]] | None = None
) -> MonitorReport:
    """Return every answer about a chess list; ``others`` are the games of the office's other lists, to compare with."""
    games, lists = all_games(run), all_lists(history, run)
    return MonitorReport(
        history.on_list,
        history.people,
        len(games),
        tuple(lists),
        tuple(accounts(run)),
        drift(lists, history.people, lifts(run)),
        calibration(games, history.people, forecasts(games, history.people)),
        federation_pools(games, history.people),
        communities(games, history.people),
        tuple(integrity(history, games, lists)),
        tuple(settling(k) for k in COEFFICIENTS),
        calibration_by_list({str(history.on_list): games, **others}) if others else (),
        {tournament.id: tournament.name for tournament in history.tournaments},
    )


def examine_capitals(
    on_list: ListName, people: Mapping[int, HistoryPlayer], run: Sequence[CapitalList]
) -> MonitorReport:
    """Return the answers about a draughts list: sources of points, and drift."""
    lists = capital_lists(run)
    played = {
        (rated.event.id, cell.round, min(result.number, cell.opponent))
        for capital_list in run
        for rated in capital_list.chain.events
        for result in rated.players
        for cell in result.cells
        if cell.counted
    }
    return MonitorReport(
        on_list, people, len(played), tuple(lists), tuple(capital_accounts(run)), drift(lists, people)
    )
