"""The lists that are cut from a published one, article by article."""

from __future__ import annotations

from dataclasses import replace

from arpad.lists.published import (
    by_federation,
    delisted,
    juniors,
    rank_rows,
    ranks,
    titled_unrated,
    top,
    women,
)
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
)


def test_the_list_proper_has_everybody_with_a_rating() -> None:
    assert CHESS.rated == (
        MARCHESI, BORTOLOTTI, KETTUNEN, LINDQVIST, ZANARDELLI, OLDER, INACTIVE_WOMAN,
    )  # fmt: skip


def test_equal_ratings_share_a_place() -> None:
    ordered = rank_rows(CHESS.rated)
    assert ordered == (MARCHESI, BORTOLOTTI, KETTUNEN, LINDQVIST, ZANARDELLI, INACTIVE_WOMAN, OLDER)
    assert ranks(ordered) == (1, 2, 2, 4, 4, 6, 7)


def test_the_top_list_has_no_inactive_players() -> None:  # 7.24
    assert top(CHESS) == (MARCHESI, BORTOLOTTI, LINDQVIST, ZANARDELLI, OLDER)


def test_the_top_list_keeps_those_who_share_its_last_place() -> None:
    assert top(CHESS, 3) == (MARCHESI, BORTOLOTTI, LINDQVIST, ZANARDELLI)
    assert top(CHESS, 2) == (MARCHESI, BORTOLOTTI)


def test_women() -> None:
    assert women(CHESS) == (BORTOLOTTI, LINDQVIST)


def test_juniors_were_born_twenty_years_before_the_list_or_later() -> None:
    assert juniors(CHESS) == (LINDQVIST,)  # 2004; Zanardelli, of 2003, was one the year before
    assert juniors(replace(CHESS, day=CHESS.day.replace(year=2023))) == (LINDQVIST, ZANARDELLI)
    assert juniors(replace(CHESS, junior_years=21)) == (LINDQVIST, ZANARDELLI)


def test_delisted_and_titled_unrated_stand_in_lists_of_their_own() -> None:  # 7.21, 7.22
    assert delisted(CHESS) == (GONE,)
    assert titled_unrated(CHESS) == (TITLED,)
    both = GONE._replace(title="CM")
    changed = replace(CHESS, rows=(both, TITLED))
    assert (delisted(changed), titled_unrated(changed)) == ((both,), (TITLED,))


def test_the_2009_edition_takes_the_inactive_off_their_federations_list() -> None:  # 2009 7.23b
    assert tuple(by_federation(CHESS)) == ("FIN", "ITA", "SWE")
    assert by_federation(CHESS)["ITA"] == (MARCHESI, BORTOLOTTI, ZANARDELLI, INACTIVE_WOMAN, OLDER)
    old = replace(CHESS, inactive_leave_federation=True)
    assert by_federation(old)["ITA"] == (MARCHESI, BORTOLOTTI, ZANARDELLI, OLDER)
    assert by_federation(old)["FIN"] == ()
    assert KETTUNEN in old.rated  # he stays on the list, marked
