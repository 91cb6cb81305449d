"""Values with which the acts and queries of editions work in the office of the demo."""

from datetime import date

from arpad.model.rules import ListName
from arpad.office.editions.acts import adopt_edition
from arpad.office.office import Office

NEXT = """id = "circolo-2031"
base = "fide-2024-12"
effective = 2031-01-01

[every]
k_usual = { value = 25, article = "own 3" }
"""

GIVEN = {"edition adopt": {"text": NEXT, "lists": ["standard"]}}


def prepare(office: Office) -> None:
    """Adopt the edition that an example revokes."""
    first = NEXT.replace("2031", "2030")
    adopt_edition(office, first, lists=[ListName.RAPID], since=date(2030, 1, 1), reason="the board decided")
