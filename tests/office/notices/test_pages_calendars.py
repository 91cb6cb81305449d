"""The calendars of the site, read by another program."""

from dataclasses import replace
from datetime import date

import httpx
from icalendar import Calendar, Component

from arpad.office.registrations.acts import (
    cancel_registration,
    change_registration,
    register_event,
)
from tests.builders.site_fixtures import Served


def read(client: httpx.Client, path: str) -> list[Component]:
    answer = client.get(path)
    assert answer.headers["content-type"].startswith("text/calendar"), answer.text
    calendar = Calendar.from_ical(answer.content)
    assert isinstance(calendar, Calendar)
    events = list(calendar.walk("VEVENT"))
    assert len({str(event["UID"]) for event in events}) == len(events)
    again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    return events


def test_list_days_and_cut_offs(served: Served) -> None:
    client = served.client()
    english, italian = (read(client, f"/calendars/{language}/lists.ics") for language in ("en", "it"))
    by_summary = {(str(event["SUMMARY"]), event["DTSTART"].dt) for event in english}  # type: ignore[union-attr]
    assert ("List standard", date(2025, 2, 1)) in by_summary
    cut_off = next(
        event for event in italian if str(event["SUMMARY"]).startswith("Termine per la lista standard")
    )
    assert "possono entrare nella lista del" in str(cut_off["DESCRIPTION"])
    assert len(english) == len(italian)


def test_registered_tournaments(own: Served) -> None:
    office, client = replace(own.office, author="tests"), own.client()
    name = "Open di Sant’Ambrogio; 3ª edizione, con un nome molto lungo che va a capo più volte"
    first, last = date(2025, 3, 1), date(2025, 3, 2)
    number = register_event(
        office, name, city="Milano", federation="ITA", first_day=first, last_day=last
    ).event
    event = read(client, "/calendars/it/tournaments.ics")[-1]
    assert (str(event["SUMMARY"]), str(event["LOCATION"])) == (name, "Milano, ITA")
    assert str(event["UID"]).startswith(f"tournament-{number}@")
    assert event["DTEND"].dt == date(2025, 3, 3)  # type: ignore[union-attr]
    assert client.get("/calendars/de/tournaments.ics").status_code == 404

    change_registration(office, number, last_day=date(2025, 3, 3), schedule=["2025-03-03 9:00 15:00"])
    event = read(client, "/calendars/it/tournaments.ics")[-1]
    assert (event["DTEND"].dt, str(event["DESCRIPTION"])) == (date(2025, 3, 4), "2025-03-03 09:00 15:00")  # type: ignore[union-attr]
    assert "STATUS" not in event
    assert name in client.get("/").text.replace("&#39;", "’")
    cancel_registration(office, number, reason="no hall")
    event = read(client, "/calendars/it/tournaments.ics")[-1]
    assert (str(event["STATUS"]), str(event["UID"]).startswith(f"tournament-{number}@")) == (
        "CANCELLED",
        True,
    )
    assert name not in client.get("/").text
