"""The ledger of points (10.2, 10.3): a period's change of the pool, point by point, by the rule that made it.

Everything is exact. A game between two rated players moves points from one to the other; what the two sides do not
cancel has one of the causes below. Causes are computed from the games, the change of the pool from the two lists. Their
difference is ``unexplained``: it is 0 unless something other than a rule changed the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from arpad.lists.period import ClosedPeriod, PlayerPeriod
from arpad.model.rules import Step
from arpad.studies.replay import ReplayedPeriod, Side, SideKey, ratings_of, sides

CAUSES = (
    "acts-of-the-office",
    "unequal-k",
    "large-gaps",
    "table",
    "limit-of-k",
    "newcomers-in-round-robins",
    "rated-meanwhile",
    "delisted-meanwhile",
    "rounding",
    "newcomers",
    "from-standard",
    "lift",
    "fell-below-floor",
    "floor-raised",
)
"""In the order in which a period makes them.

- acts-of-the-office: a corrected start, two players made one, between the list before and this period
- unequal-k: what one player wins is not what the other loses, since their K differ
- large-gaps: one side's gap counts as 400 and the other's does not (2022, 2025)
- table: the two expectations of a game do not add up to one for another reason (no published table does that)
- limit-of-k: K reduced because of many games (700)
- newcomers-in-round-robins, rated-meanwhile, delisted-meanwhile: games that count for one side only
- rounding: of each player's new rating
- newcomers, from-standard: ratings that come into the pool
- lift: one-off adjustments
- fell-below-floor: ratings that leave the pool after games; floor-raised: those that leave without
"""


@dataclass(frozen=True)
class PeriodPoints:
    """One period's account."""

    day: date
    edition: str
    players_before: int
    players_after: int
    before: int
    """The sum of all ratings on the list before."""

    after: int
    outside: int
    """What was done to the list between its publication and the period that began from it."""

    causes: Mapping[str, Fraction]
    counts: Mapping[str, int]
    """How many games, or how many players, each cause concerns."""

    @cached_property
    def change(self) -> int:
        """Return what the pool gained."""
        return self.after - self.before

    @cached_property
    def unexplained(self) -> Fraction:
        """Return what no rule accounts for."""
        return self.change - sum(self.causes.values(), Fraction(0))


class CauseTotals:
    """Points by cause, while they are booked."""

    def __init__(self, causes: Iterable[str] = CAUSES) -> None:
        self.points: dict[str, Fraction] = dict.fromkeys(causes, Fraction(0))
        self.counts: dict[str, int] = dict.fromkeys(self.points, 0)

    def add(self, cause: str, points: Fraction | int) -> None:
        """Book one case; 0 points are no case."""
        if points:
            self.points[cause] += points
            self.counts[cause] += 1

    def add_all(self, cause: str, cases: Iterable[int], unit: Fraction) -> None:
        """Book many cases, each in whole ``units``: integers are added, and one fraction is made of the sum."""
        booked = [case for case in cases if case]
        if unit:
            self.points[cause] += unit * sum(booked)
            self.counts[cause] += len(booked)

    def booked(self) -> list[tuple[str, Fraction, int]]:
        """Return the causes that have something, each with its points and its cases."""
        return [
            (cause, points, self.counts[cause])
            for cause, points in self.points.items()
            if points or self.counts[cause]
        ]

    def account(
        self, day: date, edition: str, before: Mapping[int, int], after: Mapping[int, int], outside: int
    ) -> PeriodPoints:
        """Return the account of a period between two lists with these ratings."""
        return PeriodPoints(
            day, edition, len(before), len(after), sum(before.values()), sum(after.values()), outside,
            MappingProxyType(self.points), MappingProxyType(self.counts),
        )  # fmt: skip

    def since(self, other: CauseTotals) -> CauseTotals:
        """Return what this account has beyond another one."""
        beyond = CauseTotals(self.points)
        for cause in self.points:
            beyond.points[cause] = self.points[cause] - other.points[cause]
            beyond.counts[cause] = self.counts[cause] - other.counts[cause]
        return beyond


def account(closed: ReplayedPeriod, published: Mapping[int, int] | None = None) -> PeriodPoints:
    """Return the account of one period (10.2).

    ``published`` is the list before, if it was kept apart from the period's start.
    """
    start, end = ratings_of(closed.before), ratings_of(closed.period.standings)
    before = start if published is None else published
    totals = CauseTotals()
    outside = sum(start.values()) - sum(before.values())
    if closed.kept_by_office:
        totals.add("acts-of-the-office", outside)
    _games(closed.period, totals)
    for happened in closed.period.players.values():
        _player(happened, totals)
    return totals.account(closed.period.day, closed.period.edition, before, end, outside)


def accounts(run: Iterable[ReplayedPeriod]) -> list[PeriodPoints]:
    """Return every period's account; each begins from the list that the one before published."""
    accounts_of_periods: list[PeriodPoints] = []
    published: Mapping[int, int] | None = None
    for closed in run:
        accounts_of_periods.append(account(closed, published))
        published = ratings_of(closed.period.standings)
    return accounts_of_periods


LIFTED = frozenset({"lifted", "lifted-to-standard"})
"""The quantities of the steps of one-off adjustments."""


def total(ledger: Sequence[PeriodPoints]) -> CauseTotals:
    """Return all periods in one account."""
    totals = CauseTotals(ledger[0].causes if ledger else ())
    for period in ledger:
        for cause in totals.points:
            totals.points[cause] += period.causes[cause]
            totals.counts[cause] += period.counts[cause]
    return totals


def lifts(run: Iterable[ReplayedPeriod]) -> dict[int, float]:
    """Return what one-off adjustments gave each player, over all periods."""
    points_by_player: dict[int, float] = {}
    for closed in run:
        for player, happened in closed.period.players.items():
            for item in happened.steps:
                if item.quantity in LIFTED:
                    points_by_player[player] = points_by_player.get(player, 0.0) + float(
                        value_of(item) - fact_of(item, "rating")
                    )
    return points_by_player


# ---------------------------------------------------------------------------------------------------- games


def _games(period: ClosedPeriod, totals: CauseTotals) -> None:
    """Book every game in halves of a hundredth, so that only integers are added."""
    sides_by_cell = sides(period)
    cases: dict[str, list[int]] = {}
    for cell, side in sides_by_cell.items():
        event, number, index = cell
        d = side.change.change
        if side.k_applied != side.k:
            cases.setdefault("limit-of-k", []).append(2 * (side.k_applied - side.k) * d)
        other = sides_by_cell.get((event, number, side.opponent_index))
        if other is None:
            cases.setdefault(_one_sided(period, cell, side), []).append(2 * side.k * d)
        elif index < side.opponent_index:
            # k·d + k′·d′ = (k − k′)·(d − d′)/2 + (k + k′)·(d + d′)/2: the first for K, the second for the expectations
            e = other.change.change
            if side.k != other.k:
                cases.setdefault("unequal-k", []).append((side.k - other.k) * (d - e))
            if d + e:
                cause = "large-gaps" if side.change.difference != -other.change.difference else "table"
                cases.setdefault(cause, []).append((side.k + other.k) * (d + e))
    for cause, worth in cases.items():
        totals.add_all(cause, worth, Fraction(1, 200))


def _one_sided(period: ClosedPeriod, cell: SideKey, side: Side) -> str:
    """Return why the opponent has no change from this game."""
    event, number, _ = cell
    opponent = period.tallies[event].players[side.opponent_index]
    answer = next(played for played in opponent.rounds if played.cell.round == number)
    if answer.reason == "rated-meanwhile":
        return "rated-meanwhile"
    # who began it unrated brings a tranche home; who was rated then and is not any more has none here
    return "delisted-meanwhile" if opponent.tranche is None else "newcomers-in-round-robins"


# -------------------------------------------------------------------------------------------------- players


def _player(happened: PlayerPeriod, totals: CauseTotals) -> None:
    """Book what happens to a player apart from games: entry, rounding, adjustment, leaving."""
    steps = {step.quantity: step for step in happened.steps}
    if happened.before.rating is None and happened.contributions and (new := steps.get("new-rating")):
        totals.add("from-standard", fact_of(new, "rating"))
    if happened.entry is not None and happened.entry.rating is not None:
        totals.add("newcomers", happened.entry.rating)
    if new := steps.get("new-rating"):
        totals.add("rounding", fact_of(new, "rounded") - fact_of(new, "change"))
    for lifted in (step for quantity, step in steps.items() if quantity in LIFTED):
        totals.add("lift", value_of(lifted) - fact_of(lifted, "rating"))
    if delisted := steps.get("delisted"):
        totals.add("fell-below-floor" if happened.contributions else "floor-raised", -value_of(delisted))


def value_of(step: Step) -> Fraction:
    """Return the number of a step."""
    return Fraction(step.value) if isinstance(step.value, int | Fraction) else Fraction(0)


def fact_of(step: Step, name: str) -> Fraction:
    """Return a number that a step came from."""
    value = step.facts[name]
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)
