"""What other features ask of draughts (``office.parts``): the function, and the module that has it."""

PARTS = {
    "player_record": "records",
}
