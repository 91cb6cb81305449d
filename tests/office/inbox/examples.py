"""Values with which the acts and queries of the inbox work in the office of the demo."""

from dataclasses import replace

from arpad.office.office import Office
from tests.builders.example_report import NUMBER, waiting_report
from tests.builders.site_fixtures import OPEN
from tests.builders.verbs import submit

GIVEN = {
    "accept": {"report": NUMBER},
    "match": {"report": NUMBER, "matches": {"8": "new"}},
    "matches": {"report": NUMBER},
    "inbox accept": {"reports": [NUMBER]},
    "report": {"report": NUMBER},
    "get report": {"number": NUMBER + 1},
    "get report receipt": {"number": NUMBER + 1},
    "preview report": {"number": NUMBER + 1},
    "inbox join": {"reports": [NUMBER, NUMBER + 1]},
}


def prepare(office: Office) -> None:
    """Send a report, so that one waits."""
    waiting_report(office)


def _send_another(office: Office) -> None:
    submit(office, OPEN.replace(b"022 ", b"022 Nuova "), "second.trf")


def _send_own(office: Office) -> None:
    _send_another(replace(office, author="officer"))


BEFORE = {
    "inbox join": _send_another,
    "get report": _send_own,
    "get report receipt": _send_own,
    "preview report": _send_own,
}
