"""The lists that are cut from a published one, article by article, and age groups of a list."""

from dataclasses import replace

import polars as pl
import pytest

from arpad.lists import cuts
from arpad.lists.cuts import of_age, shared_rank
from arpad.lists.published import ListedPlayer
from arpad.model.age_groups import AgeDay, read_group
from tests.builders import plain_lists
from tests.builders.published_lists import (
    BORTOLOTTI,
    CHESS,
    GONE,
    INACTIVE_WOMAN,
    KETTUNEN,
    LINDQVIST,
    MARCHESI,
    OLDER,
    TITLED,
    ZANARDELLI,
    federation_lists,
    players_in,
    table_of_list,
)
from tests.builders.random_lists import random_list

RANKED = (MARCHESI, BORTOLOTTI, KETTUNEN, LINDQVIST, ZANARDELLI, INACTIVE_WOMAN, OLDER)
PLAYERS = pl.DataFrame(
    {
        "born": [2011, 2012, 2013, 1975, 1974, 1973, None, 2013],
        "rating": [1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500],
        "inactive": [False, False, False, False, False, False, False, True],
    }
)


def test_the_list_proper_has_everybody_with_a_rating_in_the_order_of_ratings() -> None:
    assert players_in(CHESS, "all") == RANKED


def test_equal_ratings_share_a_place() -> None:
    ranked = table_of_list(replace(CHESS, rows=RANKED)).ranked
    assert ranked.select(shared_rank()).to_series().to_list() == [1, 2, None, 3, 3, None, 5]


def test_equal_ratings_are_ordered_by_name_without_case_as_python_folds_it_and_then_by_number() -> None:
    names = ("strasse", "Straße", "STRASSE", "İz", "iz", "ΣΑΣ", "σας", "Zoe", "éa", "Ea")
    rows = tuple(ListedPlayer(number, name, rating=2000) for number, name in enumerate(names))
    expected = sorted(rows, key=lambda row: (row.name.casefold(), row.player))
    assert [row.name for row in players_in(replace(CHESS, rows=rows), "all")] == [
        row.name for row in expected
    ]


def test_the_top_list_has_no_inactive_players() -> None:  # 7.24
    assert players_in(CHESS, "top") == (MARCHESI, BORTOLOTTI, LINDQVIST, ZANARDELLI, OLDER)


def test_the_top_list_keeps_those_who_share_its_last_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuts, "TOP", 3)
    assert players_in(CHESS, "top") == (MARCHESI, BORTOLOTTI, LINDQVIST, ZANARDELLI)
    monkeypatch.setattr(cuts, "TOP", 2)
    assert players_in(CHESS, "top") == (MARCHESI, BORTOLOTTI)


def test_women() -> None:
    assert players_in(CHESS, "women") == (BORTOLOTTI, LINDQVIST)


def test_juniors_were_born_twenty_years_before_the_list_or_later() -> None:
    assert players_in(CHESS, "juniors") == (LINDQVIST,)  # 2004; Zanardelli, of 2003, was one the year before
    assert players_in(replace(CHESS, day=CHESS.day.replace(year=2023)), "juniors") == (LINDQVIST, ZANARDELLI)
    assert players_in(replace(CHESS, junior_years=21), "juniors") == (LINDQVIST, ZANARDELLI)


def test_delisted_and_titled_unrated_stand_in_lists_of_their_own() -> None:  # 7.21, 7.22
    assert players_in(CHESS, "delisted") == (GONE,)
    assert players_in(CHESS, "titled-unrated") == (TITLED,)
    both = GONE._replace(title="CM")
    changed = replace(CHESS, rows=(both, TITLED))
    assert (players_in(changed, "delisted"), players_in(changed, "titled-unrated")) == ((both,), (TITLED,))


def test_the_2009_edition_takes_the_inactive_off_their_federations_list() -> None:  # 2009 7.23b
    assert tuple(federation_lists(CHESS)) == ("FIN", "ITA", "SWE")
    assert federation_lists(CHESS)["ITA"] == (MARCHESI, BORTOLOTTI, ZANARDELLI, INACTIVE_WOMAN, OLDER)
    old = replace(CHESS, inactive_leave_federation=True)
    assert federation_lists(old)["ITA"] == (MARCHESI, BORTOLOTTI, ZANARDELLI, OLDER)
    assert federation_lists(old)["FIN"] == ()
    assert KETTUNEN in players_in(old, "all")  # he stays on the list, marked


@pytest.mark.parametrize("seed", range(12))
def test_cuts_of_columns_are_those_of_values(seed: int) -> None:
    published = random_list(seed)
    expected = plain_lists.cuts(published)
    names = cuts.cuts_of(published)
    assert {name: players_in(published, name) for name in names} == {name: expected[name] for name in names}
    federations = {f"federation-{code}": rows for code, rows in federation_lists(published).items()}
    assert federations == {name: rows for name, rows in expected.items() if name not in names}


@pytest.mark.parametrize(
    ("group", "day", "born"),
    [
        ("U12", AgeDay.FIDE, [2012, 2013]),  # born in 2012: not yet 12 on 1 January 2024
        ("U12", AgeDay.FIRST, [2012, 2013]),
        ("U12", AgeDay.LAST, [2013]),
        ("50+", AgeDay.FIDE, [1974, 1973]),  # born in 1974: 50 by 31 December 2024
        ("50+", AgeDay.LAST, [1974, 1973]),
        ("50+", AgeDay.FIRST, [1973]),
    ],
)
def test_the_age_is_counted_on_the_day_of_the_office(group: str, day: AgeDay, born: list[int]) -> None:
    assert PLAYERS.filter(of_age(read_group(group), 2024, day))["born"].to_list() == born
