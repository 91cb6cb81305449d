"""Planted truths are found and a clean world raises no alarm, with fixed seeds.

docs/explanation/monitoring.md states the power and the false-alarm rates that many seeds gave; a few are tested here.
"""

from collections import Counter
from collections.abc import Callable

import pytest
from scipy import special

from arpad.studies.calibration import calibration
from arpad.studies.drift import Cohort, cohort
from arpad.studies.history import HistoryPlayer
from arpad.studies.integrity import integrity
from arpad.studies.points import accounts
from arpad.studies.pools import communities, communities_of, federation_pools
from arpad.studies.replay import all_games, all_lists
from arpad.studies.simulate import SimulatedWorld
from tests.builders.planted_worlds import fabricated_tournament, traded_wins, with_event, world


def followed(played: SimulatedWorld) -> Cohort:
    lists = all_lists(played.history, played.periods)
    found = cohort(lists[0], lists[-1], played.history.people)
    assert found is not None
    return found


@pytest.mark.deep
def test_an_inflation_of_twenty_points_is_found() -> None:
    played = world(1, players=200, years=2, stable=True, gift=20)
    found = followed(played)
    assert found.drifts
    assert found.change.low < 20 < found.change.high
    # The ledger knows that no rule gave them.
    assert sum(one.unexplained for one in accounts(played.periods)) > 0


@pytest.mark.deep
def test_a_world_without_a_reason_for_drift_has_none() -> None:
    played = world(1, players=200, years=2, stable=True)
    assert not followed(played).drifts
    assert [one.unexplained for one in accounts(played.periods)] == [0] * 24


@pytest.mark.deep
def test_an_island_eighty_points_too_high_is_found() -> None:
    played = world(
        1, players=900, crossing=6, too_high=(("BBB", 80),), federations=("AAA", "BBB", "CCC", "DDD")
    )
    pools = {
        pool.federation: pool
        for pool in federation_pools(all_games(played.periods), played.history.people).pools
    }
    assert [name for name, pool in pools.items() if pool.shifted] == ["BBB"]
    assert pools["BBB"].isolated
    shift = pools["BBB"].shift
    assert shift is not None
    assert shift.low < 80 < shift.high


@pytest.mark.deep
def test_pools_of_one_federation_are_found_in_the_games() -> None:
    played = world(
        1, players=900, crossing=6, too_high=(("BBB", 80),), federations=("AAA", "BBB", "CCC", "DDD")
    )
    games = all_games(played.periods)
    clubs = {number: person.federation for number, person in played.history.people.items()}
    found = communities_of(games)
    assert len(found) == 4
    for members in found:  # nobody told it who belongs where
        of = Counter(clubs[player] for player in members)
        assert of.most_common(1)[0][1] >= 0.95 * len(members)
    one_federation = {number: HistoryPlayer(number, federation="AAA") for number in clubs}
    assert federation_pools(games, one_federation).pools[0].isolated is False
    (shifted,) = [pool for pool in communities(games, one_federation).pools if pool.shifted]
    high = next(members for members in found if f"{found.index(members) + 1} " in shifted.federation)
    assert Counter(clubs[player] for player in high).most_common(1)[0][0] == "BBB"
    assert shifted.shift is not None
    assert shifted.shift.low < 80 < shifted.shift.high


@pytest.mark.deep
def test_a_world_that_meets_is_one_pool() -> None:
    assert len(communities_of(all_games(world(1).periods))) == 1


@pytest.mark.deep
def test_a_table_that_does_not_fit_is_found() -> None:
    played = world(1, by_rating=True, stable=True, white=0, slope=0.8)
    wrong = [one for one in calibration(all_games(played.periods), {}).bins if one.misjudged]
    assert "difference" in {one.cut for one in wrong}
    assert all(one.achieved.value < one.expected for one in wrong if one.cut == "difference")


@pytest.mark.deep
def test_a_table_that_fits_raises_no_alarm() -> None:
    played = world(1, by_rating=True, stable=True, white=0)
    found = calibration(all_games(played.periods), played.history.people)
    assert len(found.bins) > 15
    assert [one for one in found.bins if one.misjudged] == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep)])
def test_a_fabricated_tournament_is_found(seed: int) -> None:
    played = world(seed)
    event = fabricated_tournament(played, seed)
    history, run = with_event(played, event)
    found = integrity(history, all_games(run), all_lists(history, run))
    assert {signal.event for signal in found} == {"fabricated"}
    assert "wide-standings" in {signal.screen for signal in found}
    assert [one.unexplained for one in accounts(run)] == [0] * len(run)


@pytest.mark.deep
def test_a_pair_that_trades_wins_is_found() -> None:
    played = world(1)
    matches = traded_wins(played, 1)
    history, run = with_event(played, *matches)
    found = integrity(history, all_games(run), all_lists(history, run))
    assert {signal.screen for signal in found} == {"traded-wins", "repeated-matches"}
    assert {signal.players for signal in found} == {matches[0].players}


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (2, 3))])
def test_an_honest_season_raises_no_signal(seed: int) -> None:
    played = world(seed)
    games = all_games(played.periods)
    assert integrity(played.history, games, all_lists(played.history, played.periods)) == []


# ------------------------------------------------------------------------------------------- how often, over seeds


def inflation(seed: int) -> bool:
    return followed(world(seed, players=400, years=2, stable=True, gift=20)).drifts


def island(seed: int) -> bool:
    played = world(
        seed, players=900, crossing=6, too_high=(("BBB", 80),), federations=("AAA", "BBB", "CCC", "DDD")
    )
    found = federation_pools(all_games(played.periods), played.history.people).pools
    return "BBB" in [pool.federation for pool in found if pool.shifted]


def misfit(seed: int) -> bool:
    played = world(seed, by_rating=True, stable=True, white=0, slope=0.8)
    bins = calibration(all_games(played.periods), {}).bins
    return any(one.misjudged and one.cut == "difference" for one in bins)


def fabricated(seed: int) -> bool:
    played = world(seed)
    history, run = with_event(played, fabricated_tournament(played, seed))
    found = integrity(history, all_games(run), all_lists(history, run))
    return ("wide-standings", "fabricated") in {(signal.screen, signal.event) for signal in found}


def traded(seed: int) -> bool:
    played = world(seed)
    matches = traded_wins(played, seed)
    history, run = with_event(played, *matches)
    found = integrity(history, all_games(run), all_lists(history, run))
    return ("traded-wins", matches[0].players) in {(signal.screen, signal.players) for signal in found}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("planted", "stated", "least"),
    [
        # Of ten fresh seeds, fewer than this come up less than twice in a hundred at the power that the docs state.
        pytest.param(inflation, 0.99, 9, id="inflation"),
        pytest.param(island, 0.76, 5, id="island"),
        pytest.param(misfit, 0.97, 8, id="misfit"),
        pytest.param(fabricated, 0.99, 9, id="fabricated"),
        pytest.param(traded, 0.87, 6, id="traded"),
    ],
)
def test_the_stated_power_holds_on_fresh_seeds(
    planted: Callable[[int], bool], stated: float, least: int
) -> None:
    assert float(special.bdtr(least - 1, 10, stated)) < 0.02
    found = sum(planted(seed) for seed in range(3000, 3010))
    print(planted.__name__, found, "of 10")  # noqa: T201  for whoever measures
    assert found >= least


@pytest.mark.deep
def test_false_alarms_stay_within_the_stated_rate() -> None:
    seasons = 40
    alarmed = 0
    for seed in range(2000, 2000 + seasons):
        played = world(seed)
        alarmed += bool(
            integrity(played.history, all_games(played.periods), all_lists(played.history, played.periods))
        )
    print("alarmed", alarmed, "of", seasons)  # noqa: T201  for whoever measures
    # Stated: at most one season in ten. Binomial(40, .1) exceeds 9 with a chance below one in a hundred.
    assert alarmed <= 9
