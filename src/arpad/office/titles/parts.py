"""What other features ask of titles (``office.parts``): the function, and the module that has it."""

PARTS = {
    "check_titles": "acts",
    "norms_on_record": "rows",
    "player_norms": "acts",
}
