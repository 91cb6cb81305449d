"""Closing a period: which reports fall in, with which ratings and under which editions; and a draft of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from sqlalchemy import Connection

from arpad.errors import BadInput
from arpad.model import ListName
from arpad.office import draughts
from arpad.office.closing import Closed, computed
from arpad.office.desk import Office
from arpad.office.editions import chess_rules
from arpad.office.falling_in import InTime, LeftOut, falls_in
from arpad.office.gathering import Making, gather
from arpad.office.in_force import newest
from arpad.office.inputs import Inputs
from arpad.office.stated import decided_facts
from arpad.published import DRAUGHTS
from arpad.rules import ChessRules
from arpad.store import lists
from arpad.store.lists import Publication
from arpad.store.many import uncollected
from arpad.store.reports import Decision, Filed


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be published now."""

    inputs: Inputs
    closed: Closed
    base: Publication | None
    taken: tuple[Filed, ...]
    left_out: tuple[LeftOut, ...]


def draft(office: Office, on_list: ListName, day: date) -> Draft:
    """Make the list without publishing it: the same value that ``publish`` would keep."""
    with uncollected(), office.store.reading() as connection:
        return drafted(connection, on_list, day)


def drafted(connection: Connection, on_list: ListName, day: date) -> Draft:
    """A draft of the next list."""
    found = lists.all_publications(connection, on_list)
    last = newest(found)
    if last is not None and last.day >= day:
        raise BadInput("list-out", list=str(on_list), day=day, last=last.day)
    if on_list in DRAUGHTS:
        base = draughts.base_for(found, day)
        behind = {p.id for p in found if base is not None and p.day <= base.day}
        ended: InTime = partial(draughts.ended_by, day)
    else:
        rules = chess_rules(connection, on_list, day)
        _refuse_off_calendar(on_list, day, rules)
        base, behind = last, {p.id for p in found}
        ended = partial(in_time, day=day, rules=rules)
    taken, left_out = falls_in(connection, found, behind, on_list, ended)
    making = Making((last.number if last else 0) + 1, _shown_digest(found))
    inputs = gather(connection, on_list, day, taken, base, making)
    return Draft(inputs, computed(inputs), base, tuple(taken), tuple(left_out))


def _shown_digest(found: Sequence[Publication]) -> str:
    shown = newest([p for p in found if p.kind != lists.BASE])
    return shown.digest if shown else ""


def _refuse_off_calendar(on_list: ListName, day: date, rules: ChessRules) -> None:
    """A list comes out on the first of a month that the edition names."""
    months = rules.list_months.value
    if day.day != 1 or day.month not in months:
        raise BadInput("off-calendar", day=day, list=str(on_list), months=", ".join(map(str, months)))


def in_time(filed: Filed, decided: Sequence[Decision], day: date, rules: ChessRules) -> bool:
    """Whether an event ended by a list's cut-off; official events have until the last day (7.13)."""
    official = decided_facts(filed, decided).official
    cutoff = rules.official_cutoff_days if official else rules.cutoff_days
    return filed.last_day is not None and (day - filed.last_day).days >= cutoff.value
