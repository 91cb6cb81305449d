"""What other features ask of clubs (``office.parts``): the function, and the module that has it."""

PARTS = {
    "club_choices": "rows",
    "club_codes": "acts",
    "clubs_of_player": "rows",
    "members_on": "rows",
    "units_on": "rows",
}
