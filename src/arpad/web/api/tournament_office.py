"""The office of tournaments for officers' programs: registering tournaments, and the reconciliation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.explain.reconciliation_document import csv_text, document
from arpad.lists.reconciled import Reconciliation
from arpad.lists.reference import LISTS
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office.fide.pages import own_reconciliation
from arpad.office.fide.reconcile import reconcile_office
from arpad.office.inbox.submit import register_event
from arpad.office.office import Office
from arpad.office.registrations.acts import (
    Registration,
    cancel_registration,
    change_registration,
    refuse_registration,
    registration_of,
    reinstate_registration,
)
from arpad.office.registrations.deadlines import record_sent
from arpad.office.reports.pages import officers_own
from arpad.office.users import Role
from arpad.web.api.parameters import ChessList, Note, ReportNumber
from arpad.web.api.responses import answers, csv_answers, to_schema
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import office_of_officer, worker
from arpad.web.language import words_for
from arpad.web.refusals import Refused

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}
COSTLY_SECURED: dict[str, Any] = SECURED | {"opt": dict(scope("register")) | COSTLY}


def _query(description: str, example: str, most: int = 200) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


FederationCode = Annotated[str, _query("The federation.", "ITA", 10)]
FirstDay = Annotated[str, _query("The first day.", "2025-03-01", 40)]
LastDay = Annotated[str, _query("The last day.", "2025-03-09", 40)]
Schedule = Annotated[
    list[str] | None,
    QueryParameter(
        description="The playing schedule, once for each day: the day with the times at which rounds start, or with "
        "their number.",
        max_items=200,
        examples=[Example(value=["2025-03-01 15:00 19:30", "2025-03-02 2"])],
    ),
]


def _event_number(example: int) -> Any:
    return PathParameter(
        description="The number of the registration.", ge=1, le=2**31 - 1, examples=[Example(value=example)]
    )


EventNumber = Annotated[int, _event_number(1)]
ReinstatedNumber = Annotated[int, _event_number(2)]
CancelledNumber = Annotated[int, _event_number(3)]
RefusedNumber = Annotated[int, _event_number(4)]
ListDay = Annotated[str, _query("The day of FIDE's list; default: the newest.", "2025-01-01", 40)]


@dataclass
class RegisteredOut:
    """A tournament that was registered."""

    event: int


@dataclass
class SentOut:
    """A report that was sent to FIDE."""

    report: int
    day: str


@dataclass
class ReconciledEventOut:
    """An event of the period as the office rates it."""

    event: str
    games: int
    k: int | None
    change: str


@dataclass
class CauseOut:
    """Why FIDE's list differs."""

    code: str
    text: str


@dataclass
class ReconciledPlayerOut:
    """A player before the period, as computed and as FIDE published."""

    id: int
    name: str
    federation: str
    before: int | None
    computed: int | None
    published: int | None
    difference: int | None
    games: int
    published_games: int | None
    agrees: bool
    events: Sequence[ReconciledEventOut]
    causes: Sequence[CauseOut]


@dataclass
class ReconciliationOut:
    """FIDE's list beside the office's own calculation."""

    list: str
    before: str
    after: str
    edition: str
    compared: int
    differing: int
    unexplained: int
    other_periods: Sequence[str]
    players: Sequence[ReconciledPlayerOut]


def _federations_office(request: Asked, federation: str) -> Office:
    """Return the office if the officer may decide for this federation."""
    office = office_of_officer(request)
    if not worker(request).may(Role.OFFICER, federation):
        raise Refused(403, "bound-officer")
    return office


@post(
    "/events", status_code=201, summary="Register a tournament", **SECURED,
    responses=answers(RegisteredOut, "POST /api/v1/events", 400, 401, 403, 404, status=201),
)  # fmt: skip
def register_tournament(
    request: Asked,
    name: Annotated[str, _query("The name.", "Open di Roma")],
    federation: FederationCode,
    first_day: FirstDay,
    last_day: LastDay,
    city: Annotated[str, _query("The city.", "Roma", 100)] = "",
    schedule: Schedule = None,
    reason: Note = "",
) -> RegisteredOut:
    """Register a tournament before it starts; `/deadlines` shows what is due for it."""
    office = _federations_office(request, federation.upper())
    if not name.strip():
        raise BadInput("value-missing", option="name")
    first, last = parse_day(first_day, "first_day"), parse_day(last_day, "last_day")
    event = register_event(
        office, name, city=city, federation=federation.upper(), first_day=first, last_day=last,
        schedule=schedule or (), reason=reason,
    )  # fmt: skip
    return RegisteredOut(event)


def _own_event(request: Asked, number: int) -> tuple[Office, Registration]:
    """Return the office and a registration that the officer may decide about."""
    registration = registration_of(office_of_officer(request), number)
    return _federations_office(request, registration.federation), registration


@post(
    "/events/{number:int}", status_code=200, summary="Change a registration", **SECURED,
    responses=answers(RegisteredOut, "POST /api/v1/events/{number}", 400, 401, 403, 404),
)  # fmt: skip
def change_event(
    request: Asked,
    number: EventNumber,
    name: Annotated[str, _query("Another name.", "Open di Roma")] = "",
    federation: FederationCode = "",
    first_day: FirstDay = "",
    last_day: LastDay = "",
    city: Annotated[str, _query("The city.", "Roma", 100)] = "",
    schedule: Schedule = None,
    reason: Note = "",
) -> RegisteredOut:
    """Change a registered tournament: what is not given stays; a schedule replaces the one before."""
    office, present = _own_event(request, number)
    if federation:
        _federations_office(request, federation.upper())
    given: dict[str, Any] = {
        "name": name, "federation": federation, "city": city, "schedule": schedule,
        "first_day": parse_day(first_day, "first_day") if first_day else None,
        "last_day": parse_day(last_day, "last_day") if last_day else None,
    }  # fmt: skip
    changed = replace(present, **{key: value for key, value in given.items() if value})
    change_registration(office, number, changed, reason)
    return RegisteredOut(number)


@post(
    "/events/{number:int}/refuse", status_code=200, summary="Refuse a registration", **SECURED,
    responses=answers(RegisteredOut, "POST /api/v1/events/{number}/refuse", 400, 401, 403, 404),
)  # fmt: skip
def refuse_event(request: Asked, number: RefusedNumber, reason: Note) -> RegisteredOut:
    """Refuse to register a tournament (0.2)."""
    refuse_registration(_own_event(request, number)[0], number, reason)
    return RegisteredOut(number)


@post(
    "/events/{number:int}/cancel", status_code=200, summary="Cancel a registration", **SECURED,
    responses=answers(RegisteredOut, "POST /api/v1/events/{number}/cancel", 400, 401, 403, 404),
)  # fmt: skip
def cancel_event(request: Asked, number: CancelledNumber, reason: Note) -> RegisteredOut:
    """Cancel a registered tournament, which does not take place."""
    cancel_registration(_own_event(request, number)[0], number, reason)
    return RegisteredOut(number)


@post(
    "/events/{number:int}/reinstate", status_code=200, summary="Put a registration in force again", **SECURED,
    responses=answers(RegisteredOut, "POST /api/v1/events/{number}/reinstate", 400, 401, 403, 404),
)  # fmt: skip
def reinstate_event(request: Asked, number: ReinstatedNumber, reason: Note) -> RegisteredOut:
    """Put a refused or cancelled registration in force again."""
    reinstate_registration(_own_event(request, number)[0], number, reason)
    return RegisteredOut(number)


@post(
    "/reports/{number:int}/sent", status_code=200, summary="A report was sent to FIDE", **SECURED,
    responses=answers(SentOut, "POST /api/v1/reports/{number}/sent", 400, 401, 403, 404),
)  # fmt: skip
def record_report_sent(
    request: Asked,
    number: ReportNumber,
    day: Annotated[str, _query("The day; default: today.", "2025-01-14", 40)] = "",
) -> SentOut:
    """Record that an accepted report was sent to FIDE, which meets the officer's deadline."""
    office = officers_own(request, number)
    on = record_sent(office, number, parse_day(day, "day") if day else None)
    return SentOut(number, str(on))


def _reconciled(request: Asked, on_list: str, day: str) -> Reconciliation:
    if on_list not in LISTS:
        raise BadInput("value-unknown", option="list", value=on_list, accepted=", ".join(LISTS))
    on = parse_day(day, "day") if day else None
    return own_reconciliation(request, reconcile_office(office_of_officer(request), ListName(on_list), on))


@get(
    "/reconciliation", summary="FIDE's list and ours", **COSTLY_SECURED,
    responses=answers(ReconciliationOut, "GET /api/v1/reconciliation", 400, 401, 403, 404),
)  # fmt: skip
def get_reconciliation(
    request: Asked,
    list: ChessList = "standard",  # noqa: A002  the parameter's name in the address
    day: ListDay = "",
) -> ReconciliationOut:
    """The change of every own player as computed and as FIDE published it, with the cause of a difference."""
    return to_schema(ReconciliationOut, document(_reconciled(request, list, day), words_for(request)))


@get(
    "/reconciliation.csv", summary="FIDE's list and ours, as CSV", media_type="text/csv", **COSTLY_SECURED,
    responses=csv_answers("GET /api/v1/reconciliation.csv", 400, 401, 403, 404),
)  # fmt: skip
def get_reconciliation_csv(
    request: Asked,
    list: ChessList = "standard",  # noqa: A002  the parameter's name in the address
    day: ListDay = "",
) -> Response[bytes]:
    """The whole comparison as a file to send."""
    text = csv_text(_reconciled(request, list, day), words_for(request))
    return Response(text.encode(), media_type="text/csv")


ROUTES = (
    register_tournament, change_event, refuse_event, cancel_event,
    reinstate_event, record_report_sent, get_reconciliation,
    get_reconciliation_csv,
)  # fmt: skip
