"""How the office makes the lists of each discipline: on which days, from which list on, with which reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.drafts.own_facts import not_in_system
from arpad.office.editions.acts import chess_rules
from arpad.office.lists.in_force import newest
from arpad.office.lists.published import shown_publications
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import IMPORTED
from arpad.office.reports.decided_rows import Decision, decisions_in_force
from arpad.office.reports.page_rows import own_list_reports, unlisted_by_list, waiting_by_list
from arpad.office.reports.rows import Filed
from arpad.office.reports.stated_facts import decided_facts
from arpad.office.switches import features_off
from arpad.regulations.calendar import closes_year, half_year_end, is_in_time, is_list_day, list_after
from arpad.regulations.fide.rules import add_months
from arpad.regulations.systems import system_of
from arpad.store.act_cache import cached_until_act
from arpad.store.list_names import kept_lists, own_lists_of

InTime: TypeAlias = Callable[[Filed, Sequence[Decision]], bool]
"""Whether a report ended by the cut-off of a list, given the decisions about it."""


class ListStart(NamedTuple):
    """The start of a list: the publication it begins from, and those whose reports are rated already."""

    base: Publication | None
    already_rated_by: AbstractSet[int]


@dataclass(frozen=True, slots=True)
class ListProcedure:
    """How the lists of one discipline are made."""

    next_day: Callable[[Connection, ListName, date | None, date], date]
    """Return the day of the next list, given the day of the last one, if any, and today."""

    refusal: Callable[[Connection, ListName, date, date | None, date], BadInput | None]
    """Return why a list of a day may only be published as a special list, or None."""

    start: Callable[[Sequence[Publication], date], ListStart]
    """Return what a list of a day starts from."""

    in_time: Callable[[Connection, ListName, date], InTime]
    """Return the cut-off of a list of a day."""


def procedure_of(on_list: ListName) -> ListProcedure:
    """Return how a list is made."""
    return _PROCEDURES.get(on_list.system, _OWN)


def next_list_day(connection: Connection, on_list: ListName, last: Publication | None, today: date) -> date:
    """Return the day of the next list: after the last one, or after today if there is none yet (7.1).

    A chess list follows the calendar of the edition in force. A draughts list is due on 30 June and 31 December.
    """
    return procedure_of(on_list).next_day(connection, on_list, last.day if last else None, today)


def closing_day(connection: Connection, on_list: ListName, day: date) -> date:
    """Return the last day on which a tournament that is not official may end to be in time for a list (7.13)."""
    if system_of(on_list).rates_again:
        return day
    return day - timedelta(days=chess_rules(connection, on_list, day).cutoff_days.value)


def out_of_turn(
    connection: Connection, on_list: ListName, day: date, last: Publication | None, today: date
) -> BadInput | None:
    """Return why a list of this day may only be published as a special list; None if it is its turn.

    A chess list is published on the next day of its calendar. The first one of an office may have any day of the
    calendar up to the next. A draughts list may have any day up to the next 30 June or 31 December.
    """
    return procedure_of(on_list).refusal(connection, on_list, day, last.day if last else None, today)


# ------------------------------------------------------------------------------------------------------- chess


def _next_chess_day(connection: Connection, on_list: ListName, last: date | None, today: date) -> date:
    return list_after(last or today, lambda day: chess_rules(connection, on_list, day))


def _chess_refusal(
    connection: Connection, on_list: ListName, day: date, last: date | None, today: date
) -> BadInput | None:
    following = _next_chess_day(connection, on_list, last, today)
    rules = chess_rules(connection, on_list, day)
    if not is_list_day(day, rules):
        months = ", ".join(map(str, rules.list_months.value))
        return BadInput("off-calendar", option="day", day=day, list=str(on_list), months=months)
    if day > following or (day < following and last is not None):
        return BadInput("not-next-list", option="day", list=str(on_list), day=day, following=following)
    return None


def _chess_start(publications: Sequence[Publication], _day: date) -> ListStart:
    return ListStart(newest(publications), {publication.id for publication in publications})


def _chess_cutoff(connection: Connection, on_list: ListName, day: date) -> InTime:
    rules = chess_rules(connection, on_list, day)

    def in_time(filed: Filed, decisions: Sequence[Decision]) -> bool:
        official = bool(decided_facts(filed, decisions).official)
        return filed.last_day is not None and is_in_time(filed.last_day, day, rules, official=official)

    return in_time


# ---------------------------------------------------------------------------------------------------- draughts


def _next_draughts_day(_connection: Connection, _on_list: ListName, last: date | None, today: date) -> date:
    return half_year_end(last or today, after=last is not None)


def _draughts_refusal(
    connection: Connection, on_list: ListName, day: date, last: date | None, today: date
) -> BadInput | None:
    following = max(_next_draughts_day(connection, on_list, last, today), half_year_end(today))
    if day > following:
        return BadInput("not-next-list", option="day", list=str(on_list), day=day, following=following)
    return None


def _draughts_start(publications: Sequence[Publication], day: date) -> ListStart:
    """Return the last year's end or an imported list; years are closed one by one."""
    starts = [p for p in publications if p.day < day and (p.kind == IMPORTED or closes_year(p.day))]
    base = newest(starts)
    first = base or min(publications, key=lambda p: p.day, default=None)
    if first is not None:
        open_year = first.day.year + (1 if closes_year(first.day) else 0)
        if open_year < day.year:
            raise BadInput("year-open", option="day", year=open_year)
    return ListStart(base, {p.id for p in publications if base is not None and p.day <= base.day})


def _draughts_cutoff(_connection: Connection, _on_list: ListName, day: date) -> InTime:
    """Return whether an event ended by the day of the list; there is no cut-off before it."""
    return lambda filed, _decisions: filed.last_day is not None and filed.last_day <= day


# ---------------------------------------------------------------------------------------------- the office's own


def _next_own_day(_connection: Connection, _on_list: ListName, last: date | None, today: date) -> date:
    """Return the first day of the month after the last list, or after today."""
    return add_months((last or today).replace(day=1), 1)


def _own_refusal(
    connection: Connection, on_list: ListName, day: date, last: date | None, today: date
) -> BadInput | None:
    following = max(
        _next_own_day(connection, on_list, last, today), _next_own_day(connection, on_list, None, today)
    )
    if day > following:
        return BadInput("not-next-list", option="day", list=str(on_list), day=day, following=following)
    return None


def _own_start(publications: Sequence[Publication], day: date) -> ListStart:
    """Return the imported list from which all events are rated again, if there is one."""
    base = newest([p for p in publications if p.day < day and p.kind == IMPORTED])
    return ListStart(base, {p.id for p in publications if base is not None and p.day <= base.day})


_OWN = ListProcedure(_next_own_day, _own_refusal, _own_start, _draughts_cutoff)

_PROCEDURES = {
    "fide": ListProcedure(_next_chess_day, _chess_refusal, _chess_start, _chess_cutoff),
    "rubele": ListProcedure(_next_draughts_day, _draughts_refusal, _draughts_start, _draughts_cutoff),
}


@dataclass(frozen=True, slots=True)
class NextList:
    """The next list of a kind, and what waits for it."""

    list: ListName
    day: date
    left: int
    accepted: int
    """Accepted reports that no published list rates."""

    waiting: int
    """Reports that nobody has decided about."""


def offered_lists(connection: Connection) -> tuple[ListName, ...]:
    """Return the lists that the office may publish: those of the features that are on."""
    off = features_off(connection)
    return tuple(
        name for name in kept_lists(connection) if not (system_of(name).has_categories and "draughts" in off)
    )


@cached_until_act
def next_lists(connection: Connection, day: date) -> tuple[NextList, ...]:
    """Return the next lists of an office, the first one first: of those it has, and of those with reports.

    An office without any list or report has yet to choose, so all are returned.
    """
    offered = offered_lists(connection)
    last = {name: newest(shown_publications(connection, name)) for name in offered}
    accepted, waiting = unlisted_by_list(connection), waiting_by_list(connection)
    for own in own_lists_of(connection).values():
        unrated, received = own_list_reports(connection, own)
        outside = not_in_system(connection, own, (*unrated, *received), decisions_in_force(connection))
        accepted[own.name], waiting[own.name] = (
            sum(it.id not in outside for it in filed) for filed in (unrated, received)
        )
    kept = [name for name in offered if last[name] or name.is_own or name in accepted or name in waiting]
    days = {name: next_list_day(connection, name, last[name], day) for name in kept or offered}
    return tuple(
        NextList(name, to, (to - day).days, accepted.get(name, 0), waiting.get(name, 0))
        for name, to in sorted(days.items(), key=lambda it: it[1])
    )
