"""What other features ask of settings (``office.parts``): the function, and the module that has it."""

PARTS = {
    "site_facts": "acts",
}
