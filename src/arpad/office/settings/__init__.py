"""The settings of an office: its name, its languages, its logo, and how long it keeps what."""

PARTS = {
    "site_facts": "acts",
}
