"""An office with a list of its own beside FIDE's: four players, of whom three are taken over."""

from datetime import date

from arpad.model.rules import ListName
from arpad.office.lists.acts import add_list
from arpad.store.settings import list_named
from tests.builders.offices import Desk, listed
from tests.builders.verbs import import_list

ROUND_ROBIN = """
1 2000 | 2w1 3b= 4w1
2 1900 | 1b0 4w1 3w=
3 1800 | 4w1 1w= 2b=
4 1700 | 3b0 2b0 1b0
"""

STATES = "id,rating,games\n9001,1800,100\n9002,1700,100\n9003,1600,100\n"
"""The fourth player is new."""


def ireland(desk: Desk, system: str = "icu") -> ListName:
    add_list(desk.office, "ireland", system=system, since=date(2018, 1, 1))
    with desk.office.store.reading() as connection:
        return list_named(connection, "ireland")


def begun(desk: Desk) -> None:
    desk.list(date(2018, 1, 1), *(listed(n, 2100 - 100 * n) for n in range(1, 5)))


def taken_over(desk: Desk, own: ListName, states: str = STATES) -> None:
    path = desk.folder / "icu.csv"
    path.write_text(states)
    import_list(desk.office, path, own, date(2018, 1, 1))
