"""Likely duplicates in the register, and pairs that are two people."""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.office.who_is_who.acts import duplicates
from tests.builders.offices import Desk, listed
from tests.builders.verbs import (
    declare_distinct,
    likely_duplicates,
    merge,
    register_player,
    revoke_distinct_pair,
)


@pytest.fixture
def doubled(sqlite_desk: Desk) -> Desk:
    desk = sqlite_desk
    names = ("Short, Nigel D.", "Adams, Michael", "Speelman, Jonathan", "Speelman, Jonathan S")
    rows = [listed(number, 2500, name=name, federation="ENG") for number, name in enumerate(names, start=1)]
    desk.list(date(2018, 1, 1), *rows)
    register_player(desk.office, "Short, Nigel", federation="ENG")
    register_player(desk.office, "Lane, Peter", federation="ENG", born=1965)
    register_player(desk.office, "Lane, Peter", federation="ENG", born=1991)
    return desk


def pairs(desk: Desk) -> list[tuple[int, int]]:
    return [(pair.player.id, pair.other.id) for pair in likely_duplicates(desk.office)]


def test_a_near_name_without_a_number_of_its_own_is_a_likely_duplicate(doubled: Desk) -> None:
    """Two numbers of FIDE, or two births, tell people apart."""
    assert pairs(doubled) == [(1, 5)]

    merge(doubled.office, 1, 5, reason="the same")

    assert pairs(doubled) == []


def test_two_people_stay_two_until_that_is_revoked(doubled: Desk) -> None:
    pair = declare_distinct(doubled.office, 5, 1).pair
    assert pairs(doubled) == []
    assert [(item.pair, item.player, item.other) for item in duplicates(doubled.office).two_people] == [
        (pair, 1, 5)
    ]
    with pytest.raises(BadInput, match="distinct-already"):
        declare_distinct(doubled.office, 1, 5)

    revoke_distinct_pair(doubled.office, pair, reason="a slip")

    assert pairs(doubled) == [(1, 5)]
    with pytest.raises(BadInput, match="no-distinct"):
        revoke_distinct_pair(doubled.office, pair, reason="again")


def test_one_player_and_unknown_players_are_refused(doubled: Desk) -> None:
    with pytest.raises(BadInput, match="distinct-itself"):
        declare_distinct(doubled.office, 1, 1)
    with pytest.raises(BadInput, match="no-player"):
        declare_distinct(doubled.office, 1, 99)
