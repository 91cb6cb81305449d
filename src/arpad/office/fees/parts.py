"""What other features ask of fees (``office.parts``): the function, and the module that has it."""

PARTS = {
    "held_about": "rows",
}
