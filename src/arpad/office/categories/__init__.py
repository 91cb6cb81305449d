"""National categories of chess players."""

PARTS = {
    "categories_on": "acts",
    "draft_changes": "acts",
    "has_categories": "acts",
    "player_categories": "acts",
    "with_categories": "acts",
}
