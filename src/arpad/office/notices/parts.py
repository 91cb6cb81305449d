"""What other features ask of notices (``office.parts``): the function, and the module that has it."""

PARTS = {
    "end_follows_of_players": "rows",
    "held_about": "rows",
    "names_players": "rows",
}
