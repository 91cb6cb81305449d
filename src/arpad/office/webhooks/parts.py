"""What other features ask of webhooks (``office.parts``): the function, and the module that has it."""

PARTS = {
    "has_secrets": "rows",
    "rotated_secrets": "rows",
}
