"""Values with which the acts and queries of tournaments in progress work in the office of the demo."""

from datetime import date

from arpad.office.office import Office
from arpad.office.running.versions import send_version
from tests.builders.chess import event
from tests.builders.offices import WIN, trf

VARIES = {"running list": ("tournaments",), "running show": ("tournament",), "running end": ("received",)}


def prepare(office: Office) -> None:
    """Show a tournament in progress."""
    report = event("Winter Cup", WIN, date(2025, 1, 12))
    send_version(office, trf(report), "cup.trf", "open-2026")
