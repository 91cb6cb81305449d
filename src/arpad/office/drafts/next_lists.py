"""The next list of each kind that the office keeps, with the reports that wait for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.model.disciplines import discipline_of
from arpad.model.rules import LISTS, ListName
from arpad.office.drafts.procedures import next_list_day
from arpad.office.lists.in_force import newest
from arpad.office.lists.published import shown_publications
from arpad.office.reports.page_rows import unlisted_by_list, waiting_by_list
from arpad.office.switches import features_off


@dataclass(frozen=True, slots=True)
class NextList:
    """The next list of a kind, and what waits for it."""

    list: ListName
    day: date
    left: int
    """Days until then; less than zero if it is late."""

    accepted: int
    """Accepted reports that no published list rates."""

    waiting: int
    """Reports that nobody has decided about."""


def offered_lists(connection: Connection) -> tuple[ListName, ...]:
    """Return the lists that the office may publish: those of the features that are on."""
    off = features_off(connection)
    return tuple(name for name in LISTS if not (discipline_of(name).by_season and "draughts" in off))


def next_lists(connection: Connection, day: date) -> tuple[NextList, ...]:
    """Return the next lists of an office, the first one first: of those it has, and of those with reports.

    An office without any list or report has yet to choose, so all are returned.
    """
    offered = offered_lists(connection)
    last = {name: newest(shown_publications(connection, name)) for name in offered}
    accepted, waiting = unlisted_by_list(connection), waiting_by_list(connection)
    kept = [name for name in offered if last[name] or name in accepted or name in waiting]
    days = {name: next_list_day(connection, name, last[name], day) for name in kept or offered}
    return tuple(
        NextList(name, to, (to - day).days, accepted.get(name, 0), waiting.get(name, 0))
        for name, to in sorted(days.items(), key=lambda it: it[1])
    )
