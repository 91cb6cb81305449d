"""Values with which the query of rankings works in the office of the demo."""

GIVEN = {"ranking": {"cut": "women", "date": "2025-01-10"}}
