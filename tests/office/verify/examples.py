"""Values with which a verification works in the office of the demo."""

from typing import Any

GIVEN: dict[str, dict[str, Any]] = {"verify": {"quick": True}}
VARIES = {"verify": ("entered_later",)}
