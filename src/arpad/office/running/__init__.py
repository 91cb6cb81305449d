"""Tournaments in progress."""

PARTS = {
    "erase_texts": "rows",
    "expected_reports": "acts",
    "held_about": "rows",
    "playing_now": "acts",
    "read_running": "pages",
    "shown_running": "acts",
}
