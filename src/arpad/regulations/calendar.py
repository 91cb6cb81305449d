"""List dates: publication days, the list in force, and the list that rates an event (7.1, 7.11, 7.13).

Every question about the date of a list is answered here. Each function takes the rules of one edition or, if editions
change between the days in question, a function that returns the rules of a day: a list follows the edition of its own
day (reading 1 of docs/readings.md).
"""

from calendar import monthrange
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import TypeAlias

from arpad.regulations.fide.rules import ChessRules, add_months

RulesByDay: TypeAlias = Callable[[date], ChessRules]
"""Returns the rules in force on a day."""


def _rules_on(day: date, rules: ChessRules | RulesByDay) -> ChessRules:
    return rules if isinstance(rules, ChessRules) else rules(day)


def is_list_day(day: date, rules: ChessRules | RulesByDay) -> bool:
    """Return whether a list is published on a day (7.1): the first of one of the edition's months."""
    return day.day == 1 and day.month in _rules_on(day, rules).list_months.value


def list_in_force(day: date, rules: ChessRules | RulesByDay) -> date:
    """Return the date of the list in force on a day: the newest that is out (7.11, 7.1.1)."""
    first = day.replace(day=1)
    while not is_list_day(first, rules):
        first = add_months(first, -1)
    return first


def list_after(day: date, rules: ChessRules | RulesByDay, count: int = 1) -> date:
    """Return the date of the first list after a day, or of the ``count``-th (7.1)."""
    if isinstance(rules, ChessRules):
        return _list_after(day, rules.list_months.value, count)
    first = day.replace(day=1)
    while count:
        first = add_months(first, 1)
        count -= is_list_day(first, rules)
    return first


@lru_cache(maxsize=1024)
def _list_after(day: date, months: tuple[int, ...], count: int) -> date:
    """Return the date of the ``count``-th list after a day; kept, since the reports of a month have few days."""
    first = day.replace(day=1)
    while count:
        first = add_months(first, 1)
        count -= first.month in months
    return first


def is_in_time(last_day: date, list_day: date, rules: ChessRules, *, official: bool = False) -> bool:
    """Return whether an event that ended on a day is in time for a list (7.13, 7.1.3).

    Official events have until the day before the list, others a few days less.
    """
    cutoff = rules.official_cutoff_days if official else rules.cutoff_days
    return (list_day - last_day).days >= cutoff.value


def first_list_for(last_day: date, rules: ChessRules, *, official: bool = False) -> date:
    """Return the date of the first list that can rate an event which ended on a day (7.13, 7.1.3)."""
    first = last_day.replace(day=1)
    while not (is_list_day(first, rules) and is_in_time(last_day, first, rules, official=official)):
        first = add_months(first, 1)
    return first


def due_list(last_day: date, days_left: int, rules: ChessRules) -> date:
    """Return the date of the list for which the report of an event is due (9.1).

    It is the next list, or the one after it if at most ``days_left`` days of the month follow the last day.
    """
    left = monthrange(last_day.year, last_day.month)[1] - last_day.day
    return list_after(last_day, rules, 2 if left <= days_left else 1)


def half_year_end(day: date, *, after: bool = False) -> date:
    """Return the first 30 June or 31 December from a day on, or ``after`` it: the days of draughts lists."""
    ends = (date(day.year, 6, 30), date(day.year, 12, 31), date(day.year + 1, 6, 30))
    return next(end for end in ends if end > day or (end == day and not after))


def closes_year(day: date) -> bool:
    """Return whether a draughts list of that day closes the year."""
    return (day.month, day.day) == (12, 31)
