"""Values with which the acts and queries of webhooks work in the office of the demo."""

from typing import Any

from arpad.office.office import Office
from arpad.office.webhooks.acts import add_webhook

GIVEN: dict[str, dict[str, Any]] = {
    "webhook add": {"url": "http://127.0.0.1:9/other", "private_host": "127.0.0.1"}
}
VARIES = {
    "webhook add": ("secret",),
    "webhook list": ("webhooks",),
    "webhook changes": ("changes", "next", "more"),
}


def prepare(office: Office) -> None:
    """Add a webhook that was told of nothing yet."""
    add_webhook(office, "http://127.0.0.1:9/hook", private_host="127.0.0.1")
