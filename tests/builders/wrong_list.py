"""An office with a list of its own, and a list that it should not take over: B5 of the review."""

from datetime import date
from pathlib import Path

from tests.builders.chess import event
from tests.builders.offices import WIN, Clock, Desk, list_bytes, listed

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
WRONG = list_bytes(MAR, listed(1, 2010), listed(2, 1893, name="Another, Name"), listed(4, 1700))
"""Other ratings, one player gone, one renamed, one new."""


def own_list_office(folder: Path) -> Desk:
    """Return an office with a taken-over list and a list of its own, 2000 having won against 1900."""
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    desk.on(MAR)
    return desk
