"""The register of arbiters and their licences."""

PARTS = {
    "federations_of": "rows",
    "held_about": "rows",
    "load_arbiters": "rows",
}
