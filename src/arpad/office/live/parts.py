"""What other features ask of live lists (``office.parts``): the function, and the module that has it."""

PARTS = {
    "altered_derived_tables": "acts",
    "erase_texts": "rows",
    "live_changes": "player",
    "live_lists_shown": "player",
    "live_ratings": "pages",
    "live_standings": "player",
    "rows_version": "rows",
}
