"""Title norms, applications, and titles by rating."""

PARTS = {
    "proposed_titles": "applications",
    "check_titles": "applications",
    "norms_on_record": "rows",
    "player_norms": "rows",
}
