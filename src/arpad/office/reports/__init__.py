"""The reports on file: bytes, facts, statuses, and what officers decided about them."""

PARTS = {
    "fill_after_migration": "entrant_rows",
    "report_choices": "page_rows",
    "waiting_reports": "page_rows",
}
