"""What other features ask of arbiters (``office.parts``): the function, and the module that has it."""

PARTS = {
    "federations_of": "rows",
    "held_about": "rows",
    "load_arbiters": "rows",
}
