"""What the K of an imported list tells of the past (8.56, reading 6), and what it cannot tell."""

from datetime import date
from pathlib import Path

import pytest

from arpad.lists.imported_history import first_games_are_left, first_games_are_over, top_was_reached
from arpad.lists.imported_table import imported_table
from arpad.lists.list_file import table_of
from arpad.model.chess import PlayerFacts
from arpad.model.rules import ListName
from arpad.regulations.editions import CHESS_EDITIONS, chess_edition
from arpad.regulations.fide.change import coefficient
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.formats.lists.fide_rows import ListRow
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.verbs import adopt_edition, draft

RAPID, BLITZ = ListName.RAPID, ListName.BLITZ

OCTOBER = """
1 1500 | 2w0 3b=
2 1500 | 1b1 .-
3 1310 | .- 1w=
"""
"""Player 1 loses to 1500 (.50) and draws with 1310 (190 above, .75): -.50 - .25 = -.75."""


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize(("on_list", "control"), [(RAPID, "15+10"), (BLITZ, "5+0")])
def test_a_list_of_the_time_when_k_was_20_for_all_does_not_make_everybody_a_player_of_2400(
    desk: Desk, on_list: ListName, control: str
) -> None:
    """K 20 x -.75 = -15: 1485. With K 10 it would be -7.5, rounded to -8: 1492."""
    desk.list(
        date(2022, 8, 1), *(listed(n, r) for n, r in ((1, 1500), (2, 1500), (3, 1310))), on_list=on_list
    )
    desk.publish(date(2022, 9, 1), on_list)
    desk.publish(date(2022, 10, 1), on_list)
    made = draft(desk.office, on_list, date(2022, 11, 1)).result.published
    assert {row.k for row in made.rows} == {20}

    desk.report(event("October", OCTOBER, date(2022, 10, 8), time_control=control))
    november = date(2022, 11, 1)
    desk.publish(november, on_list)

    assert desk.rating(1, november, on_list) == 1485


def test_from_october_2022_on_k_10_of_a_rapid_list_has_reached_2400(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2022, 11, 1), listed(1, 2350, 10), listed(2, 2350, 20), listed(3, 2350, 40), on_list=RAPID)
    rows = draft(desk.office, RAPID, date(2022, 12, 1)).result.published.rows
    assert {row.player: row.k for row in rows} == {1: 10, 2: 20, 3: 40}


EVERY_LIST = [(edition.id, on_list) for edition in CHESS_EDITIONS for on_list in edition.lists]


@pytest.mark.parametrize(("name", "on_list"), EVERY_LIST)
def test_every_k_that_an_edition_knows_gives_itself_again_after_the_import(
    name: str, on_list: ListName
) -> None:
    """An adult imported with any K of the edition has the same K by the facts (`arpad calc k`) on the same day."""
    rules = chess_edition(name).on(on_list)
    day = date(2018, 5, 1)
    for k in {rules.k_new.value, rules.k_usual.value, rules.k_top.value}:
        row = ListRow(1, "Ada", rating=1500, k=k, born=1980)
        table = imported_table(table_of([(row, False)], on_list).with_columns(player=1), day, rules)
        games, peak = table.select("rated_games", "peak").row(0)
        assert coefficient(PlayerFacts(1500, games, peak, 1980), day, rules)[0] == k
        assert (peak == 2400) == (k == rules.k_top.value != rules.k_usual.value)


SAME = """id = "club"
base = "fide-2017"
[standard]
k_new = { value = 30, article = "1" }
k_top = { value = 30, article = "1" }
"""


def test_an_own_edition_whose_top_k_is_also_the_new_players(sqlite_place: str, tmp_path: Path) -> None:
    """K 30 may be either: nobody is taken to have reached 2400, nor to be new."""
    desk = Desk.made(sqlite_place, tmp_path, Clock(date(2018, 1, 1)))
    adopt_edition(desk.office, SAME, lists=[STANDARD], since=date(2018, 1, 1), reason="board")
    desk.list(date(2018, 1, 1), listed(1, 1500, 30), listed(2, 1500, 20))
    rows = draft(desk.office, STANDARD, date(2018, 2, 1)).result.published.rows
    assert {row.player: row.k for row in rows} == {1: 20, 2: 20}
    desk.office.close()


def rules_of_2022(month: int) -> ChessRules:
    return chess_edition("fide-2022" if month < 10 else "fide-2022-10").on(RAPID)


def test_what_a_k_tells() -> None:
    before, after = rules_of_2022(8), rules_of_2022(10)
    every = (10, 20, 40)
    assert [top_was_reached(k, before) for k in every] == [False, False, False]
    assert [top_was_reached(k, after) for k in every] == [True, False, False]
    assert [first_games_are_over(k, before) for k in every] == [False, False, False]
    assert [first_games_are_over(k, after) for k in every] == [False, True, False]
    assert [first_games_are_left(k, before) for k in every] == [False, False, False]
    assert [first_games_are_left(k, after) for k in every] == [False, False, True]
