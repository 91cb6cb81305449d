"""The reports on file: bytes, facts, statuses, and what officers decided about them."""
