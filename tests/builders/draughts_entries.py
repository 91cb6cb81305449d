"""Draughts players who enter an office, with their categories."""

from dataclasses import replace
from datetime import date

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from tests.builders.draughts_lists import (
    ITALIANA,
    standing,
)
from tests.builders.offices import Desk
from tests.builders.verbs import player as office_player
from tests.builders.verbs import publish as office_publish
from tests.builders.verbs import (
    register_player,
)


def enrol(desk: Desk, players: int = 7) -> None:
    """Enter players whose number in the register is their start number in these reports."""
    for number in range(1, players + 1):
        assert (
            register_player(desk.office, f"Player {number}", identifiers={"fid": str(9000 + number)}).id
            == number
        )


def regionale(number: int, capital: int = 2490) -> DraughtsState:
    """A Regionale of dama internazionale, ten points below Nazionale (table 11: 2500)."""
    return replace(standing(number, capital), category=Category.REGIONALE)


def publish(desk: Desk, day: date, on_list: ListName = ITALIANA) -> None:
    desk.on(day)
    office_publish(desk.office, on_list, day, desk.folder / "lists", kinds=("canonical", "csv"))


def category(desk: Desk, player: int, day: date, on_list: ListName = ITALIANA) -> str:
    """The category on the list of a day."""
    shown = [
        item for item in office_player(desk.office, player).lists if item.list == on_list and item.date == day
    ]
    return shown[-1].category or ""
