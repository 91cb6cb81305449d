"""The unsafe reports of an Irish office: near names without numbers, a number of another, national numbers."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.offices import NEW, Clock, list_bytes, listed, trf
from tests.builders.verbs import import_list, init

NAMES = ("Short, Nigel D.", "Baburin, Alexander", "Collins, Sam E.", "Daly, Colm")
TABLE = """
1 2400 | 2w= 3b1
2 2400 | 1b= 4w1
3 2400 | 4b0 1w0
4 2400 | 3w1 2b0
"""


def irish_office(folder: Path) -> Office:
    """Return an office with four rated players of FIDE's list, which said nothing about numbers in reports."""
    clock = Clock(date(2018, 1, 1))
    office = init(str(folder / "irl.db"), **{**NEW, "federation": "IRL", "numbers": ()}, now=clock)
    rows = [listed(place, 2400, name=name, federation="IRL") for place, name in enumerate(NAMES, start=1)]
    path = folder / "list.txt"
    path.write_bytes(list_bytes(date(2018, 1, 1), *rows))
    import_list(office, path, ListName.STANDARD, date(2018, 1, 1))
    clock.day = date(2018, 1, 20)
    return office


def irish_report(
    names: tuple[str, ...] = NAMES, ids: tuple[str, ...] = ("9001", "9002", "9003", "9004"), day: int = 10
) -> Report:
    """Return the report of an event of these four."""
    made = event(f"Bunratty {day}", TABLE, date(2018, 1, day))
    entrants = tuple(
        replace(entrant, name=name, id=number, federation="IRL")
        for entrant, name, number in zip(made.entrants, names, ids, strict=True)
    )
    return replace(made, entrants=entrants, header=replace(made.header, federation="IRL"))


NO_NUMBERS = trf(irish_report(("Short, Nigel", "Baburin A", "Collins, Sam", "Daly, Colm"), ("", "", "", "")))
"""Four rated players without numbers, three of them spelled otherwise: B1 and B2 of the review."""

WRONG_HOLDER = trf(irish_report(("Short, Nigel", "Baburin A", "Collins, Sam", "Kelly, Brian"), day=11))
"""The number of Daly with the name of Kelly: the dead end of the review."""

NATIONAL = trf(
    irish_report(
        ("Orr, Mark", "Quinn, Rory", "Heidenfeld, Mark", "Fox, Tony"), ("268", "4564", "81", "7"), 12
    )
)
"""Four who are new, with numbers of the Irish union in the column of FIDE's: B3 of the review."""
