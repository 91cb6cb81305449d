"""What other features ask of players' pages (``office.parts``): the function, and the module that has it."""

PARTS = {"player_choices": "compare_pages"}
