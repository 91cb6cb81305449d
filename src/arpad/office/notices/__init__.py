"""News by mail, feed and calendar."""

PARTS = {
    "end_follows_of_players": "rows",
    "held_about": "rows",
    "names_players": "rows",
}
