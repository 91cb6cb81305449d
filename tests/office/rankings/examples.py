"""Values with which the query of rankings works in the office of the demo."""

from __future__ import annotations

GIVEN = {"ranking": {"cut": "women", "date": "2025-01-10"}}
