"""What other features ask of titles (``office.parts``): the function, and the module that has it."""

PARTS = {
    "proposed_titles": "applications",
    "check_titles": "applications",
    "norms_on_record": "rows",
    "player_norms": "rows",
}
