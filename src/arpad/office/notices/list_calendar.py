"""The days of lists and their cut-offs, from the calendar of the editions in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Connection

from arpad.model.disciplines import discipline_of
from arpad.model.errors import NoEdition
from arpad.model.rules import LISTS, ListName
from arpad.office.editions.acts import chess_rules
from arpad.office.lists.rows import all_publications
from arpad.regulations.calendar import half_year_end, is_list_day
from arpad.regulations.fide.rules import add_months
from arpad.store import ledger

MONTHS_BEFORE, MONTHS_AFTER = 6, 12


@dataclass(frozen=True, slots=True)
class ListDay:
    """A day on which a list is published, and the last day on which an event for it may end."""

    list: ListName
    day: date
    cutoff: date
    official_cutoff: date
    """The same for an official event."""

    article: str
    """The article of the cut-off; empty if the edition has none."""


def list_days(connection: Connection, today: date) -> list[ListDay]:
    """Return the days of all lists that the office keeps, from half a year ago to a year ahead."""
    kept = {publication.list for publication in all_publications(connection)}
    first = add_months(today.replace(day=1), -MONTHS_BEFORE)
    last = add_months(today.replace(day=1), MONTHS_AFTER)
    return [
        item
        for name in LISTS
        if name in kept
        for item in (
            _draughts_days(name, first, last)
            if discipline_of(name).by_season
            else _chess_days(connection, name, first, last)
        )
    ]


def calendar_revised(connection: Connection) -> str:
    """Return when the calendar changed last: with an edition, or with the office itself."""
    changed = [
        act for verb in ("adopt-edition", "revoke-edition") for act in ledger.acts_of(connection, verb)
    ]
    return max(changed, key=lambda act: act.seq).at if changed else ledger.act(connection, 1).at


def _chess_days(connection: Connection, name: ListName, first: date, last: date) -> list[ListDay]:
    days = []
    day = first
    while day <= last:
        try:
            rules = chess_rules(connection, name, day)
        except NoEdition:
            rules = None
        if rules is not None and is_list_day(day, rules):
            cutoff = day - timedelta(days=rules.cutoff_days.value)
            official = day - timedelta(days=rules.official_cutoff_days.value)
            days.append(ListDay(name, day, cutoff, official, rules.cutoff_days.article))
        day = add_months(day, 1)
    return days


def _draughts_days(name: ListName, first: date, last: date) -> list[ListDay]:
    days = []
    day = half_year_end(first)
    while day <= last:
        days.append(ListDay(name, day, day, day, ""))
        day = half_year_end(day, after=True)
    return days
