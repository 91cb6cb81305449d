"""Values with which the acts of FIDE's lists work in the office of the demo."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from arpad.office.fide.reference import add_reference
from arpad.office.office import Office
from tests.builders.reference import write_reference


def _listed(office: Office) -> None:
    with TemporaryDirectory() as folder:
        add_reference(office, write_reference(Path(folder), "fide.txt"), date(2025, 1, 1))


BEFORE = {"fide enter": _listed}
