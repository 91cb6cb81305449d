"""Calendars to subscribe to: the days of lists with their cut-offs, and the registered tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.model.canonical_json import load
from arpad.model.errors import NoEdition
from arpad.model.rules import Fact, ListName
from arpad.office.editions.acts import chess_rules
from arpad.office.lists.rows import all_publications
from arpad.office.notices.feed_pages import office_id, published_bytes, words_of_address
from arpad.office.notices.news import list_name
from arpad.office.office import today
from arpad.office.registrations.rows import registered_events
from arpad.office.reports.tables import REGISTERED
from arpad.office.reports.tournament_names import public_event_names
from arpad.publishing.calendar_file import MEDIA_TYPE, CalendarDay, write_calendar
from arpad.regulations.calendar import half_year_end, is_list_day
from arpad.regulations.fide.rules import add_months
from arpad.regulations.systems import system_of
from arpad.reports.event_facts import facts_from
from arpad.store import ledger
from arpad.store.list_names import kept_lists
from arpad.store.settings import read_setting
from arpad.web.auth import PUBLIC
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import site_address

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
        for name in kept_lists(connection)
        if name in kept
        for item in (
            _own_days(name, first, last)
            if name.is_own
            else _draughts_days(name, first, last)
            if system_of(name).rates_again
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


def _own_days(name: ListName, first: date, last: date) -> list[ListDay]:
    """Return the first of each month, for which a list of the office's own is due with all events until then."""
    months = (last.year - first.year) * 12 + last.month - first.month
    days = (add_months(first, number) for number in range(months + 1))
    return [ListDay(name, day, day, day, "") for day in days]


def _draughts_days(name: ListName, first: date, last: date) -> list[ListDay]:
    days = []
    day = half_year_end(first)
    while day <= last:
        days.append(ListDay(name, day, day, day, ""))
        day = half_year_end(day, after=True)
    return days


MOST_TOURNAMENTS = 1000
"""The latest ones; calendar programs refuse files of several megabytes."""


@get("/calendars/{language:str}/lists.ics", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def lists_calendar(request: WebRequest, language: FromPath[str]) -> Response[Any]:
    """Return the calendar of list days and cut-offs."""
    office, words = require_office(request), words_of_address(request, language)
    with office.store.reading() as connection:
        identity, revised = office_id(connection), calendar_revised(connection)
        days = list_days(connection, today(office, connection))
        publisher = read_setting(connection, "name") or "Arpad"
    site = site_address(request)

    def entry(item: ListDay, kind: str, day: date) -> CalendarDay:
        facts: dict[str, Fact] = {
            "list": list_name(words, item.list),
            "day": item.day,
            "article": item.article,
        }
        description = words.text(f"news.calendar-{kind}-about", **facts) if kind != "list" else ""
        return CalendarDay(
            f"{kind}-{item.list}-{item.day}-{language}@{identity}", revised, day, day,
            words.text(f"news.calendar-{kind}", **facts), description, address=f"{site}/lists/{item.list}",
        )  # fmt: skip

    entries = []
    for item in days:
        entries.append(entry(item, "list", item.day))
        if item.article:
            entries.append(entry(item, "cutoff", item.cutoff))
        if item.official_cutoff != item.cutoff:
            entries.append(entry(item, "official-cutoff", item.official_cutoff))
    name = words.text("news.calendar-lists", office=publisher)
    return published_bytes(request, write_calendar(name, language, entries), MEDIA_TYPE)


@get("/calendars/{language:str}/tournaments.ics", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournaments_calendar(request: WebRequest, language: FromPath[str]) -> Response[Any]:
    """Return the calendar of registered tournaments."""
    office, words = require_office(request), words_of_address(request, language)
    with office.store.reading() as connection:
        identity = office_id(connection)
        events = registered_events(connection)[-MOST_TOURNAMENTS:]
        names = public_event_names(connection, events)
        acts = ledger.some_acts(connection, [event["act"] for event in events])
        publisher = read_setting(connection, "name") or "Arpad"
    entries = [
        CalendarDay(
            f"tournament-{event['id']}@{identity}", acts[event["act"]].at, date.fromisoformat(event["first_day"]),
            date.fromisoformat(event["last_day"]), names[event["id"]] or words.text("page.untitled"),
            description="\n".join(facts_from(load(event["facts"])).schedule),
            location=", ".join(part for part in (event["city"], event["federation"]) if part),
            cancelled=event["state"] != REGISTERED,
        )
        for event in events
    ]  # fmt: skip
    name = words.text("news.calendar-tournaments", office=publisher)
    return published_bytes(request, write_calendar(name, language, entries), MEDIA_TYPE)


ROUTES = (lists_calendar, tournaments_calendar)
