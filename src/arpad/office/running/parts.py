"""What other features ask of tournaments in progress (``office.parts``): the function, and the module that has it."""

PARTS = {
    "erase_texts": "rows",
    "expected_reports": "acts",
    "held_about": "rows",
    "playing_now": "acts",
    "read_running": "pages",
    "shown_running": "acts",
}
