"""The registered tournaments with the deadlines of their editions: what was done, and what is overdue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import load
from arpad.model.errors import NoEdition
from arpad.model.rules import Edition, ListName
from arpad.office.arbiters.rows import days_sent
from arpad.office.editions.acts import editions_here
from arpad.office.office import Office, today
from arpad.office.registrations.rows import EventReport, registered_events, reports_of_events
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, RECEIVED, REGISTERED
from arpad.regulations.editions import in_force
from arpad.regulations.fide.deadlines import BEFORE_THE_EVENT, Deadline, DeadlineKind, deadlines_of
from arpad.regulations.systems import system_of
from arpad.reports.event_facts import facts_from
from arpad.store.bulk import cached_until_act
from arpad.store.ledger import some_acts


class DeadlineState(StrEnum):
    """How a deadline stands today, the most urgent first."""

    OVERDUE = "overdue"
    OPEN = "open"
    LATE = "late"
    """Done, but too late."""

    MET = "met"


class Standing(StrEnum):
    """How a registered tournament stands."""

    OVERDUE = "overdue"
    OPEN = "open"
    DONE = "done"
    ENDED = "ended"
    """Refused or cancelled."""


@dataclass(frozen=True, slots=True)
class DatedDeadline:
    """A deadline of a tournament: what must be done until a day, and the day on which it was met."""

    what: DeadlineKind
    day: date
    article: str
    state: DeadlineState
    done: date | None = None


@dataclass(frozen=True, slots=True)
class EventDeadlines:
    """A registered tournament with its deadlines."""

    event: int
    name: str
    city: str
    federation: str
    first_day: date
    last_day: date
    reports: tuple[int, ...]
    deadlines: tuple[DatedDeadline, ...]
    accepted: int | None = None
    """The accepted report, whose file FIDE takes."""

    to_send: int | None = None
    """The accepted report that was not sent to FIDE yet."""

    state: str = REGISTERED
    """Whether the registration is in force, refused or cancelled."""

    reason: str = ""
    """Why it was changed, refused or cancelled last."""

    schedule: tuple[str, ...] = ()

    @property
    def waiting(self) -> tuple[DatedDeadline, ...]:
        """Return the deadlines that are not met."""
        return tuple(item for item in self.deadlines if item.done is None)

    @property
    def over(self) -> tuple[DatedDeadline, ...]:
        """Return the deadlines that are met, in time or late."""
        return tuple(item for item in self.deadlines if item.done is not None)

    @property
    def next(self) -> DatedDeadline | None:
        """Return the most urgent deadline that is not met."""
        return min(self.waiting, key=lambda item: (_URGENCY[item.state], item.day), default=None)

    def standing(self, now: date) -> Standing:
        """Return how the tournament stands on a day, as the board of deadlines sorts them."""
        if self.state != REGISTERED:
            return Standing.ENDED
        if self.next is not None and self.next.state is DeadlineState.OVERDUE:
            return Standing.OVERDUE
        return Standing.OPEN if self.next is not None or self.last_day >= now else Standing.DONE


_URGENCY = {state: at for at, state in enumerate(DeadlineState)}
_SENT = frozenset({DeadlineKind.FEDERATION_REPORT, DeadlineKind.DUE_LIST, DeadlineKind.LAST_LIST})
"""The deadlines that an officer meets by sending the report to FIDE."""


def event_deadlines(office: Office, *, everything: bool = False) -> list[EventDeadlines]:
    """Return the registered tournaments as of today, as ``dated_events`` does."""
    with office.store.reading() as connection:
        return dated_events(connection, today(office, connection), everything=everything)


@cached_until_act
def dated_events(connection: Connection, now: date, *, everything: bool = False) -> list[EventDeadlines]:
    """Return the registered tournaments, overdue ones first; unless ``everything``, only those with open deadlines."""
    events = registered_events(connection)
    reports = reports_of_events(connection)
    sent = days_sent(connection)
    editions = editions_here(connection)
    acts = some_acts(connection, [event["act"] for event in events])
    described = [
        replace(
            _described(editions, event, reports.get(event["id"], ()), sent, now), state=event["state"],
            reason=acts[event["act"]].reason, schedule=facts_from(load(event["facts"])).schedule,
        )
        for event in events
    ]  # fmt: skip
    chosen = [event for event in described if everything or event.next is not None]
    return sorted(chosen, key=_urgency)


def near_deadlines(connection: Connection, now: date, days: int) -> list[tuple[int, str, str, str, date]]:
    """Return the open deadlines that are over or within so many days: tournament, name, federation, what, day."""
    return [
        (event.event, event.name, event.federation, str(it.what), it.day)
        for event in dated_events(connection, now)
        for it in event.waiting
        if (it.day - now).days <= days
    ]


def _urgency(event: EventDeadlines) -> tuple[int, date, int]:
    waiting = event.next
    if waiting is None:
        return len(DeadlineState), event.last_day, event.event
    return _URGENCY[waiting.state], waiting.day, event.event


def _described(
    editions: Sequence[Edition[Any]],
    event: Mapping[str, Any],
    reports: Sequence[EventReport],
    sent: Mapping[int, date],
    now: date,
) -> EventDeadlines:
    first, last = date.fromisoformat(event["first_day"]), date.fromisoformat(event["last_day"])
    facts = load(event["facts"])
    on_list = ListName(facts.get("list") or next((it.list for it in reports if it.list), ListName.STANDARD))
    standing = [report for report in reports if report.status in (RECEIVED, ACCEPTED)]
    received = min((report.received for report in standing), default=None)
    days = [sent[report.report] for report in standing if report.report in sent]
    registered, first_sent = date.fromisoformat(event["registered"]), min(days, default=None)

    def done(kind: DeadlineKind) -> date | None:
        return registered if kind in BEFORE_THE_EVENT else first_sent if kind in _SENT else received

    accepted = max((report.report for report in standing if report.status == ACCEPTED), default=None)
    is_registered = event["state"] == REGISTERED
    deadlines = (
        _deadlines(editions, on_list, first, last, norms=bool(facts.get("norms"))) if is_registered else ()
    )
    return EventDeadlines(
        event["id"], event["name"], event["city"], event["federation"], first, last,
        tuple([report.report for report in reports]),
        tuple([_dated(deadline, done(deadline.kind), now) for deadline in deadlines]),
        accepted, accepted if deadlines and not days else None,
    )  # fmt: skip


def _deadlines(
    editions: Sequence[Edition[Any]], on_list: ListName, first: date, last: date, *, norms: bool = False
) -> tuple[Deadline, ...]:
    """Return the deadlines of a tournament; draughts has none, and nothing was due before the first edition."""
    if system_of(on_list).rates_again:
        return ()
    try:
        rules = in_force(editions, on_list, first).on(on_list)
    except NoEdition:
        return ()
    return deadlines_of(first, last, rules, norms=norms)


def days_due(connection: Connection, reports: Iterable[Filed]) -> dict[int, date]:
    """Return by which day each of these reports must be with FIDE, by number; left out if no day is known."""
    editions = editions_here(connection)
    due: dict[int, date] = {}
    for filed in reports:
        if filed.undecided or filed.first_day is None or filed.last_day is None:
            continue
        dated = _deadlines(editions, filed.list, filed.first_day, filed.last_day)
        days = [deadline.day for deadline in dated if deadline.kind in _SENT]
        if days:
            due[filed.id] = min(days)
    return due


def _dated(deadline: Deadline, done: date | None, now: date) -> DatedDeadline:
    if done is not None:
        state = DeadlineState.MET if done <= deadline.day else DeadlineState.LATE
    else:
        state = DeadlineState.OPEN if now <= deadline.day else DeadlineState.OVERDUE
    return DatedDeadline(deadline.kind, deadline.day, deadline.article, state, done)
