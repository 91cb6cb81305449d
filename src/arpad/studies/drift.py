"""Drift and inflation (10.2, 10.3): the list over time, a fixed cohort, newcomers and leavers, group by group.

Only differences of ratings have a meaning (10.2), so a list alone cannot show whether everybody became weaker. It can
show whether people whose strength has no reason to change are rated as before. The cohort is therefore that of settled
adults; its mean change, against the scatter of its members, is the test for drift.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from arpad.studies.history import HistoryList, HistoryPlayer
from arpad.studies.statistics import (
    ALPHA,
    PER_POINT,
    Floats,
    Interval,
    difference_p,
    holm,
    mean_interval,
    mean_p,
)

COHORT_AGES = (20, 45)
"""Settled adults: neither learning fast nor ageing."""

LEAST_COHORT = 20
PERCENTILES = (5, 25, 50, 75, 95)
TOLERABLE = 3
"""Points a year that need no action, however certain."""


@dataclass(frozen=True, slots=True)
class ListFigures:
    """One list in figures."""

    day: date
    players: int
    average: float
    deviation: float
    percentiles: Mapping[int, float]
    entered: int
    entered_points: int
    left: int
    left_points: int


@dataclass(frozen=True, slots=True)
class Cohort:
    """The same people on the first and on the last list."""

    players: int
    years: float
    change: Interval
    """Mean change over the whole time."""

    a_year: Interval
    """The change a year that no one-off adjustment gave."""

    p: float
    drifts: bool
    """Certain, and more than is tolerable."""

    lifted: float = 0.0
    """What one-off adjustments gave its members, on average over the whole time."""


@dataclass(frozen=True, slots=True)
class GroupDrift:
    """A group's mean change over the players on both lists."""

    by: str
    """``federation``, ``age``, ``sex`` or ``title``."""

    group: str
    players: int
    first: float
    last: float
    change: Interval
    p: float
    adjusted: float
    """After Holm, over all groups: whether the group moved otherwise than everybody."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The whole answer."""

    lists: tuple[ListFigures, ...]
    cohort: Cohort | None
    """None if too few people can be followed."""

    groups: tuple[GroupDrift, ...]


def drift(
    lists: Sequence[HistoryList],
    people: Mapping[int, HistoryPlayer],
    lifted: Mapping[int, float] | None = None,
) -> Drift:
    """Return the drift over a series of lists (10.2, 10.3).

    ``lifted`` are the points that one-off adjustments gave each player in between.
    """
    figures = [_figures(listed, before) for before, listed in zip([None, *lists], lists, strict=False)]
    first, last = lists[0], lists[-1]
    return Drift(tuple(figures), cohort(first, last, people, lifted), groups(first, last, people))


def _figures(listed: HistoryList, before: HistoryList | None) -> ListFigures:
    ratings = np.fromiter(listed.ratings.values(), dtype=float, count=len(listed.ratings))
    previous = before.ratings if before else listed.ratings
    entered = listed.ratings.keys() - previous.keys()
    left = previous.keys() - listed.ratings.keys()
    values = np.percentile(ratings, PERCENTILES) if ratings.size else [0.0] * len(PERCENTILES)
    return ListFigures(
        listed.day,
        ratings.size,
        float(ratings.mean()) if ratings.size else 0.0,
        float(ratings.std()) if ratings.size else 0.0,
        dict(zip(PERCENTILES, map(float, values), strict=True)),
        len(entered),
        sum(listed.ratings[player] for player in entered),
        len(left),
        sum(previous[player] for player in left),
    )


def _changes(first: HistoryList, last: HistoryList, players: Sequence[int]) -> Floats:
    return np.array([last.ratings[player] - first.ratings[player] for player in players], dtype=float)


def cohort(
    first: HistoryList,
    last: HistoryList,
    people: Mapping[int, HistoryPlayer],
    lifted: Mapping[int, float] | None = None,
) -> Cohort | None:
    """Return the mean change of settled adults who went on playing (Student's paired t).

    A one-off adjustment is a decision, not drift: its points are reported separately.
    """
    low, high = COHORT_AGES
    members = [
        player
        for player in sorted(first.ratings.keys() & last.ratings.keys())
        if player in first.active
        and player in last.active
        and (born := _born(people, player)) is not None
        and low <= first.day.year - born
        and last.day.year - born <= high
    ]
    if len(members) < LEAST_COHORT or first.day == last.day:
        return None
    changes = _changes(first, last, members)
    adjustments = np.array([(lifted or {}).get(player, 0.0) for player in members])
    years = (last.day - first.day).days / 365.25
    net = mean_interval(changes - adjustments)
    p = mean_p(changes - adjustments)
    a_year = Interval(net.value / years, net.low / years, net.high / years)
    drifts = p < ALPHA and abs(a_year.value) > TOLERABLE
    return Cohort(len(members), years, mean_interval(changes), a_year, p, drifts, float(adjustments.mean()))


def _born(people: Mapping[int, HistoryPlayer], player: int) -> int | None:
    return people[player].born if player in people else None


def age_group(born: int | None, year: int) -> str:
    """Return the age group: under 12, 12 to 17, 18 to 44, 45 to 64, from 65."""
    if born is None:
        return ""
    age = year - born
    bounds = ((12, "0-11"), (18, "12-17"), (45, "18-44"), (65, "45-64"))
    return next((name for bound, name in bounds if age < bound), "65+")


def groups(
    first: HistoryList, last: HistoryList, people: Mapping[int, HistoryPlayer]
) -> tuple[GroupDrift, ...]:
    """Return each group's mean change against that of everybody else (Welch's t), over those on both lists."""
    both = sorted(first.ratings.keys() & last.ratings.keys() & people.keys())
    was = np.array([first.ratings[player] for player in both], dtype=float)
    changes = _changes(first, last, both)
    by: dict[str, Callable[[HistoryPlayer], str]] = {
        "federation": lambda person: person.federation,
        "age": lambda person: age_group(person.born, first.day.year),
        "sex": lambda person: person.sex,
        "title": lambda person: person.title,
    }
    drifts: list[GroupDrift] = []
    for name, of in by.items():
        members: dict[str, list[int]] = {}
        for index, player in enumerate(both):
            if value := of(people[player]):
                members.setdefault(value, []).append(index)
        drifts += [
            _group(name, value, members[value], was, changes)
            for value in sorted(members)
            if LEAST_COHORT <= len(members[value]) <= len(both) - LEAST_COHORT
        ]
    adjusted = holm([drift_of_group.p for drift_of_group in drifts])
    return tuple(
        replace(drift_of_group, adjusted=value)
        for drift_of_group, value in zip(drifts, adjusted, strict=True)
    )


def _group(by: str, group: str, members: Sequence[int], was: Floats, changes: Floats) -> GroupDrift:
    inside = np.zeros(len(was), dtype=bool)
    inside[members] = True
    inner, others = changes[inside], changes[~inside]
    first = float(was[inside].mean())
    change = mean_interval(inner)
    return GroupDrift(
        by, group, len(members), first, first + change.value, change, difference_p(inner, others), 1.0
    )


# ------------------------------------------------------------------------------------------- stability (12.3)


@dataclass(frozen=True, slots=True)
class Settling:
    """How fast one K lets a rating settle."""

    k: int
    games: int
    """Games after which an error has shrunk to 1/e of itself, for even opponents: the figures of 12.3."""

    half: int
    """Games after which half of it is gone."""

    noise: float
    """The lasting scatter of a settled rating without draws, in points."""


def settling(k: int) -> Settling:
    """Return how a rating error shrinks by Elo's update near an even game: each removes K times the slope (12.3)."""
    slope = PER_POINT / 4  # of the logistic curve at zero
    keep = 1 - k * slope
    variance = k * k * 0.25 / (1 - keep * keep)
    half = int(np.ceil(np.log(0.5) / np.log(keep)))
    return Settling(k, int(np.ceil(1 / (k * slope))), half, float(np.sqrt(variance)))
