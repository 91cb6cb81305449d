"""Values with which the queries of draughts work in the office of the demo."""

from datetime import date
from typing import Any

from arpad.office.office import Office
from tests.builders.verbs import decide

GIVEN: dict[str, dict[str, Any]] = {"draughts promotions": {"from": "2023-01-01", "to": "2024-12-31"}}


def prepare(office: Office) -> None:
    """Enter an FMJD rating."""
    decide(office, "fmjd", player=1, date_=date(2024, 6, 1), value={"fmjd": "2201"}, reason="FMJD list")
