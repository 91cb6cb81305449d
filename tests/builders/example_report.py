"""The report that examples of acts send to the demo, as number 44."""

from arpad.office.office import Office
from tests.builders.site_fixtures import OPEN
from tests.builders.verbs import submit

NUMBER = 44


def waiting_report(office: Office) -> int:
    """Send a report, unless it was sent; return its number."""
    return submit(office, OPEN, "open.trf").report
