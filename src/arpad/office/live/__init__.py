"""Live lists: what would be published now."""

PARTS = {
    "altered_derived_tables": "acts",
    "erase_texts": "rows",
    "live_changes": "layers",
    "live_lists_shown": "layers",
    "live_ratings": "pages",
    "live_standings": "layers",
    "rows_version": "rows",
}
