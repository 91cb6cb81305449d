"""The period on columns gives the result of the readable one, however the work is split."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arpad.lists import engine, period
from arpad.lists.engine import event_columns, sums
from arpad.lists.engine.columns import Roster, Tranches, find_rows
from arpad.lists.engine.next_list import finish_list
from tests.builders.worlds import World, chance, world
from tests.thinning import examples

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
SEEDS = st.integers(0, 1 << 32)


def differences(one: World) -> dict[int, tuple[object, object]]:
    """Players whose standings differ between the two paths."""
    given, known = one.arguments()
    readable = period.close(*given, **known).standings
    columns = engine.close(engine.period_context(*given, **known), given[3], given[4])
    everybody = {*readable, *columns}
    return {
        player: (readable.get(player), columns.get(player))
        for player in everybody
        if readable.get(player) != columns.get(player)
    }


@settings(max_examples=examples(150), suppress_health_check=SLOW)
@given(SEEDS)
def test_columns_give_the_standings_of_the_readable_period(seed: int) -> None:
    assert differences(world(seed)) == {}


def test_the_worlds_contain_the_rare_cases_of_both_paths() -> None:
    """Players rated since an event began, under both procedures, and players who start from the standard rating."""
    missing = {"meanwhile-entry", "meanwhile-current", "standard"}
    for seed in range(120):
        given, known = world(seed).arguments()
        for change in period.close(*given, **known).players.values():
            missing -= {step.quantity for part in change.contributions for step in part.steps}
            if change.before.rating is None and change.contributions:
                missing.discard("standard")
        if not missing:
            return
    assert not missing


@pytest.mark.deep
@settings(max_examples=10_000, suppress_health_check=SLOW)
@given(SEEDS)
def test_columns_give_the_standings_of_the_readable_period_many_times(seed: int) -> None:
    assert differences(world(seed)) == {}


@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(SEEDS)
def test_games_of_the_period_are_those_the_list_shows(seed: int) -> None:
    one = world(seed)
    given, known = one.arguments()
    context = engine.period_context(*given, **known)
    closed = finish_list(sums.sum_events(one.events, context), context)

    told = {player: it.games for player, it in period.close(*given, **known).players.items() if it.games}
    shown = zip(closed.roster.player.tolist(), closed.games.tolist(), strict=True)
    assert {player: games for player, games in shown if games} == told


def same_bits(one: Roster, other: Roster) -> bool:
    columns = [item.name for item in fields(Roster) if item.name != "tranches"]
    pools = [item.name for item in fields(Tranches)]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns) and all(
        np.array_equal(getattr(one.tranches, name), getattr(other.tranches, name)) for name in pools
    )


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(SEEDS)
def test_any_split_of_the_events_gives_the_same_bits(seed: int) -> None:
    rnd, one = chance(seed), world(seed)
    given, known = one.arguments()
    context = engine.period_context(*given, **known)
    whole = finish_list(sums.sum_events(one.events, context), context)
    events = rnd.sample(one.events, len(one.events))
    cut = rnd.randint(0, len(events))
    parts = [sums.sum_events(some, context) for some in (events[:cut], events[cut:], ())]
    rnd.shuffle(parts)

    split = finish_list(sums.add_partials([parts[0], sums.add_partials(parts[1:])]), context)

    assert same_bits(whole.roster, split.roster)
    assert np.array_equal(whole.games, split.games)


@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(SEEDS, st.integers(1, 5))
def test_the_size_of_a_block_makes_no_difference(seed: int, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "BLOCK", block)
        assert differences(world(seed)) == {}


def test_a_period_without_events() -> None:
    one = world(1)
    given, known = one.arguments()
    quiet = (*given[:4], (), *given[5:])

    assert (
        engine.close(engine.period_context(*quiet, **known), quiet[3], quiet[4])
        == period.close(*quiet, **known).standings
    )


@pytest.mark.parametrize("twice", ["player", "start number"])
def test_an_event_in_which_an_entrant_is_twice_is_counted_the_readable_way(twice: str) -> None:
    one = world(1)
    given, known = one.arguments()
    context = engine.period_context(*given, **known)
    readable = {event.id for _, event in sums.sum_events(one.events, context).readable}
    event = next(event for event in one.events if event.id not in readable)
    first, second, *others = event.report.entrants
    if twice == "player":
        changed = replace(event, players=(event.players[0], event.players[0], *event.players[2:]))
    else:
        entrants = (first, replace(second, number=first.number), *others)
        changed = replace(event, report=replace(event.report, entrants=entrants))
    events = [changed if it is event else it for it in one.events]

    summed = sums.sum_events(events, context)

    assert {it.id for _, it in summed.readable} == readable | {event.id}


def test_a_number_in_two_events_is_not_there_twice() -> None:
    repeated = event_columns._have_repeats(np.array([1, 2, 1, 3, 3, 2]), [2, 1, 2, 1])

    assert repeated.tolist() == [False, False, True, False]


def test_newcomers_of_reports_that_are_not_accepted_have_numbers_below_zero() -> None:
    """Live lists compute with them; in a small office the index of all players had no row for such a number."""
    players = np.array([-4_400_015, 3, 131], np.int64)

    assert find_rows(players, players).tolist() == [0, 1, 2]
    assert find_rows(players, np.array([-1, 4, 131], np.int64)).tolist() == [-1, -1, 2]
    assert find_rows(players[:0], players).tolist() == [-1, -1, -1]
