"""Each list belongs to one discipline, which answers the questions that depend on the game."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.model.chess import EventKind, Performance, PlayerState
from arpad.model.disciplines import CHESS, DISCIPLINES, DRAUGHTS, discipline_of
from arpad.model.draughts import Category, DraughtsState
from arpad.model.json_values import from_capital, from_state, to_capital
from arpad.model.rules import LISTS, ListName

PENDING = Performance("1", EventKind.SWISS, 5, 6, 10_000, 5, 5, 6, date(2024, 1, 1))  # type: ignore[arg-type]
UNRATED = from_state(PlayerState(7, tranches=(PENDING,)))
RATED = from_state(PlayerState(7, 2000, inactive=True))
MAESTRO = from_capital(DraughtsState("Rossi", 3000, Category.MAESTRO, "7"))


@pytest.mark.parametrize("on_list", LISTS)
def test_each_list_has_one_discipline(on_list: ListName) -> None:
    assert [discipline for discipline in DISCIPLINES if on_list in discipline.lists] == [
        discipline_of(on_list)
    ]


@pytest.mark.parametrize(
    ("on_list", "stand_in", "used"),
    [
        (ListName.STANDARD, None, (ListName.STANDARD,)),
        (ListName.RAPID, ListName.STANDARD, (ListName.RAPID, ListName.STANDARD)),
        (ListName.ITALIANA, None, (ListName.ITALIANA,)),
    ],
)
def test_standard_ratings_stand_in_for_rapid_and_blitz(
    on_list: ListName, stand_in: ListName | None, used: tuple[ListName, ...]
) -> None:
    assert discipline_of(on_list).stand_in_for(on_list) == stand_in
    assert discipline_of(on_list).lists_used(on_list) == used


def test_a_chess_state_has_a_rating_and_pending_events() -> None:
    assert (CHESS.rating_of(RATED), CHESS.is_inactive(RATED), CHESS.pending_events(RATED)) == (2000, True, 0)
    assert (CHESS.rating_of(UNRATED), CHESS.is_inactive(UNRATED), CHESS.pending_events(UNRATED)) == (
        None, False, 1,
    )  # fmt: skip
    assert CHESS.category_of(RATED) == ""
    assert CHESS.with_name(RATED, "Nobody", 8) == RATED


def test_a_draughts_state_has_a_capital_a_category_and_a_name() -> None:
    assert (DRAUGHTS.rating_of(MAESTRO), DRAUGHTS.category_of(MAESTRO)) == (3000, "maestro")
    assert (DRAUGHTS.is_inactive(MAESTRO), DRAUGHTS.pending_events(MAESTRO)) == (False, 0)
    renamed, renumbered = (to_capital(DRAUGHTS.with_name(MAESTRO, "Nobody", n)) for n in (None, 8))
    assert (renamed.name, renamed.id, renumbered.name, renumbered.id) == ("Nobody", "7", "Nobody", "8")


def test_the_other_draughts_list() -> None:
    assert DRAUGHTS.other_list(ListName.ITALIANA) == ListName.INTERNAZIONALE
    assert DRAUGHTS.other_list(ListName.INTERNAZIONALE) == ListName.ITALIANA
