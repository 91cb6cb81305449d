"""Values with which the acts and queries of registrations work in the office of the demo."""

from datetime import date
from typing import Any

from arpad.office.office import Office
from arpad.office.registrations.acts import cancel_registration, register_event
from arpad.office.registrations.deadlines import event_deadlines

GIVEN: dict[str, dict[str, Any]] = {
    "tournament register": {"federation": "ITA", "schedule": ["2025-03-01 15:00", "2025-03-02 2"]},
    "tournament change": {"city": "Torino", "schedule": [""]},
    "tournament deadlines": {"everything": True},
}


def prepare(office: Office) -> None:
    """Register a tournament, if the demo did not."""
    if not event_deadlines(office, everything=True):
        first, last = date(2025, 3, 1), date(2025, 3, 2)
        register_event(office, "Open", federation="ITA", first_day=first, last_day=last)


def _cancel(office: Office) -> None:
    cancel_registration(office, 1, reason="no hall")


BEFORE = {"tournament reinstate": _cancel}
