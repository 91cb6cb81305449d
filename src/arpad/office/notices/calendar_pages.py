"""Calendars to subscribe to: the days of lists with their cut-offs, and the registered tournaments."""

from __future__ import annotations

from datetime import date
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.model.canonical_json import load
from arpad.model.rules import Fact
from arpad.office.notices.feed_pages import office_id, published_bytes, words_of_address
from arpad.office.notices.list_calendar import ListDay, calendar_revised, list_days
from arpad.office.notices.news import list_name
from arpad.office.office import today
from arpad.office.registrations.rows import registered_events
from arpad.office.reports.tables import REGISTERED
from arpad.office.reports.tournament_names import public_event_names
from arpad.publishing.calendar_file import MEDIA_TYPE, CalendarDay, write_calendar
from arpad.reports.event_facts import facts_from
from arpad.store import ledger
from arpad.store.settings import read_setting
from arpad.web.auth import PUBLIC
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import site_address

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
