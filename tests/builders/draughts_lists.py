"""Offices with lists of draughts, and what their players play."""

from datetime import date

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.offices import Desk
from tests.builders.verbs import (
    accept,
    import_list,
    publish,
    ratings_in_force,
)

ITALIANA, INTERNAZIONALE = ListName.ITALIANA, ListName.INTERNAZIONALE

START = date(2017, 12, 31)

ONE_GAME = """
1 0 | 2w1
2 0 | 1b0
"""

DRAW = """
1 0 | 2w=
2 0 | 1b=
"""


def standing(number: int, capital: int, **more: object) -> DraughtsState:
    return DraughtsState(
        f"Player {number}",
        capital,
        Category.NAZIONALE,
        str(9000 + number),
        last_event=date(2017, 6, 1),
        **more,  # type: ignore[arg-type]
    )


def begin(desk: Desk, *standings: DraughtsState, on_list: ListName = ITALIANA) -> None:
    desk.on(date(2018, 1, 1))
    path = desk.folder / f"{on_list}.csv"
    path.write_bytes(capitals.write(standings))
    import_list(desk.office, path, on_list, START)


def played(
    desk: Desk,
    name: str,
    table: str,
    day: date,
    on_list: ListName = ITALIANA,
    *,
    last: date | None = None,
    overrule: str = "",
) -> int:
    report: Report = event(name, table, day, last)
    if desk.clock.day < day:
        desk.on(day)
    sent = desk.send(report, facts=EventFacts(list=on_list))
    assert sent.list == on_list
    return accept(desk.office, sent.report, overrule=(overrule,) if overrule else (), reason=overrule).report


def capital(desk: Desk, player: int, day: date, on_list: ListName = ITALIANA) -> int | None:
    return ratings_in_force(desk.office, on_list, day).get(player)


def closed_years(desk: Desk, *years: int) -> None:
    for year in years:
        desk.on(date(year, 12, 31))
        publish(desk.office, ITALIANA, date(year, 12, 31))
