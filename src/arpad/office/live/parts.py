"""What other features ask of live lists (``office.parts``): the function, and the module that has it."""

PARTS = {
    "altered_derived_tables": "verification",
    "erase_texts": "rows",
    "live_lists_shown": "pages",
    "live_ratings": "pages",
    "live_standings": "api",
    "rows_version": "rows",
}
