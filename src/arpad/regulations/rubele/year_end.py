"""The end of the year: points taken from players without an event (table 18b), foreigners cancelled (table 22)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from arpad.model.draughts import DraughtsState
from arpad.model.errors import BadInput
from arpad.model.rules import Step
from arpad.regulations.rubele.rules import DraughtsRules


@dataclass(frozen=True, slots=True)
class Deduction:
    """The deduction from one player at the end of a year."""

    before: DraughtsState
    after: DraughtsState
    step: Step

    @property
    def taken(self) -> int:
        """Return the points actually taken."""
        return self.after.malus - self.before.malus


@dataclass(frozen=True, slots=True)
class YearEnd:
    """A list at the end of a year."""

    year: int
    standings: tuple[DraughtsState, ...]
    deductions: tuple[Deduction, ...]
    """Players without an event, also if the limit of the malus was reached before."""

    cancelled: tuple[Deduction, ...]
    """Foreign players whose capital was cancelled."""

    @property
    def register(self) -> tuple[DraughtsState, ...]:
        """Return the players with points taken so far: the commission's list (table 18b)."""
        return tuple(standing for standing in self.standings if standing.malus)


def year_end(standings: Sequence[DraughtsState], year: int, rules: DraughtsRules) -> YearEnd:
    """Close a year: players without an event lose the malus or, foreigners, their capital (tables 18b, 22)."""
    closed: list[DraughtsState] = []
    deductions: list[Deduction] = []
    cancelled: list[Deduction] = []
    for standing in standings:
        _refuse_later(standing, year)
        if _played(standing, year):
            closed.append(replace(standing, idle_years=0))
            continue
        idle = _idle_years(standing, year)
        if standing.capital is None:
            closed.append(replace(standing, idle_years=idle))
            continue
        entry = _without_events(standing, standing.capital, idle, rules)
        closed.append(entry.after)
        (deductions if entry.after.capital is not None else cancelled).append(entry)
    return YearEnd(year, tuple(closed), tuple(deductions), tuple(cancelled))


def malus_after_playing(standing: DraughtsState, rules: DraughtsRules) -> int:
    """Return the running total of a player who plays again: kept for a lifetime, or reset."""
    return 0 if rules.malus_limit_per_absence.value else standing.malus


def _played(standing: DraughtsState, year: int) -> bool:
    return standing.last_event is not None and standing.last_event.year == year


def _refuse_later(standing: DraughtsState, year: int) -> None:
    if not standing.history_known:
        raise BadInput("year-end-without-history", player=standing.name)
    if standing.last_event is not None and standing.last_event > date(year, 12, 31):
        raise BadInput("year-end-too-late", year=year, player=standing.name, day=standing.last_event)


def _idle_years(standing: DraughtsState, year: int) -> int:
    """Return the years in a row without an event, this one included; by the last event if it is known."""
    if standing.last_event is None:
        return standing.idle_years + 1
    idle = year - standing.last_event.year
    if idle <= standing.idle_years:
        raise BadInput("year-closed-already", year=year, player=standing.name)
    return idle


def _without_events(standing: DraughtsState, capital: int, idle: int, rules: DraughtsRules) -> Deduction:
    years = rules.foreign_idle_years
    if standing.foreign and idle >= years.value:
        after = replace(standing, capital=None, idle_years=idle)
        return Deduction(standing, after, Step(years.article, "capital-cancelled", None, {"years": idle}))
    left = rules.malus_limit.value - standing.malus
    deduction = max(0, min(rules.malus.value, left, capital - rules.minimum_capital.value))
    after = replace(standing, capital=capital - deduction, malus=standing.malus + deduction, idle_years=idle)
    facts = {
        "before": capital,
        "after": after.capital,
        "total": after.malus,
        "limit": rules.malus_limit.value,
    }
    return Deduction(standing, after, Step(rules.malus.article, "malus", deduction, facts))
