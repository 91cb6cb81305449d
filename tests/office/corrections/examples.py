"""Values with which the acts and queries of publishing work in the office of the demo."""

from dataclasses import replace
from datetime import UTC, date, datetime

from arpad.model.rules import ListName
from arpad.office.drafts.publish import publish
from arpad.office.office import Office

FEBRUARY = date(2025, 2, 1)

GIVEN = {"publish": {"special": True}}


def publish_february(office: Office) -> None:
    """Publish the list that an example takes back."""
    moment = datetime(2025, 2, 1, 9, tzinfo=UTC)
    publish(replace(office, now=lambda: moment), ListName.STANDARD, FEBRUARY)


BEFORE = {"take-back": publish_february}
