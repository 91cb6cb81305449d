"""Registrations of tournaments (0.2): changed, refused, cancelled and put in force again after they were entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.errors import BadInput
from arpad.office.office import ActContext, Office, record_act
from arpad.office.registrations.rows import (
    CANCELLED,
    REFUSED,
    REGISTERED,
    add_event,
    add_event_change,
    registered_event,
)
from arpad.reports.event_facts import EventFacts, facts_document, facts_from
from arpad.reports.playing_schedule import schedule_within

LONGEST_NAME = 200
LONGEST_CITY = 100
LONGEST_FEDERATION = 10


@dataclass(frozen=True, slots=True)
class Registration:
    """The values of a registration; the schedule as lines ``2026-03-01 15:00 19:30``."""

    name: str
    first_day: date
    last_day: date
    city: str = ""
    federation: str = ""
    schedule: Sequence[str] = ()

    def row(self, facts: EventFacts) -> dict[str, Any]:
        """Return the columns of the registration; refuse what cannot be registered."""
        if not self.name.strip():
            raise BadInput("value-missing", option="name")
        for option, text, most in (
            ("name", self.name, LONGEST_NAME), ("city", self.city, LONGEST_CITY),
            ("federation", self.federation, LONGEST_FEDERATION),
        ):  # fmt: skip
            if len(text) > most:
                raise BadInput("setting-name", option=option, most=most)
        if self.last_day < self.first_day:
            raise BadInput("event-days", first=self.first_day, last=self.last_day)
        schedule = schedule_within(self.schedule, self.first_day, self.last_day)
        return {
            "name": self.name.strip(), "city": self.city.strip(), "federation": self.federation.strip().upper(),
            "first_day": str(self.first_day), "last_day": str(self.last_day),
            "facts": dump(facts_document(replace(facts, schedule=schedule))),
        }  # fmt: skip


def enter_registration(
    office: Office, registration: Registration, facts: EventFacts | None = None, reason: str = ""
) -> int:
    """Register a tournament before it starts (0.2); reports with its name and first day are linked to it."""
    row = registration.row(facts or EventFacts())
    with record_act(office, "register-event", reason) as act:
        number = add_event(act.connection, row | {"registered": str(act.today), "act": act.seq})
        act.record(event=number, **_details(row))
    return number


def registration_of(office: Office, number: int) -> Registration:
    """Return a registration as it is now; refuse an unknown number."""
    with office.store.reading() as connection:
        return _registration(_known(connection, number))


def change_registration(office: Office, number: int, registration: Registration, reason: str = "") -> None:
    """Change a registration that is in force; the day on which it was registered stays."""
    with record_act(office, "change-event", reason) as act:
        before = _known(act.connection, number)
        if before["state"] != REGISTERED:
            raise BadInput("event-not-in-force", event=number)
        row = registration.row(facts_from(load(before["facts"])))
        if row != {name: before[name] for name in row}:
            _add_change(act, number, row, REGISTERED)
            act.record(event=number, **_details(row))


def refuse_registration(office: Office, number: int, reason: str) -> None:
    """Refuse to register a tournament, with the reason (2024 0.2, 2017 0.2; 2009 0.4)."""
    _end(office, "refuse-event", number, REFUSED, reason)


def cancel_registration(office: Office, number: int, reason: str) -> None:
    """Cancel a registration: the tournament does not take place."""
    _end(office, "cancel-event", number, CANCELLED, reason)


def reinstate_registration(office: Office, number: int, reason: str) -> None:
    """Put a refused or cancelled registration in force again."""
    with record_act(office, "reinstate-event", reason, reason_needed=True) as act:
        before = _known(act.connection, number)
        if before["state"] == REGISTERED:
            raise BadInput("event-in-force", event=number)
        _change_state(act, before, REGISTERED)


def _end(office: Office, verb: str, number: int, state: str, reason: str) -> None:
    with record_act(office, verb, reason, reason_needed=True) as act:
        before = _known(act.connection, number)
        if before["state"] != REGISTERED:
            raise BadInput("event-not-in-force", event=number)
        _change_state(act, before, state)


def _change_state(act: ActContext, before: dict[str, Any], state: str) -> None:
    row = {name: before[name] for name in ("name", "city", "federation", "first_day", "last_day", "facts")}
    _add_change(act, before["id"], row, state)
    act.record(event=before["id"], name=before["name"])


def _add_change(act: ActContext, number: int, row: dict[str, Any], state: str) -> None:
    add_event_change(act.connection, {"event": number, "state": state, **row, "act": act.seq})


def _details(row: dict[str, Any]) -> dict[str, Any]:
    """Return what the ledger says about a registration."""
    details = {name: row[name] for name in ("name", "first_day", "last_day")}
    schedule = facts_from(load(row["facts"])).schedule
    return details | ({"schedule": list(schedule)} if schedule else {})


def _known(connection: Connection, number: int) -> dict[str, Any]:
    event = registered_event(connection, number)
    if event is None:
        raise BadInput("no-event", event=number)
    return event


def _registration(event: dict[str, Any]) -> Registration:
    return Registration(
        event["name"], date.fromisoformat(event["first_day"]), date.fromisoformat(event["last_day"]), event["city"],
        event["federation"], facts_from(load(event["facts"])).schedule,
    )  # fmt: skip


def with_registration(facts: EventFacts, event: Mapping[str, Any]) -> EventFacts:
    """Return the facts of a report with what its registration is now: the schedule, and whether it is in force."""
    state = event["state"]
    return replace(
        facts, schedule=facts_from(load(event["facts"])).schedule,
        registered=None if state != REGISTERED else facts.registered or date.fromisoformat(event["registered"]),
        registration_refused=True if state == REFUSED else None,
        registration_cancelled=True if state == CANCELLED else None,
    )  # fmt: skip
