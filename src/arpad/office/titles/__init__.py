"""Title norms, applications, and titles by rating."""

PARTS = {
    "proposed_titles": "applications",
    "title_checks": "applications",
    "norms_on_record": "rows",
    "player_norms": "rows",
}
