"""Values with which the acts and queries of FIDE's lists work in the office of the demo."""

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from arpad.office.fide.reference import add_reference
from arpad.office.office import Office
from tests.builders.reference import REFERENCE, row, write_reference
from tests.builders.verbs import registered

GIVEN = {"fide search": {"name": "short"}}


def prepare(office: Office) -> None:
    """Keep the lists of two months, in which two players of the demo have won points."""
    with TemporaryDirectory() as folder:
        for day, gain in ((date(2024, 12, 1), 0), (date(2025, 1, 1), 25)):
            people = [registered(office, number) for number in (1, 2)]
            lines = [row(int(it.identifier("fide")), it.name, rating=2000 + gain) for it in people]
            add_reference(office, write_reference(Path(folder), f"{day}.txt", *lines, *REFERENCE), day)
