"""What other features ask of the register (``office.parts``): the function, and the module that has it."""

PARTS = {"add_first_rows": "scheme_rows"}
