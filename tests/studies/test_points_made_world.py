"""The ledger of the made world of the benchmarks, small: teams, round robins, newcomers, byes, and every point told."""

from __future__ import annotations

import sys
from datetime import date
from runpy import run_path
from typing import Any

import pytest

from arpad.lists.period import RegisterFacts, close
from arpad.model.rules import ListName
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.studies.points import account
from arpad.studies.replay import ReplayedPeriod
from tests.paths import BENCHMARKS
from tests.thinning import one_in


@pytest.fixture(scope="module")
def month() -> Any:
    """A month of ten reports, as the benchmark of the period makes it."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return run_path(str(BENCHMARKS / "period.py"), run_name="period")["month"](0.0025)
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize(
    "edition", one_in(5, ["by-date", *(one.id for one in CHESS_EDITIONS if ListName.STANDARD in one.lists)])
)
def test_the_ledger_of_the_made_world_balances(month: Any, edition: str) -> None:
    standings, events, born = month
    chosen = (
        in_force(CHESS_EDITIONS, ListName.STANDARD, date(2025, 7, 1))
        if edition == "by-date"
        else next(one for one in CHESS_EDITIONS if one.id == edition)
    )
    ratings = {player: standing.rating for player, standing in standings.items()}
    period = close(
        ListName.STANDARD, date(2025, 7, 1), date(2025, 6, 1), standings, events,
        lambda player, _: ratings.get(player), chosen, register=RegisterFacts(born=born),
    )  # fmt: skip
    found = account(ReplayedPeriod(standings, period, {event.id: event for event in events}))
    assert found.unexplained == 0
    assert len(events) == 10
    assert found.counts["rounding"] > 100
    assert found.counts["newcomers"] > 0 or edition != "by-date"
    assert found.change == sum(r.rating or 0 for r in period.standings.values()) - sum(
        rating or 0 for rating in ratings.values()
    )
