"""What other features ask of tournaments in progress (``office.parts``): the function, and the module that has it."""

PARTS = {
    "erase_texts": "privacy",
    "expected_reports": "final_reports",
    "held_about": "privacy",
    "playing_now": "acts",
    "read_running": "pages",
    "shown_running": "acts",
}
