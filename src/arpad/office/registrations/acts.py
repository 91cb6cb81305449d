"""Registrations of tournaments (0.2): entered before they start, changed, refused, cancelled, put in force again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.office.arbiters.tables import sent_reports
from arpad.office.declared import FederationCode, Reading, Reason, act, query
from arpad.office.mails import mail_is_set_up, queue_for_user
from arpad.office.office import ActContext, Office, today
from arpad.office.registrations.deadlines import (
    DatedDeadline,
    DeadlineState,
    EventDeadlines,
    dated_events,
    event_deadlines,
)
from arpad.office.registrations.rows import CANCELLED, REFUSED, registered_event
from arpad.office.registrations.tables import event_changes
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED, REGISTERED, events
from arpad.office.users import Permission, Role, User, officer, officer_of
from arpad.reports.event_facts import (
    EXAMPLE,
    MOST_DAYS,
    EventFacts,
    facts_document,
    facts_from,
    schedule_within,
)
from arpad.store.accounts import active_choices
from arpad.store.jobs import Job

EventNumber = Annotated[int, Accepts("1", word="registration", picks="tournament")]
Name = Annotated[str, Accepts("Open di Roma", word="event-name", personal=False)]
FirstDay = Annotated[date, Accepts("2025-03-01", word="event-first-day")]
LastDay = Annotated[date, Accepts("2025-03-09", word="event-last-day")]
City = Annotated[str, Accepts("Roma", longest=100, word="event-city", personal=False)]
Schedule = Annotated[
    Sequence[str], Accepts(EXAMPLE, longest=MOST_DAYS, word="event-schedule", personal=False, lines=True)
]
SentReports = Annotated[Sequence[int], Accepts("1", word="sent-reports")]
SentOn = Annotated[date, Accepts("2025-01-14", word="sent-on")]
Everything = Annotated[bool, Accepts(word="deadlines-everything")]


def known_event(connection: Connection, number: int) -> dict[str, Any]:
    """Return a registration as it is now; refuse an unknown number."""
    event = registered_event(connection, number)
    if event is None:
        raise BadInput("no-event", option="event", event=number)
    return event


def _may_change(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    """Return whether an officer may decide for the federation of a tournament, and for a new one."""
    known = known_event(connection, given["event"])["federation"]
    return all(user.may(Role.OFFICER, it) for it in (known, given["federation"] or known))


OF_FEDERATION = officer_of("register", lambda _, given: str(given["federation"]))
OF_EVENT = officer_of(
    "register", lambda connection, given: str(known_event(connection, given["event"])["federation"])
)


def _may_send(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    """Return whether an officer may decide for the federations of all these reports."""
    return all(user.may(Role.OFFICER, report_on_file(connection, it).federation) for it in given["report"])


BOARD, PAGE = "/desk/events", "/desk/events/{event}"


@dataclass(frozen=True, slots=True)
class Registered:
    """A registration that was entered or changed."""

    event: int


@dataclass(frozen=True, slots=True)
class Sent:
    """Reports that were sent to FIDE."""

    sent: int
    """How many."""

    day: date


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The registered tournaments, overdue ones first."""

    events: tuple[EventDeadlines, ...]


# -------------------------------------------------------------------------------------------------------- the acts


@act("tournament register", OF_FEDERATION, says="registration.entered", page=PAGE, verb="register-event")
def register_event(
    act: ActContext,
    name: Name,
    *,
    first_day: FirstDay,
    last_day: LastDay,
    city: City = "",
    federation: FederationCode = "",
    schedule: Schedule = (),
    reason: Reason = "",
) -> Registered:
    """Register a tournament with its playing schedule before it starts (0.2).

    Reports with its name and first day are linked to it.
    """
    values = {"name": name, "city": city, "federation": federation}
    return Registered(enter_event(act, event_row(values, (first_day, last_day), schedule, EventFacts())))


@act(
    "tournament change",
    Permission(Role.OFFICER, "register", _may_change),
    says="registration.changed",
    page=PAGE,
    verb="change-event",
)
def change_registration(
    act: ActContext,
    event: EventNumber,
    *,
    name: Name = "",
    first_day: FirstDay | None = None,
    last_day: LastDay | None = None,
    city: City | None = None,
    federation: FederationCode | None = None,
    schedule: Schedule | None = None,
    reason: Reason = "",
) -> Registered:
    """Change a registration that is in force: what is not given stays; a schedule replaces the one before.

    The day on which it was registered stays.
    """
    before = known_event(act.connection, event)
    if before["state"] != REGISTERED:
        raise BadInput("event-not-in-force", option="event", event=event)
    facts = facts_from(load(before["facts"]))
    given = {"name": name or None, "city": city, "federation": federation}
    values = {key: str(before[key] if text is None else text) for key, text in given.items()}
    days = (
        first_day or date.fromisoformat(before["first_day"]),
        last_day or date.fromisoformat(before["last_day"]),
    )
    row = event_row(values, days, facts.schedule if schedule is None else schedule, facts)
    act.unchanged = row == {key: before[key] for key in row}
    if not act.unchanged:
        _add_change(act, event, row, REGISTERED)
        act.record(**_details(row))
    return Registered(event)


@act("tournament refuse", OF_EVENT, says="registration.is-refused", page=PAGE, verb="refuse-event")
def refuse_registration(act: ActContext, event: EventNumber, *, reason: Reason) -> Registered:
    """Refuse to register a tournament, with the reason (2024 0.2, 2017 0.2; 2009 0.4)."""
    return _end(act, event, REFUSED)


@act("tournament cancel", OF_EVENT, says="registration.is-cancelled", page=PAGE, verb="cancel-event")
def cancel_registration(act: ActContext, event: EventNumber, *, reason: Reason) -> Registered:
    """Cancel a registration, with the reason: the tournament does not take place."""
    return _end(act, event, CANCELLED)


@act("tournament reinstate", OF_EVENT, says="registration.in-force", page=PAGE, verb="reinstate-event")
def reinstate_registration(act: ActContext, event: EventNumber, *, reason: Reason) -> Registered:
    """Put a refused or cancelled registration in force again, with the reason."""
    before = known_event(act.connection, event)
    if before["state"] == REGISTERED:
        raise BadInput("event-in-force", option="event", event=event)
    return _change_state(act, before, REGISTERED)


@act(
    "tournament sent",
    Permission(Role.OFFICER, "register", _may_send),
    says="registration.sent",
    page=BOARD,
    verb="sent-to-fide",
)
def record_sent(
    act: ActContext, report: SentReports, *, day: SentOn | None = None, reason: Reason = ""
) -> Sent:
    """Record that accepted reports were sent to FIDE, which meets the officer's deadlines."""
    on = day or act.today
    if on > act.today:
        raise BadInput("sent-later", option="day", day=on, today=act.today)
    for number in dict.fromkeys(report):
        require_status(report_on_file(act.connection, number), ACCEPTED)
        act.add(sent_reports, report=number, day=str(on))
    act.record(day=str(on))
    return Sent(len({*report}), on)


@query(
    "tournament deadlines",
    officer("register"),
    columns=("event", "name"),
    path="/deadlines",
    says="deadline.none",
)
def deadlines(reading: Reading, *, everything: Everything = False) -> Deadlines:
    """Show the registered tournaments with the deadlines of their edition, overdue ones first."""
    events = dated_events(reading.connection, reading.today, everything=everything)
    return Deadlines(tuple(it for it in events if reading.caller.officer_of(it.federation)))


# ------------------------------------------------------------------------------------------------- registrations


def event_row(
    values: Mapping[str, str], days: tuple[date, date], schedule: Sequence[str], facts: EventFacts
) -> dict[str, Any]:
    """Return the columns of a registration; refuse what cannot be registered."""
    first, last = days
    if last < first:
        raise BadInput("event-days", option="last_day", first=first, last=last)
    within = schedule_within(schedule, first, last)
    return {
        **values, "first_day": str(first), "last_day": str(last),
        "facts": dump(facts_document(replace(facts, schedule=within))),
    }  # fmt: skip


def enter_event(act: ActContext, row: Mapping[str, Any]) -> int:
    """Append a registration of today; return its number."""
    number = act.add(events, **row, registered=str(act.today))
    act.record(event=number, **_details(row))
    return number


def _end(act: ActContext, number: int, state: str) -> Registered:
    before = known_event(act.connection, number)
    if before["state"] != REGISTERED:
        raise BadInput("event-not-in-force", option="event", event=number)
    return _change_state(act, before, state)


def _change_state(act: ActContext, before: dict[str, Any], state: str) -> Registered:
    row = {name: before[name] for name in ("name", "city", "federation", "first_day", "last_day", "facts")}
    _add_change(act, before["id"], row, state)
    act.record(name=before["name"])
    return Registered(before["id"])


def _add_change(act: ActContext, number: int, row: dict[str, Any], state: str) -> None:
    act.add(event_changes, **row, event=number, state=state)


def _details(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the ledger says about a registration."""
    details = {name: row[name] for name in ("name", "first_day", "last_day")}
    schedule = facts_from(load(row["facts"])).schedule
    return details | ({"schedule": list(schedule)} if schedule else {})


def with_registration(facts: EventFacts, event: Mapping[str, Any]) -> EventFacts:
    """Return the facts of a report with what its registration is now: the schedule, and whether it is in force."""
    state = event["state"]
    return replace(
        facts, schedule=facts_from(load(event["facts"])).schedule,
        registered=None if state != REGISTERED else facts.registered or date.fromisoformat(event["registered"]),
        registration_refused=True if state == REFUSED else None,
        registration_cancelled=True if state == CANCELLED else None,
    )  # fmt: skip


NEAR_DAYS = 3
OFFICER = "officer"


def near_deadlines(events: list[EventDeadlines], now: date) -> list[tuple[EventDeadlines, DatedDeadline]]:
    """Return the tournaments whose next deadline is at most some days away, each with it."""
    near = []
    for event in events:
        waiting = event.next
        if waiting is None or waiting.state is not DeadlineState.OPEN:
            continue
        if 0 <= (waiting.day - now).days <= NEAR_DAYS:
            near.append((event, waiting))
    return near


def queue_deadlines(office: Office, _job: Job) -> None:
    """Queue one mail to each officer for each deadline that is near, once for each deadline."""
    with office.store.reading() as connection:
        now = today(office, connection)
        if not mail_is_set_up(connection):
            return
    near = near_deadlines(event_deadlines(office), now)
    with office.store.unlogged_writing() as connection:
        for choice in active_choices(connection, [OFFICER]):
            for event, deadline in near:
                queue_for_user(
                    connection, choice, "deadline", path="/desk/events", event=event.name, day=str(deadline.day),
                    deadline=str(deadline.what), key=f"deadline-{event.event}-{deadline.day}-{choice.user}",
                )  # fmt: skip
