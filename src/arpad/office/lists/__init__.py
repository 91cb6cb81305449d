"""The published lists as they are stored: which is in force, who is on it, rankings, history."""

PARTS = {
    "site_facts": "page_rows",
}
