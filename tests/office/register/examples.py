"""Values with which the acts and queries of the register work in the office of the demo."""

from datetime import date

from arpad.model.declared import Upload
from arpad.office.office import Office
from arpad.office.register.acts import add_identifier, report_death

GIVEN = {
    "register enter": {"federation": "ITA", "born": "1990", "identifiers": {"fsi": "990077"}},
    "register change": {"set": {"title": "CM"}},
    "import-register": {"file": Upload("players.csv", b"name,federation,born\nNuovi Ugo,ITA,1980\n")},
}
BEFORE = {
    "register withdraw-death": lambda office: report_death(office, 1, date(2024, 12, 1), reason="letter"),
    "register remove-number": lambda office: add_identifier(office, 1, "fsi", "990001"),
}


def prepare(office: Office) -> None:
    """The demo has all that the examples name."""
