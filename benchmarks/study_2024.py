"""FIDE's measures of March 2024 on made worlds, alone and together; docs/explanation/monitoring.md has the results.

    python benchmarks/study_2024.py SEEDS

Every world is played for four years under the rules as they were, then for four years in each of the ways below. The
ways differ in the three measures and in nothing else, and all begin with the same people and the same first ratings.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import date
from math import sqrt
from statistics import fmean, stdev

from arpad.model.rules import Edition, ListName, Rule
from arpad.regulations.editions import CHESS_EDITIONS, EditionByDay, chess_edition, dated, in_turn
from arpad.regulations.fide.entry_rating import as_one_tournament
from arpad.regulations.fide.rules import ChessRules
from arpad.studies.replay import all_games
from arpad.studies.simulate.population import Plan
from arpad.studies.simulate.run import Distance, play

BEGINS, MEASURES = date(2020, 3, 1), date(2024, 3, 1)
WAYS = ("nothing", "lift", "floor", "entry", "all")
PLAN = Plan(players=400, years=8, begins=BEGINS)


def edition_of(way: str) -> Edition[ChessRules]:
    """The edition of 2024 with only some of its three measures."""
    new, old = chess_edition("fide-2024"), chess_edition("fide-2023-12")
    rules, before = new.on(ListName.STANDARD), old.on(ListName.STANDARD)
    if way not in ("lift", "all"):
        rules = replace(rules, one_off_adjustment=None)
    if way not in ("floor", "all"):
        rules = replace(rules, floor=before.floor)
    if way not in ("entry", "all"):
        rules = replace(
            rules,
            entry_formula=Rule(as_one_tournament, before.entry_formula.article),
            entry_bonus=before.entry_bonus,
            entry_hypothetical=None,
            entry_cap=None,
        )
    return replace(new, id=f"fide-2024-{way}", lists={**new.lists, ListName.STANDARD: rules})


def editions_of(way: str) -> EditionByDay:
    """The rules as they were until the measures, then one way for good."""
    past = [one for one in dated(CHESS_EDITIONS, ListName.STANDARD) if one.effective < MEASURES]
    return in_turn(ListName.STANDARD, [*past, edition_of(way)])


@dataclass(frozen=True, slots=True)
class Outcome:
    """One world in one way."""

    seed: int
    way: str
    before: Distance
    at_once: Distance
    after: Distance
    drift: float
    """Points a year by which ratings moved away from the strengths, over the four years after."""

    brier: float
    """Of the expectations, over the games of the last two years."""

    entered: int
    entry_bias: float
    """Mean of entry rating minus the strength at the end of those who entered in the last year."""


def outcome(seed: int, way: str) -> Outcome:
    """Play one world in one way."""
    played = play(replace(PLAN, seed=seed), editions_of(way))
    days = {one.day: one for one in played.distances}
    at_once, after = days[MEASURES], played.distances[-1]
    late = [game for game in all_games(played.periods) if game.day >= date(2026, 3, 1)]
    brier = fmean((game.score / 2 - game.white_expected / 100) ** 2 for game in late)
    entries = [
        happened.entry.rating - played.strengths[player]
        for closed in played.periods
        if closed.period.day > date(2027, 3, 1)
        for player, happened in closed.period.players.items()
        if happened.entry is not None and happened.entry.rating is not None
    ]
    return Outcome(
        seed,
        way,
        days[date(2024, 2, 1)],
        at_once,
        after,
        (after.bias - at_once.bias) / 4,
        brier,
        len(entries),
        fmean(entries) if entries else 0.0,
    )


def summary(found: list[Outcome]) -> dict[str, Mapping[str, tuple[float, float]]]:
    """Each way's figures: the mean over the seeds and its standard error."""
    figures: dict[str, Callable[[Outcome], float]] = {
        "bias before": lambda one: one.before.bias,
        "bias at once": lambda one: one.at_once.bias,
        "bias after": lambda one: one.after.bias,
        "drift a year": lambda one: one.drift,
        "scatter before": lambda one: one.before.spread,
        "scatter at once": lambda one: one.at_once.spread,
        "scatter after": lambda one: one.after.spread,
        "slope before": lambda one: one.before.slope,
        "slope at once": lambda one: one.at_once.slope,
        "slope after": lambda one: one.after.slope,
        "rated after": lambda one: float(one.after.players),
        "unrated after": lambda one: float(one.after.unrated),
        "brier": lambda one: one.brier,
        "entered": lambda one: float(one.entered),
        "entry bias": lambda one: one.entry_bias,
        **{f"bias after from {low}": _band(index) for index, low in enumerate((0, 1400, 1700, 2000))},
    }
    made: dict[str, Mapping[str, tuple[float, float]]] = {}
    for way in WAYS:
        mine = [one for one in found if one.way == way]
        made[way] = {
            name: (fmean(map(of, mine)), stdev(map(of, mine)) / sqrt(len(mine)) if len(mine) > 1 else 0.0)
            for name, of in figures.items()
        }
    return made


def _band(index: int) -> Callable[[Outcome], float]:
    return lambda one: one.after.bands[index][2]


def main() -> None:
    """All seeds in all ways, on two processes; one JSON document."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    work = [(seed, way) for seed in range(1, seeds + 1) for way in WAYS]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(outcome, *zip(*work, strict=True)))
    told = {"summary": summary(found), "outcomes": [asdict(one) for one in found]}
    sys.stdout.write(json.dumps(told, default=str, indent=1) + "\n")


if __name__ == "__main__":
    main()
