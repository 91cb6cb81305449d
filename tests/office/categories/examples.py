"""Values with which the queries of national categories work in the office of the demo."""

from dataclasses import replace
from datetime import UTC, date, datetime

from arpad.model.rules import ListName
from arpad.office.editions.acts import adopt_edition
from arpad.office.office import Office
from tests.builders.verbs import publish

CATEGORIES = """id = "own-2025"
base = "fide-2024"

[standard]
categories = { article = "own 4", value = [{ name = "1N", rating = 1800 }, { name = "CM", rating = 2000 }] }
"""

GIVEN = {"category list": {"date": "2025-02-01"}}


def publish_with_categories(office: Office) -> None:
    """Publish a list under an edition that has categories."""
    adopt_edition(office, CATEGORIES, lists=[ListName.STANDARD], since=date(2025, 1, 10), reason="board")
    february = datetime(2025, 2, 1, 9, tzinfo=UTC)
    publish(replace(office, now=lambda: february), ListName.STANDARD, date(2025, 2, 1))


BEFORE = {"category list": publish_with_categories}
