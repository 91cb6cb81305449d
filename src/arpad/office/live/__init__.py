"""Live lists: what would be published now."""

PARTS = {
    "altered_derived_tables": "acts",
    "erase_texts": "rows",
    "live_changes": "player",
    "live_lists_shown": "player",
    "live_ratings": "pages",
    "live_standings": "player",
    "rows_version": "rows",
}
