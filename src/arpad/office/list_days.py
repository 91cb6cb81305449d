"""The days on which lists come out: which one is next, and which day needs an officer's word for a special list."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Connection

from arpad.lists.published import DRAUGHTS
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.editions import chess_rules
from arpad.regulations.calendar import half_year_end, is_list_day, list_after
from arpad.store.lists import Publication


def next_list_day(connection: Connection, on_list: ListName, last: Publication | None, today: date) -> date:
    """Return the day of the next list: after the last one, or after today where there is none yet (7.1).

    A chess list follows the calendar of the edition in force. A draughts list is due on 30 June and 31 December.
    """
    if on_list in DRAUGHTS:
        return half_year_end(today if last is None else last.day, after=last is not None)
    return list_after(today if last is None else last.day, lambda day: chess_rules(connection, on_list, day))


def out_of_turn(
    connection: Connection, on_list: ListName, day: date, last: Publication | None, today: date
) -> BadInput | None:
    """Return why a list of this day may only come out as a special list; None where it is its turn.

    A chess list comes out on the next day of its calendar. The first one of an office may have any day of the calendar
    up to the next. A draughts list may have any day up to the next 30 June or 31 December.
    """
    following = next_list_day(connection, on_list, last, today)
    if on_list in DRAUGHTS:
        following = max(following, half_year_end(today))
    else:
        rules = chess_rules(connection, on_list, day)
        if not is_list_day(day, rules):
            months = rules.list_months.value
            return BadInput("off-calendar", day=day, list=str(on_list), months=", ".join(map(str, months)))
    late = day > following
    early = day < following and last is not None and on_list not in DRAUGHTS
    return (
        BadInput("not-next-list", list=str(on_list), day=day, following=following) if late or early else None
    )
