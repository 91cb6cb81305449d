"""A list with its history: each question of the monitor is answered when somebody asks it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from arpad.studies.baselines import forecasts
from arpad.studies.calibration import Calibration, ListCalibration, calibration, calibration_by_list
from arpad.studies.draughts_points import CapitalList, capital_accounts, capital_lists, played_games
from arpad.studies.drift import Drift, Settling, drift, settling
from arpad.studies.history import History, HistoryGame, HistoryList, HistoryPlayer
from arpad.studies.integrity import integrity
from arpad.studies.points import PeriodPoints, accounts, lifts
from arpad.studies.pools import Pools, communities, federation_pools
from arpad.studies.replay import ReplayedPeriod, all_games, all_lists
from arpad.studies.signals import Signal

COEFFICIENTS = (10, 15, 20, 30, 40)


@dataclass(frozen=True)
class MonitorReport:
    """A list with its history, examined. A draughts list answers only what its capitals tell: points and drift."""

    on_list: str
    people: Mapping[int, HistoryPlayer]
    history: History | None = None
    run: Sequence[ReplayedPeriod] = ()
    capitals: Sequence[CapitalList] = ()
    """The lists of a draughts discipline."""

    given: Sequence[HistoryGame] = ()
    """The games of a file with its own ratings, if its lists are not computed again."""

    others: Mapping[str, Sequence[HistoryGame]] = field(default_factory=dict)
    """The games of the office's other lists, to compare with."""

    @cached_property
    def games(self) -> Sequence[HistoryGame]:
        """The rated games of a chess list."""
        return self.given or all_games(self.run)

    @cached_property
    def played(self) -> int:
        """How many games were rated."""
        return played_games(self.capitals) if self.capitals else len(self.games)

    @cached_property
    def lists(self) -> Sequence[HistoryList]:
        """Every list, that of the start included; none if the lists are not computed again."""
        if self.history is None:
            return capital_lists(self.capitals)
        return () if self.given else all_lists(self.history, self.run)

    @cached_property
    def ledger(self) -> Sequence[PeriodPoints]:
        """The account of each period."""
        return capital_accounts(self.capitals) if self.capitals else accounts(self.run)

    @cached_property
    def drift(self) -> Drift:
        """Whether the same number still means the same."""
        return drift(self.lists, self.people, lifts(self.run))

    @cached_property
    def settling(self) -> Sequence[Settling]:
        """How fast each K of chess lets a rating settle."""
        return () if self.capitals else [settling(k) for k in COEFFICIENTS]

    @cached_property
    def calibration(self) -> Calibration:
        """What the table expects against what players score, and how alternatives would have done."""
        return calibration(self.games, self.people, forecasts(self.games, self.people))

    @cached_property
    def beside(self) -> Sequence[ListCalibration]:
        """The chess lists of an office side by side."""
        return calibration_by_list({self.on_list: self.games, **self.others}) if self.others else ()

    @cached_property
    def islands(self) -> Pools:
        """The federations as pools."""
        return federation_pools(self.games, self.people)

    @cached_property
    def communities(self) -> Pools:
        """The pools that the games show."""
        return communities(self.games, self.people)

    @cached_property
    def signals(self) -> Sequence[Signal]:
        """What a rating officer should look at."""
        return integrity(self.history, self.games, self.lists) if self.history is not None else ()

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The names of events."""
        return {it.id: it.name for it in self.history.tournaments} if self.history is not None else {}
