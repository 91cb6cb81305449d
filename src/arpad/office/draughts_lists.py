"""What a draughts list starts from and which events it takes, from the rows of the office."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from arpad.lists.compute_draughts import closes_year
from arpad.model.draughts import DraughtsStanding as Capital
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.lists_in_force import list_in_force
from arpad.store import lists
from arpad.store.decisions import Decision
from arpad.store.lists import IMPORTED, Publication
from arpad.store.reports import Filed

if TYPE_CHECKING:
    pass


def base_for(found: Sequence[Publication], day: date) -> Publication | None:
    """What the chain starts from: the last year's end, or a list taken over; years are closed one by one."""
    starts = [p for p in found if p.day < day and (p.kind == IMPORTED or closes_year(p.day))]
    base = max(starts, key=lambda p: (p.day, p.revision), default=None)
    first = base or min(found, key=lambda p: p.day, default=None)
    if first is not None:
        open_year = first.day.year + (1 if closes_year(first.day) else 0)
        if open_year < day.year:
            raise BadInput("year-open", year=open_year)
    return base


def ended_by(day: date, filed: Filed, _decided: Sequence[Decision]) -> bool:
    """Whether an event ended by the day of a list; there is no cut-off before it."""
    return filed.last_day is not None and filed.last_day <= day


def capitals_in_force(connection: Connection, on_list: ListName, day: date) -> tuple[Capital, ...] | None:
    """Where everybody stands on the list in force on a day, if one is out."""
    publication = list_in_force(lists.all_publications(connection, on_list), day)
    if publication is None:
        return None
    return tuple(to_capital(state) for state in lists.states(connection, publication.id).values())
