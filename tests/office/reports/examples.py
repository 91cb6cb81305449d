"""Values with which the acts about reports on file work in the office of the demo."""

from arpad.office.office import Office
from arpad.office.reports.acts import withdraw
from tests.builders.example_report import NUMBER, waiting_report

GIVEN = {name: {"report": NUMBER} for name in ("return", "withdraw", "reinstate")}


def prepare(office: Office) -> None:
    """Send a report, so that one waits."""
    waiting_report(office)


def _withdraw_it(office: Office) -> None:
    withdraw(office, NUMBER, reason="a test")


BEFORE = {"reinstate": _withdraw_it}
