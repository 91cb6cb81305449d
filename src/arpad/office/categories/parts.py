"""What other features ask of national categories (``office.parts``): the function, and the module that has it."""

PARTS = {
    "categories_on": "acts",
    "draft_changes": "acts",
    "has_categories": "acts",
    "player_categories": "acts",
    "with_categories": "acts",
}
