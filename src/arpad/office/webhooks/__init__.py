"""Programs that are told of changes."""

PARTS = {
    "has_secrets": "rows",
    "rotated_secrets": "rows",
}
