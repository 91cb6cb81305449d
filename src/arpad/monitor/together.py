"""All questions asked of one history, for the page that answers them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arpad.monitor.calibration import Calibration, calibration
from arpad.monitor.drift import Drift, Settling, drift, settling
from arpad.monitor.history import History, Listed
from arpad.monitor.integrity import Signal, integrity
from arpad.monitor.islands import Islands, islands
from arpad.monitor.points import PeriodPoints, accounts
from arpad.monitor.replay import Closed, all_games, all_lists
from arpad.monitor.yardsticks import forecasts

COEFFICIENTS = (10, 15, 20, 30, 40)


@dataclass(frozen=True, slots=True)
class Examined:
    """A history, examined."""

    history: History
    games: int
    lists: tuple[Listed, ...]
    ledger: tuple[PeriodPoints, ...]
    drift: Drift
    calibration: Calibration
    islands: Islands
    signals: tuple[Signal, ...]
    settling: tuple[Settling, ...]


def examine(history: History, run: Sequence[Closed]) -> Examined:
    """Every answer."""
    games, lists = all_games(run), all_lists(history, run)
    return Examined(
        history,
        len(games),
        tuple(lists),
        tuple(accounts(run)),
        drift(lists, history.people),
        calibration(games, history.people, forecasts(games)),
        islands(games, history.people),
        tuple(integrity(history, games, lists)),
        tuple(settling(k) for k in COEFFICIENTS),
    )
